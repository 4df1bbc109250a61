import { createHash, timingSafeEqual } from 'node:crypto'
import { seal, unseal } from './seal.ts'
import { type KeyRing, macs } from './keys.ts'

/**
 * What is stored of a secret that is only compared: its SHA-256, sealed, so that it can be sealed anew with another key
 * without the secret. Only for secrets of so many random bits that nobody can try them all.
 */
export function sealDigest(keys: KeyRing, boundTo: string, secret: string): Buffer {
  return seal(keys, boundTo, sha256(secret))
}

/** Also what was stored before: the HMAC of the secret, which stays under its key until the secret is used. */
export function isDigestOf(keys: KeyRing, boundTo: string, secret: string, stored: Buffer): boolean {
  if (isKeyedHash(stored)) return macs(keys, secret).some((each) => timingSafeEqual(each, stored))
  try {
    return timingSafeEqual(unseal(keys, boundTo, stored), sha256(secret))
  } catch {
    // Its key was given up.
    return false
  }
}

/** Whether it is the HMAC of former days, which no key can seal anew. */
export function isKeyedHash(stored: Buffer): boolean {
  return stored.length === keyedHashBytes
}

/** shorter than any seal */
export const keyedHashBytes = 32

function sha256(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
