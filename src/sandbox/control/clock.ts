import { setTimeout as pause } from 'node:timers/promises'
import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { Outage } from '../../vocabulary/outage.ts'
import { isDue } from '../due-orders.ts'
import { advanceClock } from '../partner-clock.ts'
import type { control } from './contract.ts'
import type { ControlParts } from './parts.ts'

/** How long an advance waits for the steps that it made due. */
const settleMilliseconds = 15_000
const lookMilliseconds = 50

type Parts = Pick<ControlParts, 'database' | 'realClock' | 'partnerTime'>

export function getSandboxClock({ realClock, partnerTime }: Parts): Handler<typeof control.getSandboxClock> {
  return async ({ caller }) => {
    // One reading for both clocks, so that the duration of the call does not count as a difference.
    const realNow = realClock()
    return { status: 200, body: clockView(await partnerTime(caller.partnerId, realNow), realNow) }
  }
}

export function advanceSandboxClock({ database, realClock }: Parts): Handler<typeof control.advanceSandboxClock> {
  return async ({ caller, body, change, inTime, refuse }) => {
    const { partnerId } = caller
    const minutes = (body.days ?? 0) * 1_440 + (body.hours ?? 0) * 60 + (body.minutes ?? 0)
    const advanced = await inTime(database.change((tx) => advanceClock(tx, change, partnerId, minutes * 60_000)))
    if ('refused' in advanced) throw refuse(advanced.refused)
    const settled = await settle(database, partnerId, realClock)
    const realNow = realClock()
    const ownNow = new Date(realNow.getTime() + advanced.done.aheadMilliseconds)
    return { status: 200, body: { ...clockView(ownNow, realNow), settled } }
  }
}

function clockView(now: Date, realNow: Date) {
  return {
    now: now.toISOString(),
    worldNow: realNow.toISOString(),
    aheadSeconds: Math.round((now.getTime() - realNow.getTime()) / 1_000),
  }
}

/** Waits until no step is due. The clock stays ahead even if the wait times out. */
async function settle(database: Database, partnerId: string, clock: ControlParts['realClock']): Promise<boolean> {
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
