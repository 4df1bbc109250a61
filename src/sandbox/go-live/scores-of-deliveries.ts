import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { seen, type Score, type Scores } from './items.ts'

/** What the deliveries to a partner's receivers show, as far as they were attempted. It looks at the newest of each receiver. */
const deliveriesLookedAt = 200

/** How many in a row have to succeed. */
export const runLength = 5

type Ended = {
  deliveryId: number
  endpointId: string
  isTestPing: boolean
  type: string
  outcome: 'DELIVERED' | 'FAILED'
  responseStatus: number | null
  reason: string | null
  durationMilliseconds: number | null
  attemptedOn: string
  misbehaviour: string | null
  againStatus: number | null
  /** the delivery that it repeats had succeeded already */
  repeatsDelivered: boolean
  signed: boolean
}

export async function scoresOfDeliveries(reads: Queries, partnerId: string): Promise<Scores> {
  // webhook_endpoint_by_partner, webhook_delivery_newest and the primary key
  const deliveries = await reads.rows<Ended>(sql`
    select ended.delivery_id, ended.endpoint_id, ended.test_ping as is_test_ping, ended.type, ended.outcome,
      ended.response_status, ended.reason, ended.duration_milliseconds, ended.attempted_on, ended.misbehaviour,
      ended.again_status, coalesce(repeated.outcome = 'DELIVERED', false) as repeats_delivered,
      endpoint.secret_sealed is not null as signed
    from webhook_endpoint endpoint
    cross join lateral (
      select * from webhook_delivery delivery
      where delivery.endpoint_id = endpoint.endpoint_id and delivery.attempted_on is not null
      order by created_on desc, delivery_id desc
      limit ${deliveriesLookedAt}
    ) as ended
    left join webhook_delivery repeated on repeated.delivery_id = ended.repeats
    where endpoint.partner_id = ${partnerId}
    order by ended.attempted_on desc, ended.delivery_id desc`)
  return {
    ...scored('webhooks_answered', scoreOfRun(deliveries)),
    ...scored('signatures_verified', scoreOfForged(deliveries)),
    ...scored('duplicates_accepted', scoreOfDuplicates(deliveries)),
  }
}

function scored(key: keyof Scores, score: Score | undefined): Scores {
  return score ? { [key]: score } : {}
}

/** Those that should have succeeded. */
const untouched = ['reorder', 'duplicate', null]

function scoreOfRun(deliveries: readonly Ended[]): Score | undefined {
  const run = deliveries
    .filter(({ isTestPing, misbehaviour }) => !isTestPing && untouched.includes(misbehaviour))
    .slice(0, runLength)
  const failed = run.find(({ outcome }) => outcome === 'FAILED')
  if (failed) return { state: 'failed', evidence: at(failed, `A delivery failed: ${answerTo(failed)}.`) }
  if (run.length < runLength) return undefined
  const slowest = Math.max(...run.map((each) => each.durationMilliseconds ?? 0))
  const says = `The last ${runLength} deliveries were answered with 2xx, the slowest after ${slowest} ms.`
  return { state: 'done', evidence: at(run[0]!, says) }
}

function scoreOfForged(deliveries: readonly Ended[]): Score | undefined {
  const forged = deliveries.find(
    (each) => each.misbehaviour === 'wrong_signature' && each.signed && each.responseStatus !== null,
  )
  if (!forged) return undefined
  if (forged.outcome === 'DELIVERED') {
    const says = `A delivery with a wrong signature was answered with ${forged.responseStatus}.`
    return { state: 'failed', evidence: at(forged, says) }
  }
  // One that refuses everything verifies nothing.
  const accepts = deliveries.some(
    ({ endpointId, outcome, misbehaviour }) =>
      endpointId === forged.endpointId && outcome === 'DELIVERED' && untouched.includes(misbehaviour),
  )
  const says = `A delivery with a wrong signature was answered with ${forged.responseStatus}`
  if (!accepts) return { state: 'not_yet', evidence: at(forged, `${says}, but no other one with 2xx yet.`) }
  return { state: 'done', evidence: at(forged, `${says}, and others with 2xx.`) }
}

function scoreOfDuplicates(deliveries: readonly Ended[]): Score | undefined {
  const twice = deliveries.find(
    ({ misbehaviour, outcome, repeatsDelivered }) =>
      (misbehaviour === 'duplicate' && outcome === 'DELIVERED') ||
      (repeatsDelivered && untouched.includes(misbehaviour)),
  )
  if (!twice) return undefined
  const again = twice.misbehaviour === 'duplicate' ? twice.againStatus : twice.responseStatus
  const isAccepted = again !== null && again >= 200 && again <= 299
  const says = `An event that came a second time was answered with ${again ?? 'nothing'}.`
  return { state: isAccepted ? 'done' : 'failed', evidence: at(twice, says) }
}

function answerTo({ type, responseStatus, reason }: Ended): string {
  return `${type} was answered with ${responseStatus ?? `nothing (${reason})`}`
}

function at({ deliveryId, attemptedOn }: Ended, says: string) {
  return seen(says, attemptedOn, { deliveryId })
}
