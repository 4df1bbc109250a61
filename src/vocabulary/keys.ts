import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Environment } from './environment.ts'

/**
 * The keys of the service. All follow from its master keys. There is usually one; while an older one is replaced, there
 * are several, newest first: the first makes what is new, and every one opens, verifies and finds (docs/keys.md).
 */
export type MasterKeys = readonly [Buffer, ...Buffer[]]

/** The keys of one purpose, one per master key, in the same order. */
export type KeyRing = readonly [Buffer, ...Buffer[]]

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
  | 'person-key'
  | 'erasure'
  | 'event-stream'
  | 'webhook-check'
  | 'fingerprint'
  | 'session'
  | 'link'
  | 'sign-in-signature'
  | 'tls-authority'
  | 'tls-server'
  | 'demo'

/** Derives the 32-byte key of a purpose from a master key (HKDF-SHA-256, RFC 5869). */
export function deriveKey(masterKey: Buffer, environment: Environment, purpose: KeyPurpose): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, '', `partner-commerce/${environment}/${purpose}`, 32))
}

export function keyRing(masterKeys: MasterKeys, environment: Environment, purpose: KeyPurpose): KeyRing {
  return ofEach(masterKeys, (masterKey) => deriveKey(masterKey, environment, purpose))
}

/** The same of each key, in the order of the keys. */
export function ofEach<Value>(keys: KeyRing, of: (key: Buffer) => Value): readonly [Value, ...Value[]] {
  const [first, ...others] = keys
  return [of(first), ...others.map((key) => of(key))]
}

/** The HMAC-SHA-256 of a text under each key. What is stored as such is looked for under all, by `= any(…)`. */
export function macs(keys: KeyRing, text: string): readonly [Buffer, ...Buffer[]] {
  return ofEach(keys, (key) => macOf(key, text))
}

/** The HMAC-SHA-256 that is made now: under the first key. */
export function mac(keys: KeyRing, text: string): Buffer {
  return macOf(keys[0], text)
}

/** Whether a text presents the base64url form of `of`'s HMAC under any key. Only its one spelling is taken. */
export function isMac(keys: KeyRing, of: string, presented: string): boolean {
  const given = Buffer.from(presented)
  return keys.some((key) => {
    const expected = Buffer.from(macOf(key, of).toString('base64url'))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/** So many bytes name a key in what it sealed. */
export const keyIdBytes = 8

const ids = new WeakMap<Buffer, Buffer>()

/** Names a key, and tells nothing of it. */
export function keyId(key: Buffer): Buffer {
  let id = ids.get(key)
  if (!id) ids.set(key, (id = macOf(key, 'partner-commerce/key id').subarray(0, keyIdBytes)))
  return id
}

function macOf(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
