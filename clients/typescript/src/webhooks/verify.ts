import type { OrderEvent, ShipmentEvent } from '../generated/types.gen.ts'
import { WebhookRefused } from './refused.ts'

/**
 * What a webhook tells: that something changed, and what to read again. Its `type` may be one that this version of the
 * client does not know: log or ignore it.
 */
export type WebhookEvent = OrderEvent & Partial<Pick<ShipmentEvent, 'shipmentNumber'>>

/** What is needed to verify a delivery. */
export type VerifyOptions = {
  /** the body as it came in, before anything parsed it */
  body: string | Uint8Array | ArrayBuffer
  /** the value of the header `Platform-Signature`; null or undefined where the delivery has none */
  signature: string | null | undefined
  /** the signing secret, as it stands; several while you change from one to the next */
  secret: string | readonly string[]
  /** seconds that the delivery's time may differ from the clock here, either way; 300 unless told */
  tolerance?: number
  /** the time here; the clock's unless told */
  now?: Date
}

/**
 * Verifies a delivery and reads its event. The signature is compared in constant time.
 *
 * The same event may arrive more than once, and events arrive in any order: compare `eventId` with those that you have
 * seen, and read what it names again. A test ping (`isTestPing`) is dropped.
 * @throws WebhookRefused with the reason, when the delivery is not the service's
 * @throws TypeError when there is no secret, the body is not raw, or the tolerance or the time is none
 */
export async function verifyWebhook(options: VerifyOptions): Promise<WebhookEvent> {
  const { signature, tolerance = 300, now = new Date() } = options
  const body = bytesOf(options.body)
  const secrets = secretsOf(options.secret)
  // No comparison with NaN holds, so that a window of NaN seconds would let every time pass.
  if (!Number.isFinite(tolerance) || tolerance < 0)
    throw new TypeError('The tolerance of a webhook is a number of seconds, 0 or more.')
  if (Number.isNaN(now.getTime())) throw new TypeError('The time at which a webhook is verified must be a valid date.')
  if (!signature) throw new WebhookRefused('missing_signature', 'The delivery has no Platform-Signature.')
  const { time, digests } = partsOf(signature)
  const late = Math.floor(now.getTime() / 1_000) - Number(time)
  if (Math.abs(late) > tolerance)
    throw new WebhookRefused(
      late > 0 ? 'too_old' : 'too_new',
      `The delivery is ${Math.abs(late)} seconds ${late > 0 ? 'behind' : 'ahead of'} the clock here; ${tolerance} are allowed.`,
    )
  const prefix = new TextEncoder().encode(`${time}.`)
  const signed = new Uint8Array(prefix.length + body.length)
  signed.set(prefix)
  signed.set(body, prefix.length)
  if (!(await isSignedBy(secrets, digests, signed)))
    throw new WebhookRefused('wrong_signature', 'The delivery is not signed with your secret, or its body was changed.')
  return eventOf(body)
}

/** Whether the event is a test that staff sent: nothing happened. Verify it like any other, then drop it. */
export function isTestPing({ eventId }: Pick<WebhookEvent, 'eventId'>): boolean {
  return eventId.startsWith('test_')
}

/** @throws TypeError when there is none that could be one */
export function secretsOf(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (!secrets?.length || secrets.some((each) => typeof each !== 'string' || each === ''))
    throw new TypeError('A webhook needs its signing secret; where several are given, none may be empty.')
  return secrets
}

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return body
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  throw new TypeError(
    'A webhook is verified by the bytes of its body, before anything parses them. Give them as text or bytes; a parsed object cannot be verified.',
  )
}

/** Fields that are not known are passed over, so that a later scheme can stand beside `v1`. */
function partsOf(signature: string): { time: string; digests: readonly string[] } {
  const fields = signature.split(',').map((field) => field.trim())
  const valuesOf = (name: string) =>
    fields.flatMap((field) => (field.startsWith(`${name}=`) ? [field.slice(name.length + 1)] : []))
  const [time, ...more] = valuesOf('t')
  const digests = valuesOf('v1')
  if (time === undefined || more.length > 0 || !/^\d{1,12}$/.test(time) || digests.length === 0)
    throw new WebhookRefused('malformed_signature', 'Platform-Signature must read t=…,v1=….')
  return { time, digests }
}

/** Each secret signs once, however many digests are offered. Every secret is tried, so that the time does not tell which one it was. */
async function isSignedBy(
  secrets: readonly string[],
  digests: readonly string[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  let isSigned = false
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['sign'])
    const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed))
    const expected = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
    for (const digest of digests) if (areSame(digest, expected)) isSigned = true
  }
  return isSigned
}

/** Takes the same time wherever the texts differ. */
function areSame(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length
  for (let at = 0; at < expected.length; at++) difference |= given.charCodeAt(at) ^ expected.charCodeAt(at)
  return difference === 0
}

function eventOf(body: Uint8Array): WebhookEvent {
  try {
    const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as Partial<WebhookEvent> | null
    if (typeof event?.eventId === 'string' && typeof event.type === 'string') return event as WebhookEvent
  } catch {
    // said below
  }
  throw new WebhookRefused('unreadable_body', 'The delivery is signed, and is no event.')
}
