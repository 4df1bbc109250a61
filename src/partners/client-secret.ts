import { isDigestOf, sealDigest } from '../vocabulary/sealed-digest.ts'
import { randomBytes } from 'node:crypto'
import type { KeyRing } from '../vocabulary/keys.ts'

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
 * A client id that a caller claims, as the log may show it: only what has the form of an id, since people also put a secret in
 * its place.
 */
export function clientIdForLog(claimed: string | undefined): string | undefined {
  return claimed !== undefined && /^pc_[a-z0-9]{20,24}$/.test(claimed) ? claimed : undefined
}

/**
 * What is stored of a client secret: its SHA-256, sealed with the environment's `client-secret` keys. The secret has 256
 * random bits, so a deliberately slow hash would add cost and no safety.
 */
export function sealClientSecret(clientSecretKeys: KeyRing, clientId: string, secret: string): Buffer {
  return sealDigest(clientSecretKeys, clientId, secret)
}

/** Whether a presented secret is the one that is stored. */
export function isClientSecret(clientSecretKeys: KeyRing, clientId: string, secret: string, stored: Buffer): boolean {
  return isDigestOf(clientSecretKeys, clientId, secret, stored)
}
