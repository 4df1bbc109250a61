import type { Logger } from 'pino'
import { inTime } from '../vocabulary/in-time.ts'
import { Outage } from '../vocabulary/outage.ts'
import type { Queries } from './database.ts'
import type { Sql } from './sql.ts'

/** Longer than a read takes, and short enough for the primary to answer in time instead. */
const answerMillisecondsMax = 500
/** How long a failed replica is not used. */
const restMilliseconds = 5_000

/**
 * Reads that may lag: a replica answers them, and the primary whenever the replica cannot, for any reason. A replica
 * that is gone or hangs is not used for a while, so that only the first reads wait for it.
 * @param parts `monotonic` counts milliseconds and is never set back
 */
export function replicaReads(parts: {
  primary: Queries
  replica: Queries
  monotonic: () => number
  log: Logger
}): Queries {
  const { primary, replica, monotonic, log } = parts
  let restsUntil = -Infinity

  async function rows<Row>(query: Sql): Promise<Row[]> {
    if (monotonic() < restsUntil) return primary.rows<Row>(query)
    try {
      return await inTime(replica.rows<Row>(query), answerMillisecondsMax, 'the database replica')
    } catch (error) {
      // Any other error concerns this one statement, such as a cancellation by replay; the primary can answer it.
      if (error instanceof Outage) restsUntil = monotonic() + restMilliseconds
      log.warn({ error: (error as Error).message }, 'the database replica did not answer; using the primary')
      return primary.rows<Row>(query)
    }
  }

  return { rows, row: async <Row>(query: Sql) => (await rows<Row>(query))[0] }
}
