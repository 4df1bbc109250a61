import type { Queries } from './database.ts'
import { sql } from './sql.ts'

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
