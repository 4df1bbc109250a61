import { JsonText } from '../vocabulary/json-text.ts'
import { recordForm, writeRecords, type RecordForm } from './record-text.ts'
import { SqlPart, sqlText } from './sql.ts'

/**
 * A record as data: each key, in the order in which it is published, with the SQL that gives its value. A view is an
 * allow-list: what it does not name does not leave the database. The compiler refuses a view that lacks a key of its record.
 * The SQL is program text, never input. It names tables that the statement around it has to read.
 */
export type View<Shown> = { readonly [Key in keyof Shown]-?: string }

const columnsByView = new WeakMap<object, SqlPart>()

/** A view as the columns of a `select`. The rows are the records. */
export function columns(view: Readonly<Record<string, string>>): SqlPart {
  let part = columnsByView.get(view)
  if (!part) columnsByView.set(view, (part = new SqlPart([listOf(view, (key, value) => `${value} as "${key}"`)], [])))
  return part
}

/** A record of a list: the view and the schema it is published by. */
export type ListedRecord = { column: SqlPart; form: RecordForm }

/**
 * A view as one column, `record`: all values of the record in PostgreSQL's text of a row, which `jsonPage` writes as JSON. A
 * statement names it above its limit: beside a sort, PostgreSQL would make the record of each row that is sorted.
 * @param schema tells what the values are. A list among them must be JSON made in SQL
 */
export function listedRecord<Shown>(
  view: View<Shown>,
  schema: { readonly properties: Readonly<Record<keyof Shown, object>> },
): ListedRecord {
  return {
    column: sqlText`(select shown::text from (select ${columns(view)}) as shown) as record`,
    form: recordForm(Object.keys(view), schema),
  }
}

/** What a list reads of a record besides the keys that its page is cut by. */
export type RecordRow = { record: string }

/** The records of a page in an answer. */
export function jsonPage<Page>(
  collection: keyof Page & string,
  { form }: ListedRecord,
  rows: readonly RecordRow[],
  nextCursor: string | null,
): JsonText<Page> {
  const texts = rows.map(({ record }) => record)
  return new JsonText(writeRecords(form, texts, `{"${collection}":[`, `],"nextCursor":${JSON.stringify(nextCursor)}}`))
}

/**
 * A record inside another one, as JSON. JSON made in SQL keeps PostgreSQL's own text of a value: an instant needs `isoText`,
 * and a decimal that is shown as text needs a cast.
 */
export function jsonObject<Shown>(view: View<Shown>): string {
  return `json_build_object(${listOf<string>(view, (key, value) => `'${key}', ${value}`)})`
}

/**
 * The records that a query finds, as a JSON list.
 * @param query `from …`, and what follows it
 */
export function jsonList<Shown>(view: View<Shown>, query: string, order: string): string {
  return `coalesce((select json_agg(${jsonObject(view)} order by ${order}) ${query}), '[]')`
}

/** The members of a JSON column that the record has, and no others. A missing member is null, and so is a record without a value. */
export function jsonMembers(column: string, shown: { readonly properties: Readonly<Record<string, unknown>> }): string {
  const members = listOf(shown.properties, (key) => `'${key}', ${column} -> '${key}'`)
  return `case when ${column} is not null then json_build_object(${members}) end`
}

/** An instant in JSON made in SQL, in the form that an instant column has when it is read. */
export function isoText(column: string): string {
  return `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

function listOf<Value>(record: Readonly<Record<string, Value>>, each: (key: string, value: Value) => string): string {
  return Object.entries(record)
    .map(([key, value]) => each(key, value))
    .join(', ')
}
