import type { Queries } from './database.ts'
import { fixed, type Sql, sql, type SqlPart, sqlText } from './sql.ts'

/** `goOn`, where it is set, says after which row to look on. */
export type Looked<Row, Key> = { found: Row[]; goOn: Key | undefined }

/**
 * The rows that a filter without an index lets through of a bounded number that are looked at, so that a page may end before it
 * is full.
 * @param walked the rows from where the page begins, in the order of an index, without a limit
 * @param lookAt how many of them are looked at
 * @param statement what to ask of those that are looked at, with the filter and with `limit`
 * @param key the columns of `walked` that say where a page begins, as `Key` names them
 */
export async function lookThrough<Row, Key>(
  reads: Queries,
  { walked, lookAt, limit, key }: { walked: SqlPart; lookAt: number; limit: number; key: SqlPart },
  statement: (looked: SqlPart) => Sql,
): Promise<Looked<Row, Key>> {
  const found = await reads.rows<Row>(statement(sqlText`${walked} limit ${fixed(lookAt)}`))
  if (found.length === limit) return { found, goOn: undefined }
  const goOn = await reads.row<Key>(sql`select ${key} from (${walked} offset ${fixed(lookAt - 1)} limit 1) as last`)
  return { found, goOn }
}
