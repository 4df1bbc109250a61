import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/**
 * The secret an endpoint's deliveries are signed with. Unlike a client secret it is needed again in clear, so it is kept
 * sealed (AES-256-GCM) under the environment's `stored-secret` key, and bound to its endpoint: a sealed secret moved to
 * another row opens nothing.
 */

const nonceBytes = 12
const tagBytes = 16

/** `whsec_`, by which scanners recognise a leaked one, and 256 random bits. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`
}

export function sealSecret(key: Buffer, endpointId: string, secret: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  cipher.setAAD(Buffer.from(endpointId))
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** @throws when it was sealed with another key, for another endpoint, or was changed since */
export function openSecret(key: Buffer, endpointId: string, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(endpointId))
  decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]).toString()
}
