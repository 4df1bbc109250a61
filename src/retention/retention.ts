import type { Logger } from 'pino'
import { startDailyRound, type DailyRound } from '../platform/daily-round.ts'
import type { Clock } from '../vocabulary/clock.ts'

/**
 * One kind of data that is kept for a limited time. `forget` is defined beside the owner of its table. It removes rows
 * that became outdated `before` an instant and answers how many. Its batches are so small that no other work waits.
 * When `ending` is aborted, it leaves the rest to the next round.
 */
export type KeptForATime = {
  what: string
  hours: number
  forget: (before: Date, ending?: AbortSignal) => Promise<number>
}

/**
 * One round, in the order of the list. Several instances may run at once, and an instance that dies loses nothing.
 * @returns how many of each kind were removed
 * @throws Outage; what was removed before it stays removed
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

/**
 * @param parts `before`: what is done before anything is removed; `lookEveryMilliseconds`: how often it checks whether a
 * new day has begun
 */
export function startRetention(parts: {
  keptForATime: readonly KeptForATime[]
  before?: ((ending: AbortSignal) => Promise<void>) | undefined
  clock: Clock
  log: Logger
  lookEveryMilliseconds?: number
}): DailyRound {
  return startDailyRound({
    ...parts,
    failed: 'could not remove outdated data; trying again soon',
    round: async (now, ending) => {
      await parts.before?.(ending)
      if (ending.aborted) return
      const removed = await removeOutdated(parts.keptForATime, now, ending)
      if (Object.values(removed).some((count) => count > 0)) parts.log.info(removed, 'removed outdated data')
    },
  })
}
