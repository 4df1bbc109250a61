/**
 * One attempt to hand an event to an endpoint, and its verdict. It owns what is sent and what counts as delivered;
 * it reads and writes no record, and never asks twice. Claiming a delivery, and recording the verdict, is the courier's.
 */
import type { Egress, EgressAnswer } from '../outside/egress/guarded-request.ts'
import { EgressFailed, EgressRefused, type EgressFailure } from '../outside/egress/outcomes.ts'
import type { Clock } from '../vocabulary/clock.ts'
import { signatureHeader } from './signature.ts'

/** EVT-14, EVT-15 */
const responseMillisecondsMax = 5_000
const excerptBytesMax = 1_024

/** `body` is what the event's bytes are on every attempt and every endpoint; `secret` null means unsigned (EVT-29). */
export type Delivery = { url: string; eventId: string; body: Buffer; secret: string | null }

/** `refused` is a connection nobody accepts; `target` a URL or address that may not be called. */
export type DeliveryFailure = Exclude<EgressFailure, 'too-large'> | 'refused' | 'target'

/** `status`, `responseExcerpt` and a duration up to the response are there whenever a response came, failures included. */
export type Verdict = {
  outcome: 'DELIVERED' | 'FAILED'
  status: number | null
  failure: DeliveryFailure | null
  durationMilliseconds: number
  responseExcerpt: string | null
}

/**
 * POSTs an event exactly once and judges the answer: a 2xx within five seconds is delivered, everything else failed for
 * good, redirects included (EVT-13 to EVT-15). Only the status line and headers must come in time; of the body as much
 * as comes by then is kept, and its state judges nothing.
 *
 * `now` must be the time of the world, not a sandbox's own: receivers hold the signature against their clocks (EVT-32).
 * Throws EgressBusy when no attempt could be made; nothing may then be recorded. An attempt that breaks off on a
 * reused connection is a failure like any other, although the receiver may not have seen it: a second POST might be
 * its second. The egress lets go of idle connections early so that this stays rare.
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

function headersFor({ eventId, body, secret }: Delivery, at: Date): Record<string, string> {
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'User-Agent': 'Platform-Webhooks/1',
    'Platform-Event-Id': eventId,
  }
  if (secret !== null) headers['Platform-Signature'] = signatureHeader(secret, body, Math.floor(at.getTime() / 1_000))
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

/** null: not the receiver's doing, nor the target's. */
function failureWord(error: unknown): DeliveryFailure | null {
  if (error instanceof EgressRefused) return 'target'
  if (!(error instanceof EgressFailed) || error.reason === 'too-large') return null
  return error.code === 'ECONNREFUSED' ? 'refused' : error.reason
}
