import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import type { SortKey } from '../../contract/operation.ts'
import type { KeyRing } from '../../vocabulary/keys.ts'

/**
 * Cursors are sealed (AES-256-GCM). Callers cannot read the sort key inside. The operation, the partner and the filters
 * are authenticated with it, so a cursor is valid only where it was issued (PAG-02, ERR-09). The same page always has the
 * same cursor, so that a list that has not changed has the same ETag: the nonce is made from what is sealed, so two
 * different contents never share one.
 */
export type Cursors = {
  seal: (key: SortKey, boundTo: string) => string
  /** undefined = not a cursor of ours, or issued elsewhere */
  open: (cursor: string, boundTo: string) => SortKey | undefined
}

const nonceBytes = 12
const tagBytes = 16
const cursorLengthMax = 1_000

/** The first of the keys seals; what any of them sealed is opened. */
export function createCursors(keys: KeyRing): Cursors {
  const [key] = keys
  const nonceKey = createHmac('sha256', key).update('nonce').digest()
  return {
    seal: (sortKey, boundTo) => {
      const text = JSON.stringify(sortKey)
      const nonce = createHmac('sha256', nonceKey)
        .update(JSON.stringify([boundTo, text]))
        .digest()
        .subarray(0, nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      cipher.setAAD(Buffer.from(boundTo))
      const sealed = Buffer.concat([cipher.update(text), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    open: (cursor, boundTo) => {
      if (cursor.length > cursorLengthMax) return undefined
      const bytes = Buffer.from(cursor, 'base64url')
      // The decoder accepts stray characters and spare bits; a cursor must come back exactly as it was issued.
      if (bytes.length <= nonceBytes + tagBytes || bytes.toString('base64url') !== cursor) return undefined
      for (const each of keys) {
        const opened = openBy(each, bytes, boundTo)
        if (opened !== undefined) return JSON.parse(opened) as SortKey
      }
      return undefined
    },
  }
}

function openBy(key: Buffer, bytes: Buffer, boundTo: string): string | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(boundTo))
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString()
  } catch {
    return undefined
  }
}
