import type { Logger } from 'pino'
import type { Clock } from '../vocabulary/clock.ts'

/** Work that is due once a day, whoever does it and however often: several instances may go round at once. */
export type DailyRound = { close: () => Promise<void> }

/**
 * Goes round at the start and on every new day of `clock`. A round that failed is made again.
 * @param parts `round` leaves the rest to the next one when `ending` is aborted; `failed` is logged when it throws;
 * `lookEveryMilliseconds`: how often it is looked whether a new day has begun
 */
export function startDailyRound(parts: {
  clock: Clock
  log: Logger
  round: (now: Date, ending: AbortSignal) => Promise<void>
  failed: string
  lookEveryMilliseconds?: number
}): DailyRound {
  const ending = new AbortController()
  let dayDone: string | undefined
  let running: Promise<void> = Promise.resolve()

  async function roundOfDay(): Promise<void> {
    const now = parts.clock()
    const day = now.toISOString().slice(0, 10)
    if (day === dayDone) return
    await parts.round(now, ending.signal)
    dayDone = day
  }

  function look(): void {
    running = running.then(roundOfDay).catch((error: Error) => parts.log.warn({ error: error.message }, parts.failed))
  }

  look()
  const timer = setInterval(look, parts.lookEveryMilliseconds ?? 60_000)
  return {
    close: async () => {
      clearInterval(timer)
      ending.abort()
      await running
    },
  }
}
