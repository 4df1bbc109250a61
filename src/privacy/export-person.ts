import type { KeyRing } from '../vocabulary/keys.ts'
import type { Queries } from '../database/database.ts'
import { nothing, sql, SqlPart, sqlText } from '../database/sql.ts'
import { openPeople } from '../platform/paperwork/sealed-people.ts'
import { type Found, personalTables } from './personal-fields.ts'

export type Exported = { table: string; rows: Record<string, unknown>[] }

/**
 * All that is known of a person: the rows of every table that names the person, whole but for what would let somebody in and
 * for what is about others alone.
 * @param personKeys `keys('person-key')`, which opens what papers have sealed
 */
export async function exportPerson(queries: Queries, personKeys: KeyRing, found: Found): Promise<Exported[]> {
  const exported: Exported[] = []
  for (const [table, { found: where, secret = [], own = {} }] of Object.entries(personalTables)) {
    if (where === null || table === 'person_key') continue
    const parts = Object.entries(own).map(
      ([column, part]) => sqlText`|| jsonb_build_object(${column}::text, to_jsonb(${part(found)}))`,
    )
    const owned = parts.reduce((sofar, each) => sqlText`${sofar} ${each}`, nothing)
    const rows = await queries.rows<{ row: Record<string, unknown> }>(sql`
      select to_jsonb(${plain(table)}) - ${secret}::text[] ${owned} as row from ${plain(table)} where ${where(found)}`)
    if (rows.length > 0) exported.push({ table, rows: rows.map(({ row }) => row) })
  }
  for (const row of exported.find(({ table }) => table === 'invoice')?.rows ?? []) {
    const { order_number: orderNumber, people_sealed: sealed } = row
    if (typeof sealed !== 'string') continue
    row.people_sealed = await openPeople(queries, personKeys, Number(orderNumber), Buffer.from(sealed.slice(2), 'hex'))
  }
  return exported
}

/** The keys of the files that name the person. */
export async function filesOf(queries: Queries, found: Found): Promise<string[]> {
  const keys: string[] = []
  for (const [table, { found: where, files = [] }] of Object.entries(personalTables)) {
    if (where === null) continue
    for (const column of files) {
      const rows = await queries.rows<{ key: string }>(sql`
        select ${plain(column)} as key from ${plain(table)}
        where ${where(found)} and ${plain(column)} is not null and ${plain(column)} not like ${'erased/%'}`)
      keys.push(...rows.map(({ key }) => key))
    }
  }
  return [...new Set(keys)]
}

/** A name of the list as a part of a statement. It comes from the program, never from input. */
export function plain(text: string): SqlPart {
  return new SqlPart([text], [])
}
