import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/**
 * Seals data that must be stored and read again (AES-256-GCM). It cannot be read or changed without the key, and it is
 * bound to its row, so a sealed value that is moved to another row cannot be opened.
 */

const nonceBytes = 12
const tagBytes = 16

export function seal(key: Buffer, boundTo: string, content: Buffer | string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  cipher.setAAD(Buffer.from(boundTo))
  const sealed = Buffer.concat([cipher.update(content), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** @throws when it was sealed with another key, bound to another row, or changed since */
export function unseal(key: Buffer, boundTo: string, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(boundTo))
  decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()])
}
