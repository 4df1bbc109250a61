import { createHmac, randomBytes } from 'node:crypto'

/** `pc_` and 100 random bits as lower-case letters and digits, easy to read out and safe in any header. */
export function newClientId(): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
  return `pc_${Array.from(randomBytes(20), (byte) => alphabet[byte & 31]).join('')}`
}

/** 256 random bits after `pcs_`, the prefix by which scanners recognise a leaked secret. */
export function newClientSecret(): string {
  return `pcs_${randomBytes(32).toString('base64url')}`
}

/**
 * What is stored of a client secret: HMAC-SHA-256 under the environment's `client-secret` key. The secret has 256
 * random bits, so a deliberately slow hash would add cost and no safety.
 */
export function hashClientSecret(clientSecretKey: Buffer, secret: string): Buffer {
  return createHmac('sha256', clientSecretKey).update(secret).digest()
}
