import type { Logger } from 'pino'
import { inTime } from '../vocabulary/in-time.ts'
import { Outage } from '../vocabulary/outage.ts'
import type { Database, Queries } from './database.ts'
import type { Sql } from './sql.ts'

/** Longer than a read takes, and short enough for the primary to answer in time instead. */
const answerMillisecondsMax = 500
/** How long a failed replica is not used. */
const restMilliseconds = 5_000

/** Reads that may lag, of one record and of lists. */
export type LaggingReads = Pick<Database, 'reads' | 'lists'>

/**
 * Reads that may lag: a replica answers them, and the primary whenever the replica cannot, for any reason. A replica
 * that is gone or hangs is not used for a while, so that only the first reads wait for it.
 * @param parts `monotonic` counts milliseconds and is never set back; `noteUse` is told how each use of the replica went
 */
export function replicaReads(parts: {
  primary: LaggingReads
  replica: LaggingReads
  monotonic: () => number
  noteUse?: (isUp: boolean) => void
  log: Logger
}): LaggingReads {
  const { monotonic, noteUse, log } = parts
  let restsUntil = -Infinity

  async function rows<Row>(of: keyof LaggingReads, query: Sql): Promise<Row[]> {
    const primary = parts.primary[of]
    if (monotonic() < restsUntil) return primary.rows<Row>(query)
    try {
      const found = await inTime(parts.replica[of].rows<Row>(query), answerMillisecondsMax, 'the database replica')
      noteUse?.(true)
      return found
    } catch (error) {
      // Any other error concerns this one statement, such as a cancellation by replay; the primary can answer it.
      if (error instanceof Outage) {
        restsUntil = monotonic() + restMilliseconds
        noteUse?.(false)
      }
      log.warn({ error: (error as Error).message }, 'the database replica did not answer; using the primary')
      return primary.rows<Row>(query)
    }
  }

  const queries = (of: keyof LaggingReads): Queries => ({
    rows: <Row>(query: Sql) => rows<Row>(of, query),
    row: async <Row>(query: Sql) => (await rows<Row>(of, query))[0],
  })
  return { reads: queries('reads'), lists: queries('lists') }
}
