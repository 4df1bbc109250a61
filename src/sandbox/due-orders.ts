import type { Queries } from '../database/database.ts'
import { sql, sqlText, type SqlPart } from '../database/sql.ts'
import type { Backlog } from '../vocabulary/backlog.ts'

/**
 * The condition of orders that the simulator has to look at: changed since its last look, with a step that is due by the
 * partner's clock, or with an inspection that has ended while a step waited for it. For queries that join `orders`,
 * `sandbox_clock` and, as `simulated`, `sandbox_order`.
 * @param now real time
 */
export function hasWork(now: Date): SqlPart {
  return sqlText`(orders.updated_on is distinct from simulated.seen_on or simulated.due_on <= ${partnersNow(now)}
    or simulated.artwork_seen <> simulated.artwork_ended)`
}

/** The same, and orders with a step that is due and waits for an inspection. */
export function isDue(now: Date): SqlPart {
  return sqlText`(${hasWork(now)} or simulated.artwork_seen is not null)`
}

function partnersNow(now: Date): SqlPart {
  return sqlText`${now}::timestamptz + make_interval(secs => coalesce(ahead_milliseconds, 0) / 1000.0)`
}

/**
 * Ages follow the partners' clocks: right after a clock is put ahead by days, steps are overdue by days. @throws Outage
 */
export function simulatorBacklog(reads: Queries, now: Date): Promise<Backlog[]> {
  return reads.rows<Backlog>(sql`
    select 'simulated_orders' as queue, count(*) as length,
      coalesce(greatest(extract(epoch from max(${partnersNow(now)} - case
        when orders.updated_on is distinct from simulated.seen_on then orders.updated_on else simulated.due_on
      end)), 0), 0)::float8 as oldest_seconds
    from sandbox_order simulated
    join orders using (order_number)
    left join sandbox_clock on sandbox_clock.partner_id = simulated.partner_id
    where ${isDue(now)}`)
}
