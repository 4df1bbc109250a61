import { createHmac, timingSafeEqual } from 'node:crypto'

/** The tolerance that receivers are told to apply, either way (EVT-33). */
const toleranceSecondsPublished = 300

/**
 * The value of `Platform-Signature` for a body's raw bytes (EVT-30, EVT-31), with a `v1` by each secret: receivers that
 * have not yet taken over a new secret verify the one by a former.
 */
export function signatureHeader(
  secret: string,
  rawBody: Buffer,
  unixSeconds: number,
  ...formerSecrets: readonly string[]
): string {
  const signatures = [secret, ...formerSecrets].map((each) => `v1=${hmacHex(each, String(unixSeconds), rawBody)}`)
  return [`t=${unixSeconds}`, ...signatures].join(',')
}

/**
 * Verifies `Platform-Signature` as a receiver must: true only if there are one `t` and at least one `v1`, `t` is within
 * the tolerance before or after the receiver's clock, and a `v1` is the lowercase HMAC of the raw bytes (EVT-33). Other
 * fields are ignored, so that a later scheme can be added beside `v1`.
 */
export function verifySignature(
  header: string,
  rawBody: Buffer,
  secret: string,
  nowUnixSeconds: number,
  toleranceSeconds: number = toleranceSecondsPublished,
): boolean {
  const fields = header.split(',').map((field) => field.trim())
  const values = (name: string) =>
    fields.flatMap((field) => (field.startsWith(`${name}=`) ? [field.slice(name.length + 1)] : []))
  const [t, ...others] = values('t')
  if (t === undefined || others.length > 0 || !/^\d{1,12}$/.test(t)) return false
  if (Math.abs(nowUnixSeconds - Number(t)) > toleranceSeconds) return false
  const expected = Buffer.from(hmacHex(secret, t, rawBody))
  return values('v1').some((value) => {
    const given = Buffer.from(value)
    return given.byteLength === expected.byteLength && timingSafeEqual(given, expected)
  })
}

function hmacHex(secret: string, t: string, rawBody: Buffer): string {
  return createHmac('sha256', secret).update(`${t}.`).update(rawBody).digest('hex')
}
