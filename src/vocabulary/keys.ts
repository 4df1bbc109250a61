import { hkdfSync } from 'node:crypto'
import type { Environment } from './environment.ts'

/**
 * The purposes of keys. Each purpose in each environment has a key of its own, so that no key works for another
 * purpose.
 */
export type KeyPurpose =
  | 'access-token'
  | 'cursor'
  | 'confirmation'
  | 'client-secret'
  | 'stored-secret'
  | 'event-stream'
  | 'webhook-check'
  | 'fingerprint'
  | 'session'
  | 'link'
  | 'sign-in-signature'
  | 'tls-authority'
  | 'tls-server'

/** Derives the 32-byte key of a purpose from the service's one master key (HKDF-SHA-256, RFC 5869). */
export function deriveKey(masterKey: Buffer, environment: Environment, purpose: KeyPurpose): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, '', `partner-commerce/${environment}/${purpose}`, 32))
}
