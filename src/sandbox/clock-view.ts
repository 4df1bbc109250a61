import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { Clock } from '../vocabulary/clock.ts'
import { Outage } from '../vocabulary/outage.ts'
import { isDue } from './due-orders.ts'

/** How long an advance of a clock waits for the steps that it made due. */
const settleMilliseconds = 15_000
const lookMilliseconds = 50

/** A partner's clock as it is shown. */
export function clockView(now: Date, realNow: Date) {
  return {
    now: now.toISOString(),
    worldNow: realNow.toISOString(),
    aheadSeconds: Math.round((now.getTime() - realNow.getTime()) / 1_000),
  }
}

/** How far a clock is to be put ahead. */
export function millisecondsOf(by: {
  days?: number | undefined
  hours?: number | undefined
  minutes?: number | undefined
}): number {
  return ((by.days ?? 0) * 1_440 + (by.hours ?? 0) * 60 + (by.minutes ?? 0)) * 60_000
}

/** Waits until no step of the partner's orders is due. The clock stays ahead even if the wait times out. */
export async function settle(database: Database, partnerId: string, clock: Clock): Promise<boolean> {
  const deadline = performance.now() + settleMilliseconds
  do {
    try {
      if (!(await hasDue(database, partnerId, clock()))) return true
    } catch (error) {
      if (!(error instanceof Outage)) throw error
    }
    await pause(lookMilliseconds)
  } while (performance.now() < deadline)
  return false
}

/** Served by sandbox_order_by_partner and the primary keys of orders and sandbox_clock. */
async function hasDue(database: Database, partnerId: string, now: Date): Promise<boolean> {
  const row = await database.reads.row(sql`
    select from sandbox_order simulated
    join orders using (order_number)
    left join sandbox_clock on sandbox_clock.partner_id = simulated.partner_id
    where simulated.partner_id = ${partnerId} and (simulated.leased_until > now() or ${isDue(now)})
    limit 1`)
  return row !== undefined
}
