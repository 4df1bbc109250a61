import type { Logger } from 'pino'
import type { Tier } from '../../contract/caller.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { tiers } from '../../partners/tiers.ts'

/**
 * The daily quota, exact over all instances and restarts (LIM-06, LIM-07). The table `partner_quota` counts what
 * instances have taken from a partner's day. An instance takes blocks in advance and spends them from memory, so that
 * requests do not wait. Whatever is taken counts as used until it is given back. So an instance that dies loses at most
 * one block, and the quota is never exceeded. Near the end of the quota, blocks shrink to single requests.
 */
export type Spender = { partnerId: string; tier: Tier }

export type QuotaSpending = { allowed: boolean; remaining: number }

export type DailyQuota = {
  /** true when the day's quota is known to be spent, so that nothing else needs to be checked */
  isSpent: (spender: Spender, now: Date) => boolean
  /** spends one request of the quota. Rejects with Outage when a block was needed and the database cannot answer */
  spend: (spender: Spender, now: Date) => QuotaSpending | Promise<QuotaSpending>
  /** what is left of the day, without the blocks of other instances. @throws Outage */
  remaining: (spender: Spender, now: Date) => Promise<number>
  /** gives back what quiet partners left unused, and forgets those partners */
  giveBackIdle: (now: Date) => void
  /** gives back everything; nothing may be spent afterwards */
  close: () => Promise<void>
}

const dayMilliseconds = 86_400_000
const idleAfterMilliseconds = 30_000
/** Another instance may give quota back, so a spent quota is looked up again after this long. */
const askAgainAfterMilliseconds = 1000
/**
 * A block is at most the remaining quota divided by this, so that other instances keep little when the last requests
 * are spent.
 */
const shrinkingDivisor = 4

