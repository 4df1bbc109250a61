import type { Queries } from '../database/database.ts'
import { sql } from '../database/sql.ts'

/**
 * When the newest backup of a PostgreSQL of one's own began. Whatever takes it notes that in the database, as the setting
 * `partner_commerce.backup_start_timestamp_seconds` of it. undefined = nothing was ever noted
 * @throws Outage
 */
export async function notedBackup(reads: Queries): Promise<Date | undefined> {
  const noted = await reads.row<{ seconds: string }>(sql`
    select split_part(setting, '=', 2) as seconds
    from pg_db_role_setting cross join unnest(setconfig) as setting
    where setdatabase = (select oid from pg_database where datname = current_database()) and setrole = 0
      and split_part(setting, '=', 1) = 'partner_commerce.backup_start_timestamp_seconds'`)
  const seconds = Number(noted?.seconds)
  return Number.isFinite(seconds) ? new Date(seconds * 1_000) : undefined
}
