import type { Queries, Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import type { Change } from '../vocabulary/change.ts'
import type { PartnerTime } from '../vocabulary/clock.ts'
import type { Done, Refused } from '../vocabulary/outcome.ts'
import { dueChannel } from './simulator.ts'

/**
 * The clocks of the sandbox's partners. A clock runs at the speed of real time and may be put ahead of it, but never
 * back, so that no past event comes to lie in the future. It dates orders. Tokens, limits, links, signatures and the
 * records of deliveries use real time, since those who check them know no other.
 */

/** Ten years: beyond them a partner sees nothing new. */
const aheadMillisecondsMax = 3_653 * 86_400_000

/** Read from the database each time, since all instances must see a change at once. */
export function partnerTime(reads: Queries): PartnerTime {
  return async (partnerId, now) => {
    const row = await reads.row<{ aheadMilliseconds: number }>(sql`
      select ahead_milliseconds from sandbox_clock where partner_id = ${partnerId}`)
    return new Date(now.getTime() + (row?.aheadMilliseconds ?? 0))
  }
}

/** Puts the partner's clock further ahead; the answer is how far ahead of real time it is then. */
export async function advanceClock(
  tx: Transaction,
  change: Change,
  partnerId: string,
  milliseconds: number,
): Promise<Done<{ aheadMilliseconds: number }> | Refused<'clock_too_far_ahead'>> {
  const advanced = await tx.row<{ aheadMilliseconds: number }>(sql`
    insert into sandbox_clock (partner_id, ahead_milliseconds)
    select ${partnerId}, ${milliseconds}::bigint where ${milliseconds}::bigint <= ${aheadMillisecondsMax}::bigint
    on conflict (partner_id) do update
      set ahead_milliseconds = sandbox_clock.ahead_milliseconds + excluded.ahead_milliseconds
      where sandbox_clock.ahead_milliseconds + excluded.ahead_milliseconds <= ${aheadMillisecondsMax}::bigint
    returning ahead_milliseconds`)
  if (!advanced) return { refused: 'clock_too_far_ahead' }
  await recordAudit(tx, change, {
    action: 'sandbox_clock.advanced',
    subject: { kind: 'partner', id: partnerId },
    siteId: null,
    detail: { milliseconds },
  })
  tx.hint(dueChannel)
  return { done: advanced }
}

export async function forgetClock(tx: Transaction, partnerId: string): Promise<void> {
  await tx.rows(sql`delete from sandbox_clock where partner_id = ${partnerId}`)
}
