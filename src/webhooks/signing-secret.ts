import { randomBytes } from 'node:crypto'
import { seal, unseal } from '../vocabulary/seal.ts'
import type { KeyRing } from '../vocabulary/keys.ts'

/**
 * The secret that signs an endpoint's deliveries. Signing needs the clear text, so unlike a client secret it is
 * encrypted under the environment's `stored-secret` key, bound to its endpoint, and not hashed.
 */

/** 256 random bits after `whsec_`, the prefix by which scanners recognise a leaked secret. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`
}

export function sealSecret(keys: KeyRing, endpointId: string, secret: string): Buffer {
  return seal(keys, endpointId, secret)
}

/** @throws when it was sealed with another key, for another endpoint, or was changed since */
export function openSecret(keys: KeyRing, endpointId: string, sealed: Buffer): string {
  return unseal(keys, endpointId, sealed).toString()
}
