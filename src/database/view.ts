import { SqlPart } from './sql.ts'

/**
 * A record as data: each of its keys, in the order it is shown in, with the SQL that gives its value. A view is an
 * allow-list: what it does not name does not leave the database. The compiler asks for every key of the record.
 * The SQL is text of the program, never input, and names the tables that a statement with this view reads.
 */
export type View<Shown> = { readonly [Key in keyof Shown]-?: string }

const columnsByView = new WeakMap<object, SqlPart>()

/** A view as the columns of a `select`, whose rows are the records. */
export function columns(view: Readonly<Record<string, string>>): SqlPart {
  let part = columnsByView.get(view)
  if (!part) columnsByView.set(view, (part = new SqlPart([listOf(view, (key, value) => `${value} as "${key}"`)], [])))
  return part
}

/** The members of a JSON column that a record names, each null where the column lacks it; null where the column is. */
export function jsonMembers(column: string, shown: { readonly properties: Readonly<Record<string, unknown>> }): string {
  const members = listOf(shown.properties, (key) => `'${key}', ${column} -> '${key}'`)
  return `case when ${column} is not null then json_build_object(${members}) end`
}

function listOf<Value>(record: Readonly<Record<string, Value>>, each: (key: string, value: Value) => string): string {
  return Object.entries(record)
    .map(([key, value]) => each(key, value))
    .join(', ')
}
