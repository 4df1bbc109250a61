import type { ClientBase } from 'pg'
import { insertion, type Row } from '../database/rows.ts'
import { sql } from '../database/sql.ts'

/** Rows by table, in the order in which the tables can be filled. */
export type Tables = readonly (readonly [table: string, rows: readonly Row[]])[]

const rowsPerStatementMax = 5_000

/**
 * Inserts many rows with few statements. A table named twice is filled where it is first named. `tellDone` gets the share
 * of all rows, up to 1.
 */
export async function insertTables(
  client: ClientBase,
  tables: Tables,
  tellDone: (share: number) => void = () => {},
): Promise<void> {
  const total = tables.reduce((sum, [, rows]) => sum + rows.length, 0)
  let inserted = 0
  for (const [table, parts] of Map.groupBy(tables, ([name]) => name)) {
    const rows = parts.flatMap(([, some]) => some)
    for (let start = 0; start < rows.length; start += rowsPerStatementMax) {
      const { text, values } = sql`${insertion(table, rows.slice(start, start + rowsPerStatementMax))}`
      await client.query(text, [...values])
      inserted += Math.min(rowsPerStatementMax, rows.length - start)
      tellDone(inserted / total)
    }
    // The foreign keys of the next tables are checked against this one, and without statistics along the wrong index.
    await client.query(`analyze ${table}`)
  }
}
