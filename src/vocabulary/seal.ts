import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { keyId, keyIdBytes, type KeyRing } from './keys.ts'

/**
 * Seals data that must be stored and read again (AES-256-GCM). It cannot be read or changed without the key, and it is
 * bound to its row, so a sealed value that is moved to another row cannot be opened. It begins with the id of its key, so
 * that SQL can tell what an older key sealed (`database/seal-anew.ts`).
 */

const nonceBytes = 12
const tagBytes = 16

/** Seals with the first key. */
export function seal([key]: KeyRing, boundTo: string, content: Buffer | string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  cipher.setAAD(Buffer.from(boundTo))
  const sealed = Buffer.concat([cipher.update(content), cipher.final()])
  return Buffer.concat([keyId(key), nonce, cipher.getAuthTag(), sealed])
}

/** @throws when it was sealed with none of the keys, bound to another row, or changed since */
export function unseal(keys: KeyRing, boundTo: string, sealed: Buffer): Buffer {
  const named = keys.find((key) => keyId(key).equals(sealed.subarray(0, keyIdBytes)))
  if (named) return open(named, boundTo, sealed.subarray(keyIdBytes))
  // One from before seals named their key.
  for (const key of keys.slice(0, -1)) {
    try {
      return open(key, boundTo, sealed)
    } catch {
      // It is another key's.
    }
  }
  return open(keys.at(-1)!, boundTo, sealed)
}

function open(key: Buffer, boundTo: string, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(boundTo))
  decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()])
}
