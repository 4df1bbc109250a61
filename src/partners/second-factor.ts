import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { isDigestOf, sealDigest } from '../vocabulary/sealed-digest.ts'
import type { KeyRing } from '../vocabulary/keys.ts'

/**
 * The second factor: time-based one-time codes of an authenticator app (RFC 6238 with SHA-1, 6 digits, 30 seconds,
 * which every app supports), and recovery codes for people who lost the app. This file makes and checks codes;
 * `person-proof.ts` stores them.
 */

const stepSeconds = 30
const digits = 6
/** Clocks may differ by one step in either direction. */
const stepsAround = 1
const recoveryCodesCount = 10
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** 160 random bits, the key length RFC 4226 recommends. */
export function newSecondFactor(): Buffer {
  return randomBytes(20)
}

/** The secret as people type it into an app: base32. */
export function secondFactorText(secret: Buffer): string {
  const bits = Array.from(secret, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join('')
}

/** The link that gives the secret to an app, also as a QR code. */
export function secondFactorUri(secret: Buffer, username: string, issuer: string): string {
  const parameters = new URLSearchParams({ secret: secondFactorText(secret), issuer })
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(username)}?${parameters}`
}

/**
 * The time step of a code; undefined if the code is not currently valid. A step that was used before, or an earlier
 * one, is not accepted again.
 */
export function secondFactorStep(
  secret: Buffer,
  code: string,
  now: Date,
  takenStep: number | null,
): number | undefined {
  const typed = code.replaceAll(/[\s-]/g, '')
  if (!/^\d{6}$/.test(typed)) return undefined
  const current = Math.floor(now.getTime() / 1000 / stepSeconds)
  let found: number | undefined
  for (let step = current - stepsAround; step <= current + stepsAround; step++) {
    const matches = timingSafeEqual(Buffer.from(codeOf(secret, step)), Buffer.from(typed))
    if (matches && step > (takenStep ?? -1)) found ??= step
  }
  return found
}

export function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.at(-1)! & 0x0f
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0')
}

/** Ten codes of 80 bits, easy to write down. Each works once. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodesCount }, () => {
    const letters = Array.from(randomBytes(16), (byte) => alphabet[byte & 31]).join('')
    return (letters.match(/.{4}/g) ?? []).join('-').toLowerCase()
  })
}

/** What is stored of a recovery code: its hash, the same however the code is typed, sealed. */
export function sealRecoveryCode(keys: KeyRing, personId: string, code: string): Buffer {
  return sealDigest(keys, recoveryCodeOf(personId), codeAsTyped(code))
}

/** Whether a code is the stored one. */
export function isRecoveryCode(keys: KeyRing, personId: string, code: string, stored: Buffer): boolean {
  return isDigestOf(keys, recoveryCodeOf(personId), codeAsTyped(code), stored)
}

/** What the sealed hashes of a person's recovery codes are bound to. */
export const recoveryCodeOf = (personId: string): string => `${personId}/recovery code`

function codeAsTyped(code: string): string {
  return code.toUpperCase().replaceAll(/[^A-Z2-7]/g, '')
}
