import type { ClientBase } from 'pg'
import { snakeCase } from '../database/names.ts'

/** One row, its columns named as in the program. Every row of a table names the same columns; columns left out take their default. */
export type Row = Readonly<Record<string, unknown>>

/** Rows by table, in the order in which the tables can be filled. */
export type Tables = readonly (readonly [table: string, rows: readonly Row[]])[]

const rowsPerStatementMax = 5_000

/**
 * Inserts many rows with few statements; a table named twice is filled where it is first named. Table and column names
 * become part of the statement's text, so they may only come from the program; the values travel as one JSON parameter,
 * dates as ISO strings and amounts as decimal strings.
 */
export async function insertTables(client: ClientBase, tables: Tables): Promise<void> {
  for (const [table, parts] of Map.groupBy(tables, ([name]) => name)) {
    const rows = parts.flatMap(([, some]) => some)
    const columns = Object.keys(rows[0] ?? {})
      .map(snakeCase)
      .join(', ')
    for (let start = 0; start < rows.length; start += rowsPerStatementMax) {
      const batch = rows.slice(start, start + rowsPerStatementMax)
      await client.query(
        `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1::json)`,
        [JSON.stringify(batch.map(asColumns))],
      )
    }
    // The foreign keys of the next tables are checked against this one, and without statistics along the wrong index.
    await client.query(`analyze ${table}`)
  }
}

function asColumns(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [snakeCase(name), value]))
}
