import type { Database } from '../../src/database/database.ts'
import { sql } from '../../src/database/sql.ts'
import { until } from './webhooks.ts'

/** How many statements that contain `text` wait for a lock in this database. */
export async function lockWaits({ statements }: Pick<Database, 'statements'>, text = ''): Promise<number> {
  const row = await statements.row<{ count: number }>(sql`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and position(${text}::text in query) > 0`)
  return row!.count
}

/** Resolves when a statement that contains `text` waits for a lock. */
export function lockWait(database: Pick<Database, 'statements'>, text: string): Promise<void> {
  return until(async () => (await lockWaits(database, text)) > 0)
}
