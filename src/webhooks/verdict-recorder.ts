import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { DeliveryOutcome, DeliveryReason } from './deliveries.ts'

/**
 * Writes down what became of deliveries, many with one statement. What could not be written is kept and tried again: a
 * verdict that is lost means a second attempt. Once a delivery has an outcome it keeps it.
 */
export type VerdictRecorder = {
  record: (ended: EndedDelivery) => void
  /** writes what is left; gives up, with a warning, when the database does not take it */
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
}

const gatherMilliseconds = 5
const retryMilliseconds = 500

/** @param parts `recorded` is told each outcome that was written down */
export function createVerdictRecorder(parts: {
  database: Database
  log: Logger
  recorded?: (outcome: DeliveryOutcome) => void
}): VerdictRecorder {
  const { database, log } = parts
  let waiting: EndedDelivery[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined

  function writeIn(milliseconds: number): void {
    timer ??= setTimeout(() => {
      timer = undefined
      writing ??= write().finally(() => (writing = undefined))
    }, milliseconds)
  }

  async function write(): Promise<void> {
    const ended = waiting
    waiting = []
    try {
      await writeDown(ended)
      if (waiting.length > 0) writeIn(0)
    } catch (error) {
      waiting = [...ended, ...waiting]
      log.warn({ err: error, deliveries: ended.length }, 'outcomes of deliveries were not written; trying again soon')
      writeIn(retryMilliseconds)
    }
  }

  async function writeDown(ended: readonly EndedDelivery[]): Promise<void> {
    // primary key of webhook_delivery
    await database.statements.rows(sql`
      update webhook_delivery delivery
      set outcome = ended.outcome, reason = ended.reason, response_status = ended.response_status,
        duration_milliseconds = ended.duration_milliseconds, response_excerpt = ended.response_excerpt,
        attempted_on = ended.attempted_on, leased_until = null
      from unnest(
        ${ended.map((each) => each.deliveryId)}::bigint[],
        ${ended.map((each) => each.outcome)}::text[],
        ${ended.map((each) => each.reason)}::text[],
        ${ended.map((each) => each.status)}::int[],
        ${ended.map((each) => each.durationMilliseconds)}::int[],
        ${ended.map((each) => each.responseExcerpt)}::text[],
        ${ended.map((each) => each.attemptedOn)}::timestamptz[]
      ) as ended
        (delivery_id, outcome, reason, response_status, duration_milliseconds, response_excerpt, attempted_on)
      where delivery.delivery_id = ended.delivery_id and delivery.outcome is null`)
    for (const each of ended) parts.recorded?.(each.outcome)
  }

  return {
    record: (ended) => {
      waiting.push(ended)
      if (!writing) writeIn(gatherMilliseconds)
    },
    close: async () => {
      await writing
      clearTimeout(timer)
      if (waiting.length === 0) return
      await writeDown(waiting).catch((error: Error) =>
        log.warn(
          { err: error, deliveries: waiting.length },
          'outcomes of deliveries were not written; they will be attempted again',
        ),
      )
    },
  }
}
