import type { Logger } from 'pino'
import type { Tier } from '../../contract/caller.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { tiers } from '../../partners/tiers.ts'

/**
 * The daily quota, exact over all instances and restarts (LIM-06, LIM-07). The table `partner_quota` counts what was
 * taken out of a partner's day; an instance takes blocks ahead of need and spends them from memory, so that requests do
 * not wait. What is taken counts as used until it is given back, so an instance that dies loses at most one block and
 * the quota is never exceeded. Near the end blocks shrink to single requests.
 */
export type Spender = { partnerId: string; tier: Tier }

export type QuotaSpending = { allowed: boolean; remaining: number }

export type DailyQuota = {
  /** true when the day's quota is known to be spent, so that nothing else need be asked */
  isSpent: (spender: Spender, now: Date) => boolean
  /** takes one request out of the quota. Rejects with Outage when a block was needed and the database cannot answer */
  spend: (spender: Spender, now: Date) => QuotaSpending | Promise<QuotaSpending>
  /** what is left of the day, not counting what other instances hold. @throws Outage */
  remaining: (spender: Spender, now: Date) => Promise<number>
  /** gives back what partners that went quiet left over, and forgets them */
  giveBackIdle: (now: Date) => void
  /** gives back everything; nothing may be spent afterwards */
  close: () => Promise<void>
}

const dayMilliseconds = 86_400_000
const idleAfterMilliseconds = 30_000
/** Another instance may give something back, so a quota found spent is looked at again. */
const askAgainAfterMilliseconds = 1000
/** A block is at most this part of what is left, so that little is held elsewhere when the last requests are spent. */
const shrinkingDivisor = 4

/** What this instance holds of one partner's day. */
type Hold = {
  tier: Tier
  day: number
  left: number
  /** left in the table when last seen */
  free: number
  seenAt: number
  usedAt: number
  /** the one statement under way for this hold */
  pending: Promise<void> | undefined
}

function quotaDay(now: Date): number {
  return Math.floor(now.getTime() / dayMilliseconds)
}

/** The next 00:00 UTC. */
export function quotaResetsOn(now: Date): Date {
  return new Date((quotaDay(now) + 1) * dayMilliseconds)
}

