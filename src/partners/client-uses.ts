import type { Queries } from '../database/database.ts'
import { sql } from '../database/sql.ts'

/**
 * Writes when app clients were last used. Skips rows that another instance is writing: it writes about the same minute.
 */
export async function writeLastUses(statements: Queries, uses: ReadonlyMap<string, Date>): Promise<void> {
  await statements.rows(sql`
    with used as (
      select client_id, used_on
      from unnest(${[...uses.keys()]}::text[], ${[...uses.values()]}::timestamptz[]) as used(client_id, used_on)
    ), locked as (
      select client_id from app_client where client_id in (select client_id from used) for update skip locked
    )
    update app_client set last_used_on = greatest(app_client.last_used_on, used.used_on)
    from used join locked using (client_id)
    where app_client.client_id = used.client_id`)
}