/** What this instance has taken of one partner's day. */
type Allotment = {
  tier: Tier
  day: number
  left: number
  /** left in the table when it was last read */
  free: number
  seenAt: number
  usedAt: number
  /** the one statement under way for this allotment */
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
  const allotments = new Map<string, Allotment>()
  const givingBack = new Set<Promise<void>>()

  function allotmentOf({ partnerId, tier }: Spender, now: Date): Allotment {
    const day = quotaDay(now)
    const instant = now.getTime()
    const known = allotments.get(partnerId)
    if (known && known.day === day && known.tier === tier) {
      known.usedAt = instant
      return known
    }
    if (known) giveBack(partnerId, known)
    const allotment: Allotment = { tier, day, left: 0, free: Infinity, seenAt: 0, usedAt: instant, pending: undefined }
    allotments.set(partnerId, allotment)
    return allotment
  }

  /** The largest block of a tier: as large as a burst, so that a burst never outruns it. */
  const blockOf = (allotment: Allotment): number => tiers[allotment.tier].burst

  /** Refills the allotment up to a block. At most one statement runs per allotment. */
  function fill(partnerId: string, allotment: Allotment, now: Date): Promise<void> {
    return (allotment.pending ??= take(partnerId, allotment, now).finally(() => (allotment.pending = undefined)))
  }

  async function take(partnerId: string, allotment: Allotment, now: Date): Promise<void> {
    const quota = tiers[allotment.tier].dailyQuota
    const wanted = blockOf(allotment) - allotment.left
    const row = await database.statements.row<{ taken: number; lastBlock: number }>(sql`
      insert into partner_quota (partner_id, day, taken, last_block)
      values (${partnerId}, ${dayText(allotment.day)}, ${wanted}::int, ${wanted}::int)
      on conflict (partner_id, day) do update set
        taken = partner_quota.taken
          + least(${wanted}::int, greatest(1, (${quota}::int - partner_quota.taken) / ${shrinkingDivisor}::int)),
        last_block = least(${wanted}::int, greatest(1, (${quota}::int - partner_quota.taken) / ${shrinkingDivisor}::int))
      where partner_quota.taken < ${quota}::int
      returning taken, last_block`)
    allotment.left += row?.lastBlock ?? 0
    allotment.free = row ? quota - row.taken : 0
    allotment.seenAt = now.getTime()
  }

  /**
   * A new day or tier replaces an allotment. Once the requests that wait for the old one are served, it gives back the
   * rest.
   */
  function giveBackReplaced(partnerId: string, allotment: Allotment): void {
    if (allotments.get(partnerId) !== allotment) giveBack(partnerId, allotment)
  }

  /**
   * Never retried: it is unknown whether a failed statement took effect, and giving back twice would exceed the quota.
   */
  function giveBack(partnerId: string, allotment: Allotment): void {
    const count = allotment.left
    allotment.left = 0
    if (count === 0) return
    const statement = database.statements
      .rows(sql`
        update partner_quota set taken = taken - ${count}::int
        where partner_id = ${partnerId} and day = ${dayText(allotment.day)}`)
      .then(
        () => undefined,
        (error: Error) => log.warn({ err: error, partnerId, count }, 'could not give back unused quota'),
      )
      .finally(() => givingBack.delete(statement))
    givingBack.add(statement)
  }

  function isSpent(spender: Spender, now: Date): boolean {
    const allotment = allotmentOf(spender, now)
    return allotment.left === 0 && allotment.free === 0 && sinceSeen(allotment, now) < askAgainAfterMilliseconds
  }

  const sinceSeen = (allotment: Allotment, now: Date): number => Math.abs(now.getTime() - allotment.seenAt)

  async function spendAfterFilling({ partnerId }: Spender, allotment: Allotment, now: Date): Promise<QuotaSpending> {
    do {
      await fill(partnerId, allotment, now)
      if (allotment.left > 0) {
        const spending = spendOne(allotment)
        giveBackReplaced(partnerId, allotment)
        return spending
      }
    } while (allotment.free > 0)
    return { allowed: false, remaining: 0 }
  }

  const isHalfSpent = (allotment: Allotment): boolean => allotment.left <= blockOf(allotment) / 2

  /**
   * Refills until the next burst is covered too, except near the end of the quota, where one instance must not hoard.
   */
  async function fillAhead({ partnerId }: Spender, allotment: Allotment, now: Date): Promise<void> {
    try {
      do {
        await fill(partnerId, allotment, now)
      } while (
        isHalfSpent(allotment) &&
        allotment.free >= shrinkingDivisor * blockOf(allotment) &&
        allotments.get(partnerId) === allotment
      )
      giveBackReplaced(partnerId, allotment)
    } catch (error) {
      log.warn({ err: error, partnerId }, 'could not take a block of quota')
    }
  }

  function spendOne(allotment: Allotment): QuotaSpending {
    allotment.left--
    return { allowed: true, remaining: allotment.left + allotment.free }
  }

  return {
    isSpent,
    spend: (spender, now) => {
      const allotment = allotmentOf(spender, now)
      if (allotment.left === 0) return spendAfterFilling(spender, allotment, now)
      const spending = spendOne(allotment)
      if (isHalfSpent(allotment) && allotment.free > 0 && !allotment.pending) void fillAhead(spender, allotment, now)
      return spending
    },
    remaining: async (spender, now) => {
      const allotment = allotmentOf(spender, now)
      // The table counts what a running statement takes before this instance does.
      while (allotment.pending) await allotment.pending
      allotment.pending = look(spender.partnerId, allotment, now).finally(() => (allotment.pending = undefined))
      await allotment.pending
      return allotment.left + allotment.free
    },
    giveBackIdle: (now) => {
      for (const [partnerId, allotment] of allotments) {
        if (allotment.pending || Math.abs(now.getTime() - allotment.usedAt) < idleAfterMilliseconds) continue
        giveBack(partnerId, allotment)
        allotments.delete(partnerId)
      }
    },
    close: async () => {
      const pending = (): Promise<void>[] => [...allotments.values()].flatMap((allotment) => allotment.pending ?? [])
      while (pending().length > 0) await Promise.allSettled(pending())
      for (const [partnerId, allotment] of allotments) giveBack(partnerId, allotment)
      allotments.clear()
      await Promise.all(givingBack)
    },
  }

  async function look(partnerId: string, allotment: Allotment, now: Date): Promise<void> {
    // primary key of partner_quota
    const row = await database.reads.row<{ taken: number }>(sql`
      select taken from partner_quota where partner_id = ${partnerId} and day = ${dayText(allotment.day)}`)
    allotment.free = Math.max(0, tiers[allotment.tier].dailyQuota - (row?.taken ?? 0))
    allotment.seenAt = now.getTime()
  }
}

function dayText(day: number): string {
  return new Date(day * dayMilliseconds).toISOString().slice(0, 10)
}