export function dailyQuota({ database, log }: { database: Database; log: Logger }): DailyQuota {
  const holds = new Map<string, Hold>()
  const givingBack = new Set<Promise<void>>()

  function holdOf({ partnerId, tier }: Spender, now: Date): Hold {
    const day = quotaDay(now)
    const instant = now.getTime()
    const known = holds.get(partnerId)
    if (known && known.day === day && known.tier === tier) {
      known.usedAt = instant
      return known
    }
    if (known) giveBack(partnerId, known)
    const hold: Hold = { tier, day, left: 0, free: Infinity, seenAt: 0, usedAt: instant, pending: undefined }
    holds.set(partnerId, hold)
    return hold
  }

  /** The block a tier's instance holds at most: as large as a burst, which then never outruns it. */
  const blockOf = (hold: Hold): number => tiers[hold.tier].burst

  /** Fills the hold up to a block. At most one statement runs per hold. */
  function fill(partnerId: string, hold: Hold, now: Date): Promise<void> {
    return (hold.pending ??= take(partnerId, hold, now).finally(() => (hold.pending = undefined)))
  }

  async function take(partnerId: string, hold: Hold, now: Date): Promise<void> {
    const quota = tiers[hold.tier].dailyQuota
    const wanted = blockOf(hold) - hold.left
    const row = await database.statements.row<{ taken: number; lastBlock: number }>(sql`
      insert into partner_quota (partner_id, day, taken, last_block)
      values (${partnerId}, ${dayText(hold.day)}, ${wanted}::int, ${wanted}::int)
      on conflict (partner_id, day) do update set
        taken = partner_quota.taken
          + least(${wanted}::int, greatest(1, (${quota}::int - partner_quota.taken) / ${shrinkingDivisor}::int)),
        last_block = least(${wanted}::int, greatest(1, (${quota}::int - partner_quota.taken) / ${shrinkingDivisor}::int))
      where partner_quota.taken < ${quota}::int
      returning taken, last_block`)
    hold.left += row?.lastBlock ?? 0
    hold.free = row ? quota - row.taken : 0
    hold.seenAt = now.getTime()
  }

  /** A hold that was replaced meanwhile, by a new day or tier, keeps nothing once those who waited for it are served. */
  function giveBackReplaced(partnerId: string, hold: Hold): void {
    if (holds.get(partnerId) !== hold) giveBack(partnerId, hold)
  }

  /** Never repeated: whether a failed statement took effect is unknown, and giving back twice would exceed the quota. */
  function giveBack(partnerId: string, hold: Hold): void {
    const count = hold.left
    hold.left = 0
    if (count === 0) return
    const statement = database.statements
      .rows(sql`
        update partner_quota set taken = taken - ${count}::int
        where partner_id = ${partnerId} and day = ${dayText(hold.day)}`)
      .then(
        () => undefined,
        (error: Error) => log.warn({ error: error.message, partnerId, count }, 'unused quota was not given back'),
      )
      .finally(() => givingBack.delete(statement))
    givingBack.add(statement)
  }

  function isSpent(spender: Spender, now: Date): boolean {
    const hold = holdOf(spender, now)
    return hold.left === 0 && hold.free === 0 && sinceSeen(hold, now) < askAgainAfterMilliseconds
  }

  const sinceSeen = (hold: Hold, now: Date): number => Math.abs(now.getTime() - hold.seenAt)

  async function spendAfterFilling({ partnerId }: Spender, hold: Hold, now: Date): Promise<QuotaSpending> {
    do {
      await fill(partnerId, hold, now)
      if (hold.left > 0) {
        const spending = spendOne(hold)
        giveBackReplaced(partnerId, hold)
        return spending
      }
    } while (hold.free > 0)
    return { allowed: false, remaining: 0 }
  }

  const isHalfSpent = (hold: Hold): boolean => hold.left <= blockOf(hold) / 2

  /** Goes on until the next burst is covered too; not near the end, where one instance must not hoard what is left. */
  async function fillAhead({ partnerId }: Spender, hold: Hold, now: Date): Promise<void> {
    try {
      do {
        await fill(partnerId, hold, now)
      } while (isHalfSpent(hold) && hold.free >= shrinkingDivisor * blockOf(hold) && holds.get(partnerId) === hold)
      giveBackReplaced(partnerId, hold)
    } catch (error) {
      log.warn({ error: (error as Error).message, partnerId }, 'a block of quota was not taken')
    }
  }

  function spendOne(hold: Hold): QuotaSpending {
    hold.left--
    return { allowed: true, remaining: hold.left + hold.free }
  }

  return {
    isSpent,
    spend: (spender, now) => {
      const hold = holdOf(spender, now)
      if (hold.left === 0) return spendAfterFilling(spender, hold, now)
      const spending = spendOne(hold)
      if (isHalfSpent(hold) && hold.free > 0 && !hold.pending) void fillAhead(spender, hold, now)
      return spending
    },
    remaining: async (spender, now) => {
      const hold = holdOf(spender, now)
      // What a statement under way takes is counted in the table before it is counted here.
      while (hold.pending) await hold.pending
      hold.pending = look(spender.partnerId, hold, now).finally(() => (hold.pending = undefined))
      await hold.pending
      return hold.left + hold.free
    },
    giveBackIdle: (now) => {
      for (const [partnerId, hold] of holds) {
        if (hold.pending || Math.abs(now.getTime() - hold.usedAt) < idleAfterMilliseconds) continue
        giveBack(partnerId, hold)
        holds.delete(partnerId)
      }
    },
    close: async () => {
      const pending = (): Promise<void>[] => [...holds.values()].flatMap((hold) => hold.pending ?? [])
      while (pending().length > 0) await Promise.allSettled(pending())
      for (const [partnerId, hold] of holds) giveBack(partnerId, hold)
      holds.clear()
      await Promise.all(givingBack)
    },
  }

  async function look(partnerId: string, hold: Hold, now: Date): Promise<void> {
    // primary key of partner_quota
    const row = await database.reads.row<{ taken: number }>(sql`
      select taken from partner_quota where partner_id = ${partnerId} and day = ${dayText(hold.day)}`)
    hold.free = Math.max(0, tiers[hold.tier].dailyQuota - (row?.taken ?? 0))
    hold.seenAt = now.getTime()
  }
}

function dayText(day: number): string {
  return new Date(day * dayMilliseconds).toISOString().slice(0, 10)
}
