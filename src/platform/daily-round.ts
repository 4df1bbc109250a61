import type { Logger } from 'pino'
import { startWorker, type RunningWorker } from '../database/worker.ts'
import type { Clock } from '../vocabulary/clock.ts'

/** Work that is due once a day and may be repeated: several instances may do a round at once. */
export type DailyRound = RunningWorker

/**
 * Does a round at the start and on every new day of `clock`. A failed round is repeated.
 * @param parts `round` leaves the rest to the next one when `ending` is aborted; `failed` is logged when it throws;
 * `lookEveryMilliseconds`: how often it checks whether a new day has begun
 */
export function startDailyRound(parts: {
  clock: Clock
  log: Logger
  round: (now: Date, ending: AbortSignal) => Promise<void>
  failed: string
  lookEveryMilliseconds?: number
}): DailyRound {
  let dayDone: string | undefined
  return startWorker({
    log: parts.log,
    failed: parts.failed,
    pollMilliseconds: parts.lookEveryMilliseconds ?? 60_000,
    round: async ({ closing }) => {
      const now = parts.clock()
      const day = now.toISOString().slice(0, 10)
      if (day !== dayDone) await parts.round(now, closing)
      dayDone = day
    },
  })
}
