import type { Database, Queries, Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import type { Change } from '../vocabulary/change.ts'
import type { PartnerTime } from '../vocabulary/clock.ts'

/**
 * The clocks of the sandbox's partners. Each runs as the world's does and may be put ahead of it, never back, so that
 * nothing that happened comes to lie in the future. Orders are dated by it. Tokens, limits, links, signatures and the
 * records of deliveries are not: whoever checks those has only the world's time.
 */

/** Ten years: beyond them nothing new could be seen. */
const aheadMillisecondsMax = 3_653 * 86_400_000

/** Asked anew each time, since every instance must see the same clock at once. */
export function partnerTime(reads: Queries): PartnerTime {
  return async (partnerId, now) => {
    const row = await reads.row<{ aheadMilliseconds: number }>(sql`
      select ahead_milliseconds from sandbox_clock where partner_id = ${partnerId}`)
    return new Date(now.getTime() + (row?.aheadMilliseconds ?? 0))
  }
}

/** @returns how far the clock is ahead now, or a refusal when it would be too far */
export async function advanceClock(
  database: Database,
  partnerId: string,
  milliseconds: number,
  change: Change,
): Promise<{ aheadMilliseconds: number } | { refused: 'too_far_ahead' }> {
  return database.transaction(async (tx) => {
    const row = await tx.row<{ aheadMilliseconds: number }>(sql`
      insert into sandbox_clock (partner_id, ahead_milliseconds)
      select ${partnerId}, ${milliseconds}::bigint where ${milliseconds}::bigint <= ${aheadMillisecondsMax}::bigint
      on conflict (partner_id) do update
        set ahead_milliseconds = sandbox_clock.ahead_milliseconds + excluded.ahead_milliseconds
        where sandbox_clock.ahead_milliseconds + excluded.ahead_milliseconds <= ${aheadMillisecondsMax}::bigint
      returning ahead_milliseconds`)
    if (!row) return { refused: 'too_far_ahead' }
    await recordAudit(tx, change, {
      action: 'sandbox_clock.advanced',
      subject: { kind: 'partner', id: partnerId },
      siteId: null,
      detail: { milliseconds },
    })
    return { aheadMilliseconds: row.aheadMilliseconds }
  })
}

export async function forgetClock(tx: Transaction, partnerId: string): Promise<void> {
  await tx.rows(sql`delete from sandbox_clock where partner_id = ${partnerId}`)
}
