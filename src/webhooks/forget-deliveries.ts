import type { Queries } from '../database/database.ts'
import { batchMax } from '../database/in-batches.ts'
import { sql } from '../database/sql.ts'

/**
 * Removes the deliveries made before an instant, except those that still wait for their attempt. Walks the
 * primary key, which ascends with age: an index by age would slow the insert of every delivery.
 */
export async function forgetDeliveries(statements: Queries, before: Date, ending?: AbortSignal): Promise<number> {
  let removed = 0
  let last: number | null = 0
  while (last !== null && !ending?.aborted) {
    const batch: { last: number | null; removed: number } | undefined = await statements.row(sql`
      with oldest as (
        select delivery_id, created_on, outcome from webhook_delivery
        where delivery_id > ${last}::bigint
        order by delivery_id
        limit ${batchMax}
        for update skip locked
      ), gone as (
        delete from webhook_delivery using oldest
        where webhook_delivery.delivery_id = oldest.delivery_id
          and oldest.outcome is not null and oldest.created_on < ${before}::timestamptz
        returning webhook_delivery.delivery_id
      )
      select case when bool_and(created_on < ${before}::timestamptz) then max(delivery_id) end as last,
        (select count(*) from gone) as removed
      from oldest`)
    removed += batch!.removed
    last = batch!.last
  }
  return removed
}
