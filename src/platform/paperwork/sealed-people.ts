import { randomBytes } from 'node:crypto'
import type { Queries, Transaction } from '../../database/database.ts'
import { batchRows, type SealedKind, type SealedRow } from '../../database/seal-anew.ts'
import { sql, sqlText } from '../../database/sql.ts'
import type { KeyRing } from '../../vocabulary/keys.ts'
import { seal, unseal } from '../../vocabulary/seal.ts'
import type { Statement } from './drawing/sheet-facts.ts'

/**
 * Invoices are never changed, so the people on them are sealed under a key of their own, one for the people whom an order
 * names. Whoever is erased loses the key: the paper stays, with its number and its amounts, and names nobody.
 */

/** What of a statement names people; the job names by line. */
export type People = { billTo: readonly string[]; shipTo: readonly string[]; jobNames: readonly (string | null)[] }

/** What a paper shows in place of people who were erased. */
const erasedLines = ['Erased on request']

/**
 * Parts a statement into what names nobody and the sealed rest.
 * @param personKeys `keys('person-key')`
 */
export async function sealPeople(
  tx: Transaction,
  personKeys: KeyRing,
  orderNumber: number,
  statement: Statement,
): Promise<{ statement: Statement; peopleSealed: string }> {
  const { billTo, shipTo, lines } = statement
  const people: People = { billTo, shipTo, jobNames: lines.map(({ jobName }) => jobName) }
  const key = await keyOf(tx, personKeys, orderNumber)
  return {
    statement: { ...statement, billTo: [], shipTo: [], lines: lines.map((line) => ({ ...line, jobName: null })) },
    // as PostgreSQL reads bytes in JSON
    peopleSealed: `\\x${seal([key], boundTo(orderNumber), JSON.stringify(people)).toString('hex')}`,
  }
}

/** undefined = the key is destroyed */
export async function openPeople(
  queries: Queries,
  personKeys: KeyRing,
  orderNumber: number,
  sealed: Buffer,
): Promise<People | undefined> {
  const found = await queries.row<{ keySealed: Buffer }>(sql`
    select key_sealed from person_key where order_number = ${orderNumber}`)
  if (!found) return undefined
  const key = unseal(personKeys, boundTo(orderNumber), found.keySealed)
  try {
    return JSON.parse(unseal([key], boundTo(orderNumber), sealed).toString('utf8')) as People
  } catch {
    // Sealed under a key that was destroyed, before a later paper of the order got another.
    return undefined
  }
}

/** The statement as it was issued, or without the people if these were erased. */
export function withPeople(statement: Statement, people: People | undefined): Statement {
  const { billTo, shipTo, jobNames } = people ?? { billTo: erasedLines, shipTo: erasedLines, jobNames: [] }
  const lines = statement.lines.map((line, index) => ({ ...line, jobName: jobNames[index] ?? null }))
  return { ...statement, billTo, shipTo, lines }
}

async function keyOf(tx: Transaction, personKeys: KeyRing, orderNumber: number): Promise<Buffer> {
  const made = randomBytes(32)
  // The order is locked, so no other call makes its key meanwhile.
  await tx.rows(sql`
    insert into person_key (order_number, key_sealed)
    values (${orderNumber}, ${seal(personKeys, boundTo(orderNumber), made)}) on conflict do nothing`)
  const kept = await tx.row<{ keySealed: Buffer }>(sql`
    select key_sealed from person_key where order_number = ${orderNumber}`)
  return unseal(personKeys, boundTo(orderNumber), kept!.keySealed)
}

function boundTo(orderNumber: number): string {
  return `person_key/${orderNumber}`
}

/** The keys of the people on invoices. */
export const sealedPersonKeys: SealedKind = {
  what: 'keys of people on invoices',
  purpose: 'person-key',
  count: async (queries, by) => {
    const row = await queries.row<{ count: number }>(sql`
      select count(*) as count from person_key where ${by(sqlText`key_sealed`)}`)
    return row!.count
  },
  read: (queries, by, after) =>
    queries.rows<SealedRow>(sql`
      select order_number::text as id, array[key_sealed] as sealed from person_key
      where ${by(sqlText`key_sealed`)} and (${after}::bigint is null or order_number > ${after}::bigint)
      order by person_key.order_number
      limit ${batchRows}`),
  boundTo: (orderNumber) => boundTo(Number(orderNumber)),
  write: (queries, orderNumber, [key], [keyAnew]) =>
    queries.rows(sql`
      update person_key set key_sealed = ${keyAnew} where order_number = ${orderNumber}::bigint and key_sealed = ${key}`),
}
