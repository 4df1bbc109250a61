import type { Logger } from 'pino'
import type { Queries } from './database.ts'
import { sql } from './sql.ts'
import { startWorker, type RunningWorker } from './worker.ts'

/** Its row tells whether the last try to archive went well. No row: nothing is archived, or nothing was tried. */
export const archiveWorks = sql`
  select coalesce(last_archived_time > last_failed_time, last_failed_time is null) as works from pg_stat_archiver
  where current_setting('archive_mode') <> 'off' and coalesce(last_archived_time, last_failed_time) is not null`

/**
 * Whether the database's last try to archive a segment of its write-ahead log went well; undefined where it archives
 * nothing or has not tried. While it fails, the log grows, and no later moment can be restored.
 * @throws Outage
 */
export async function readArchiveWorks(reads: Queries): Promise<boolean | undefined> {
  return (await reads.row<{ works: boolean }>(archiveWorks))?.works
}

/**
 * Tells the log when archiving begins to fail and when it goes on, also where nobody reads the metrics.
 * @param causeIn where PostgreSQL itself says why
 */
export function tellOfArchive(parts: {
  reads: Queries
  causeIn: string
  log: Logger
  pollMilliseconds?: number
}): RunningWorker {
  const { reads, causeIn, log, pollMilliseconds = 30_000 } = parts
  let worked = true
  return startWorker({
    log,
    failed: 'it could not be seen whether PostgreSQL archives its WAL; trying again soon',
    pollMilliseconds,
    round: async () => {
      // That a database is away is told elsewhere.
      const works = (await readArchiveWorks(reads).catch(() => undefined)) ?? worked
      if (worked && !works) log.error(`PostgreSQL cannot archive its WAL; ${causeIn} says why`)
      if (works && !worked) log.info('PostgreSQL archives its WAL again')
      worked = works
      return false
    },
  })
}
