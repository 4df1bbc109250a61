import { randomBytes } from 'node:crypto'
import { seal, unseal } from '../vocabulary/seal.ts'

/**
 * The secret an endpoint's deliveries are signed with. Unlike a client secret it is needed again in clear, so it is kept
 * sealed under the environment's `stored-secret` key, and bound to its endpoint.
 */

/** `whsec_`, by which scanners recognise a leaked one, and 256 random bits. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`
}

export function sealSecret(key: Buffer, endpointId: string, secret: string): Buffer {
  return seal(key, endpointId, secret)
}

/** @throws when it was sealed with another key, for another endpoint, or was changed since */
export function openSecret(key: Buffer, endpointId: string, sealed: Buffer): string {
  return unseal(key, endpointId, sealed).toString()
}
