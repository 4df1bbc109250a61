import type { Queries, Transaction } from '../../database/database.ts'
import { batchMax, inBatches } from '../../database/in-batches.ts'
import { sql } from '../../database/sql.ts'

/** How long events are kept after their fan-out. */
export const eventHours = 30 * 24

/** Removes the events that were fanned out before an instant. Deliveries that wait for an attempt are kept. */
export async function forgetEvents(statements: Queries, before: Date, ending?: AbortSignal): Promise<number> {
  return inBatches(
    () =>
      // event_fanned_out
      statements.rows(sql`
        delete from event where event_id in (
          select event_id from event
          where fanned_out_on < ${before}
          order by fanned_out_on
          limit ${batchMax}
          for update skip locked
        )
        returning event_id`),
    ending,
  )
}

export async function forgetEventsOf(tx: Transaction, orderNumbers: readonly number[]): Promise<void> {
  await tx.rows(sql`delete from event where order_number = any(${orderNumbers}::bigint[])`)
}
