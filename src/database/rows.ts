import type { Queries } from './database.ts'
import { snakeCase } from './names.ts'
import { nothing, sql, SqlPart, sqlText } from './sql.ts'

/**
 * Writes many rows with one statement. A row names its columns as the program does, and the table knows their types. The
 * values travel as JSON: dates as ISO strings, amounts as decimal strings.
 */

/** One row. All rows of a table in one statement name the same columns; `undefined` is NULL, like `null`. */
export type Row = Readonly<Record<string, unknown>>

type Writing = Pick<Queries, 'rows'>

/**
 * Inserts the rows in their order. Columns they do not name take their default. Not async, so that a failure arrives before
 * those of the statements after it.
 */
export function insertRows<Returned = never>(
  queries: Writing,
  table: string,
  rows: readonly Row[],
  returning: readonly (keyof Returned & string)[] = [],
): Promise<Returned[]> {
  if (rows.length === 0) return Promise.resolve([])
  const returned = returning.length === 0 ? nothing : sqlText`returning ${columnList(returning)}`
  return queries.rows<Returned>(sql`${insertion(table, rows)} ${returned}`)
}

/** Inserts rows of several tables with one statement. Foreign keys between them are checked at its end. */
export async function insertTables(
  queries: Writing,
  tables: readonly (readonly [table: string, rows: readonly Row[]])[],
): Promise<void> {
  const filled = tables.filter(([, rows]) => rows.length > 0)
  if (filled.length === 0) return
  const parts = filled.map(
    ([table, rows], index) => sqlText`${text(index === 0 ? 'with' : ',')} part${text(String(index))} as (
      ${insertion(table, rows)})`,
  )
  await queries.rows(sql`${joined(parts)} select`)
}

/** Sets the columns the rows name, each in the row of the table that has the same `key`. */
export async function updateRows(queries: Writing, table: string, key: string, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  const set = columnsOf(Object.keys(rows[0]!).filter((name) => name !== key))
  await queries.rows(sql`
    update ${text(table)} set ${text(set.map((column) => `${column} = given.${column}`).join(', '))}
    from ${givenRows(table, rows)} as given
    where ${columnList([key], table)} = ${columnList([key], 'given')}`)
}

/** The statement that inserts the rows, or a part of one. */
export function insertion(table: string, rows: readonly Row[]): SqlPart {
  const columns = columnList(Object.keys(rows[0]!))
  return sqlText`insert into ${text(table)} (${columns}) select ${columns} from ${givenRows(table, rows)}`
}

/** The rows as a table with the columns of `table`: those the rows do not name are NULL. */
export function givenRows(table: string, rows: readonly Row[]): SqlPart {
  const names = Object.keys(rows[0]!)
  const columns = columnsOf(names)
  const json = JSON.stringify(
    rows.map((row) => {
      const values: Record<string, unknown> = {}
      names.forEach((name, index) => (values[columns[index]!] = row[name]))
      return values
    }),
  )
  return sqlText`json_populate_recordset(null::${text(table)}, ${json}::json)`
}

/** The columns as a statement lists them. @param of the table they are read from, where more than one has them */
export function columnList(names: readonly string[], of?: string): SqlPart {
  const columns = columnsOf(names)
  return text((of === undefined ? columns : columns.map((column) => `${of}.${column}`)).join(', '))
}

/** The named columns of a record, and nothing else it holds. */
export function pick<Name extends string>(record: { readonly [Key in Name]: unknown }, names: readonly Name[]): Row {
  return Object.fromEntries(names.map((name) => [name, record[name]]))
}

const columnsByNames = new Map<string, readonly string[]>()

/** Names become part of a statement's text, so anything but a plain name is refused. */
function columnsOf(names: readonly string[]): readonly string[] {
  const key = names.join()
  let columns = columnsByNames.get(key)
  if (!columns) {
    for (const name of names)
      if (!/^[a-z][A-Za-z0-9]*$/.test(name)) throw new Error(`${JSON.stringify(name)} names no column`)
    columns = names.map(snakeCase)
    columnsByNames.set(key, columns)
  }
  return columns
}

function text(programText: string): SqlPart {
  return new SqlPart([programText], [])
}

function joined(parts: readonly SqlPart[]): SqlPart {
  return new SqlPart(['', ...parts.map(() => '')], parts)
}
