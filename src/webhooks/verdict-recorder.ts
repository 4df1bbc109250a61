import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { startWorker } from '../database/worker.ts'
import type { Verdict } from './attempt.ts'
import type { DeliveryOutcome } from '../vocabulary/sending-outcomes.ts'
import type { DeliveryReason } from './deliveries.ts'

/**
 * Writes the outcomes of deliveries in batches. Outcomes that could not be written are kept and tried again, because a
 * lost outcome means a second attempt. A delivery that has an outcome keeps it.
 */
export type VerdictRecorder = {
  record: (ended: EndedDelivery) => void
  /** writes the remaining outcomes; gives up with a warning if the database fails */
  close: () => Promise<void>
}

export type EndedDelivery = {
  deliveryId: number
  outcome: DeliveryOutcome
  reason: DeliveryReason | null
  status: number | null
  durationMilliseconds: number | null
  responseExcerpt: string | null
  /** null = no attempt was made */
  attemptedOn: Date | null
  onPurpose?: Verdict['onPurpose']
}

const gatherMilliseconds = 5
const retryMilliseconds = 500

/** @param parts `recorded` is called with each outcome that was written */
export function createVerdictRecorder(parts: {
  database: Database
  log: Logger
  recorded?: (outcome: DeliveryOutcome) => void
}): VerdictRecorder {
  const { database, log } = parts
  let waiting: EndedDelivery[] = []

  async function writeWaiting(): Promise<void> {
    if (waiting.length === 0) return
    const ended = waiting
    waiting = []
    try {
      await write(ended)
    } catch (error) {
      waiting = [...ended, ...waiting]
      throw error
    }
    for (const each of ended) parts.recorded?.(each.outcome)
  }

  async function write(ended: readonly EndedDelivery[]): Promise<void> {
    // primary key of webhook_delivery
    await database.statements.rows(sql`
      update webhook_delivery delivery
      set outcome = ended.outcome, reason = ended.reason, response_status = ended.response_status,
        duration_milliseconds = ended.duration_milliseconds, response_excerpt = ended.response_excerpt,
        attempted_on = ended.attempted_on, misbehaviour = ended.misbehaviour, again_status = ended.again_status,
        leased_until = null
      from unnest(
        ${ended.map((each) => each.deliveryId)}::bigint[],
        ${ended.map((each) => each.outcome)}::text[],
        ${ended.map((each) => each.reason)}::text[],
        ${ended.map((each) => each.status)}::int[],
        ${ended.map((each) => each.durationMilliseconds)}::int[],
        ${ended.map((each) => each.responseExcerpt)}::text[],
        ${ended.map((each) => each.attemptedOn)}::timestamptz[],
        ${ended.map((each) => each.onPurpose?.misbehaviour ?? null)}::text[],
        ${ended.map((each) => each.onPurpose?.againStatus ?? null)}::int[]
      ) as ended
        (delivery_id, outcome, reason, response_status, duration_milliseconds, response_excerpt, attempted_on,
          misbehaviour, again_status)
      where delivery.delivery_id = ended.delivery_id and delivery.outcome is null`)
  }

  const worker = startWorker({
    log,
    failed: 'outcomes of deliveries were not written; trying again soon',
    pollMilliseconds: retryMilliseconds,
    gatherMilliseconds,
    round: writeWaiting,
  })

  return {
    record: (ended) => {
      waiting.push(ended)
      worker.wake()
    },
    close: async () => {
      await worker.close()
      await writeWaiting().catch((error: Error) =>
        log.warn(
          { err: error, deliveries: waiting.length },
          'outcomes of deliveries were not written; they will be attempted again',
        ),
      )
    },
  }
}
