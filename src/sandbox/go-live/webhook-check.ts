import { randomBytes } from 'node:crypto'
import type { Queries } from '../../database/database.ts'
import { usualEventTypes } from '../../platform/events/events.ts'
import { payloadOf } from '../../webhooks/payload.ts'
import { readNewestEvents } from '../../webhooks/published-events.ts'
import { signatureHeader } from '../../webhooks/signature.ts'
import { testPing } from '../../webhooks/test-ping.ts'
import { runLength } from './scores-of-deliveries.ts'
import { isMac, type KeyRing, mac } from '../../vocabulary/keys.ts'

/**
 * A check of a receiver that the sandbox cannot reach, such as one on a developer's machine: a program of the partner's
 * carries the deliveries to it and tells how they were answered. The service makes them and judges the answers. Nothing is
 * stored in between: the check is a sealed record of what was handed out.
 */

export const checkedKeys = ['webhooks_answered', 'signatures_verified', 'duplicates_accepted'] as const

export const checkMinutes = 10

/** Answers within this time succeed, as with receivers (EVT-15). */
const answerMilliseconds = 5_000

export type CheckDelivery = { eventId: string; body: string; signature: string }

export type Answer = { status: number | null; milliseconds: number }

export type Verdict = { key: (typeof checkedKeys)[number]; passed: boolean; says: string }

type Handed = {
  partnerId: string
  /** in milliseconds */ on: number
  /** how many events came after the pings */ events: number
}

/** The deliveries of a check, and the check as `readCheck` takes it back. */
export async function makeCheck(
  parts: { reads: Queries; keys: KeyRing; now: Date },
  { partnerId, secrets }: { partnerId: string; secrets: readonly [string, ...string[]] },
): Promise<{ check: string; deliveries: CheckDelivery[] }> {
  const { reads, keys, now } = parts
  const since = new Date(now.getTime() - 86_400_000)
  const newest = await readNewestEvents(reads, { partnerId, types: usualEventTypes, since, limit: runLength })
  const signed = (eventId: string, body: string, [by, ...former] = secrets): CheckDelivery => ({
    eventId,
    body,
    signature: signatureHeader(by, Buffer.from(body), Math.floor(now.getTime() / 1_000), ...former),
  })
  const [ping, other] = [testPing(now), testPing(now)]
  const first = signed(ping.eventId, payloadOf(ping))
  const forged = signed(other.eventId, payloadOf(other), [`whsec_${randomBytes(32).toString('base64url')}`])
  const events = newest.toReversed().map(({ eventId, body }) => signed(eventId, body))
  const check = sealed(keys, { partnerId, on: now.getTime(), events: events.length })
  return { check, deliveries: [first, first, forged, ...events] }
}

/** What a check handed out; undefined = it is not one of this partner's, or too old. */
export function readCheck(
  keys: KeyRing,
  check: string,
  partnerId: string,
  now: Date,
): Pick<Handed, 'events'> | undefined {
  const [payload = '', presented = ''] = check.split('.')
  if (!isMac(keys, payload, presented)) return undefined
  const handed = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Handed
  const isCurrent = now.getTime() - handed.on <= checkMinutes * 60_000
  return handed.partnerId === partnerId && isCurrent ? handed : undefined
}

export function judge({ events }: Pick<Handed, 'events'>, answers: readonly Answer[]): Verdict[] {
  const none: Answer = { status: null, milliseconds: 0 }
  const [first = none, again = none, forged = none] = answers
  const toEvents = Array.from({ length: events }, (_, index) => answers[3 + index] ?? none)
  return [judgeRun(toEvents), judgeForged(first, forged), judgeDuplicate(first, again)]
}

function judgeRun(answers: readonly Answer[]): Verdict {
  const key = 'webhooks_answered'
  const failed = answers.find((answer) => !succeeded(answer))
  if (failed) return { key, passed: false, says: `An event was answered with ${answered(failed)}.` }
  if (answers.length < runLength) {
    const found = answers.length === 0 ? 'There was none' : `There were only ${answers.length}`
    return {
      key,
      passed: false,
      says: `${found} of the ${runLength} events that it takes: let an order move, for example with partner-commerce trigger shipment.`,
    }
  }
  const slowest = Math.max(...answers.map(({ milliseconds }) => milliseconds))
  const says = `A receiver on your machine answered ${runLength} events with 2xx, the slowest after ${slowest} ms.`
  return { key, passed: true, says }
}

function judgeForged(first: Answer, forged: Answer): Verdict {
  const key = 'signatures_verified'
  const says = `A delivery with a wrong signature was answered with ${answered(forged)}`
  if (forged.status === null || isAccepted(forged)) return { key, passed: false, says: `${says}.` }
  // One that refuses everything verifies nothing.
  if (!succeeded(first)) return { key, passed: false, says: `${says}, but a true one with ${answered(first)}.` }
  return { key, passed: true, says: `On your machine, ${says[0]!.toLowerCase()}${says.slice(1)}, and others with 2xx.` }
}

function judgeDuplicate(first: Answer, again: Answer): Verdict {
  const key = 'duplicates_accepted'
  if (!succeeded(first)) return { key, passed: false, says: `A ping was answered with ${answered(first)}.` }
  const says = `an event that came a second time was answered with ${answered(again)}.`
  return succeeded(again)
    ? { key, passed: true, says: `On your machine, ${says}` }
    : { key, passed: false, says: `A${says.slice(1)}` }
}

function isAccepted({ status }: Answer): boolean {
  return status !== null && status >= 200 && status <= 299
}

function succeeded(answer: Answer): boolean {
  return isAccepted(answer) && answer.milliseconds <= answerMilliseconds
}

function answered(answer: Answer): string {
  if (answer.status === null) return 'nothing'
  return isAccepted(answer) && !succeeded(answer)
    ? `${answer.status} only after ${answer.milliseconds} ms`
    : `${answer.status}`
}

function sealed(keys: KeyRing, handed: Handed): string {
  const payload = Buffer.from(JSON.stringify(handed)).toString('base64url')
  return `${payload}.${mac(keys, payload).toString('base64url')}`
}
