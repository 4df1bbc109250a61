import type { Logger } from 'pino'
import { startDailyRound, type DailyRound } from '../platform/daily-round.ts'
import type { Clock } from '../vocabulary/clock.ts'

/**
 * One kind of thing that is kept for a time only. `forget` stands beside the owner of its table; it removes what became
 * outdated `before` an instant, in batches so small that nobody waits, and answers how many there were. It leaves the rest
 * to the next round when `ending` is aborted.
 */
export type KeptForATime = {
  what: string
  hours: number
  forget: (before: Date, ending?: AbortSignal) => Promise<number>
}

/**
 * One round, in the order of the list. Several instances may go round at once, and one that died has lost nothing.
 * @returns how many of each were removed
 * @throws Outage; what was removed until then stays removed
 */
export async function removeOutdated(
  kinds: readonly KeptForATime[],
  now: Date,
  ending?: AbortSignal,
): Promise<Record<string, number>> {
  const removed: Record<string, number> = {}
  for (const { what, hours, forget } of kinds) {
    removed[what] = await forget(new Date(now.getTime() - hours * 3_600_000), ending)
  }
  return removed
}

/** @param parts `lookEveryMilliseconds`: how often it looks whether a new day has begun */
export function startRetention(parts: {
  keptForATime: readonly KeptForATime[]
  clock: Clock
  log: Logger
  lookEveryMilliseconds?: number
}): DailyRound {
  return startDailyRound({
    ...parts,
    failed: 'what is outdated was not removed; trying again soon',
    round: async (now, ending) => {
      const removed = await removeOutdated(parts.keptForATime, now, ending)
      if (Object.values(removed).some((count) => count > 0)) parts.log.info(removed, 'what was outdated is removed')
    },
  })
}
