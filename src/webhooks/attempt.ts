/**
 * One attempt to deliver an event to an endpoint, and its verdict: what is sent, and what counts as delivered. It does
 * not use the database: the courier claims deliveries and records verdicts.
 */
import type { Egress, EgressAnswer } from '../outside/egress/guarded-request.ts'
import { EgressFailed, EgressRefused, type EgressFailure } from '../outside/egress/outcomes.ts'
import type { Clock } from '../vocabulary/clock.ts'
import type { TraceContext } from '../vocabulary/trace-context.ts'
import { signatureHeader } from './signature.ts'

/** EVT-14, EVT-15 */
const responseMillisecondsMax = 5_000
const excerptBytesMax = 1_024

/**
 * `body`: the event's bytes, the same on every attempt and at every endpoint; `secret` null: unsigned (EVT-29);
 * `formerSecret`: it signs too.
 */
export type Delivery = {
  url: string
  eventId: string
  body: Buffer
  secret: string | null
  formerSecret?: string | null
  /** sent as `traceparent` */
  traceContext?: TraceContext | null
}

/** `refused`: nobody accepts the connection; `target`: the URL or address may not be called. */
export type DeliveryFailure = Exclude<EgressFailure, 'too-large'> | 'refused' | 'target'

/**
 * `status`, `responseExcerpt` and the duration up to the response are set whenever a response came, also for a failure.
 */
export type Verdict = {
  outcome: 'DELIVERED' | 'FAILED'
  status: number | null
  failure: DeliveryFailure | null
  durationMilliseconds: number
  responseExcerpt: string | null
  /** in a sandbox: what went wrong on purpose, and the answer to the second of two attempts, if there was one */
  onPurpose?: { misbehaviour: string; againStatus: number | null }
}

/**
 * POSTs an event exactly once and judges the answer: a 2xx within five seconds is delivered; everything else, redirects
 * included, has failed for good (EVT-13 to EVT-15). Only the status line and headers must arrive in time. The part of
 * the body that has arrived by then is kept, and does not affect the verdict.
 *
 * An attempt that breaks off on a reused connection is a failure like any other, although the receiver may not have
 * seen it: a second POST could reach it twice. The egress closes idle connections early, so this is rare.
 * @param now real time, also in the sandbox: receivers compare the time of the signature with their own clocks (EVT-32)
 * @throws EgressBusy where no attempt could be made; nothing may be recorded then
 */
export async function makeAttempt(
  egress: Pick<Egress, 'request'>,
  delivery: Delivery,
  now: Clock,
  timeoutMilliseconds: number = responseMillisecondsMax,
): Promise<Verdict> {
  const startedAt = performance.now()
  try {
    const answer = await egress.request(delivery.url, {
      method: 'POST',
      headers: headersFor(delivery, now()),
      body: delivery.body,
      timeoutMilliseconds,
      responseBytesMax: excerptBytesMax,
      incompleteBody: 'keep',
    })
    return judge(answer)
  } catch (error) {
    const failure = failureWord(error)
    if (failure === null) throw error
    const durationMilliseconds = Math.round(performance.now() - startedAt)
    return { outcome: 'FAILED', status: null, failure, durationMilliseconds, responseExcerpt: null }
  }
}

/** What is sent with every delivery of an event, whether it is signed or not. */
export function unsignedHeaders(eventId: string): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Platform-Webhooks/1',
    'Platform-Event-Id': eventId,
  }
}

function headersFor({ eventId, body, secret, formerSecret, traceContext }: Delivery, at: Date): Record<string, string> {
  const headers = unsignedHeaders(eventId)
  if (traceContext) headers.traceparent = traceContext
  const former = formerSecret ? [formerSecret] : []
  if (secret !== null)
    headers['Platform-Signature'] = signatureHeader(secret, body, Math.floor(at.getTime() / 1_000), ...former)
  return headers
}

function judge({ status, body, durationMilliseconds }: EgressAnswer): Verdict {
  // PostgreSQL stores no NUL in text.
  const excerpt = body.toString('utf8').replaceAll('\0', '')
  const isDelivered = status >= 200 && status <= 299
  const isRedirect = status >= 300 && status <= 399
  return {
    outcome: isDelivered ? 'DELIVERED' : 'FAILED',
    status,
    failure: isDelivered ? null : isRedirect ? 'redirect' : 'status',
    durationMilliseconds,
    responseExcerpt: excerpt === '' ? null : excerpt,
  }
}

/** null where neither the receiver nor the target is the cause. */
function failureWord(error: unknown): DeliveryFailure | null {
  if (error instanceof EgressRefused) return 'target'
  if (!(error instanceof EgressFailed) || error.reason === 'too-large') return null
  return error.code === 'ECONNREFUSED' ? 'refused' : error.reason
}
