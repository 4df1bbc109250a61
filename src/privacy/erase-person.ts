import { randomUUID } from 'node:crypto'
import type { Database, Queries, Transaction } from '../database/database.ts'
import { nothing, sql, type SqlPart, sqlText } from '../database/sql.ts'
import type { KeptMails } from '../outside/mailer/kept-mails.ts'
import type { ObjectStore } from '../outside/object-store/object-store.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import type { Change } from '../vocabulary/change.ts'
import type { KeyRing } from '../vocabulary/keys.ts'
import { Outage } from '../vocabulary/outage.ts'
import type { Done, Refused } from '../vocabulary/outcome.ts'
import { addressFingerprint, fingerprintsOf, type LedgerEntry, readEntry, writeEntry } from './erasure-ledger.ts'
import { filesOf, plain } from './export-person.ts'
import {
  accountsWith,
  findPerson,
  nobody,
  type NotFound,
  openSubmission,
  ordersMax,
  type PersonNamed,
  withAllSubmissions,
} from './find-person.ts'
import { type Found, personalTables } from './personal-fields.ts'

/**
 * Erases what is known of a person. In one transaction the texts of its rows are replaced, rows that are nothing else are
 * deleted, and the keys of its papers are destroyed; what lies outside the database is noted in the row of the erasure and
 * removed after the commit, again and again until it is done. Order numbers, amounts, taxes, quantities, dates and the audit
 * log stay.
 */

export const erasureReasons = ['REQUEST', 'CONSENT_WITHDRAWN', 'RETENTION', 'OTHER'] as const

export type ErasureReason = (typeof erasureReasons)[number]

export type Erasure = {
  erasureId: string
  kind: PersonNamed['kind']
  subject: string
  orderNumbers: number[]
  reason: ErasureReason
  erasedOn: string
  /** null = files still wait to be removed */
  finishedOn: string | null
}

export type NotErased =
  | NotFound
  | (Refused<'orders_open' | 'has_account'> & { detail: string })
  | Refused<'too_many_to_erase' | 'is_ordering_user' | 'staff_enabled'>

const columns = sqlText`erasure_id, kind, subject, to_json(order_numbers) as order_numbers, reason, erased_on, finished_on`

const toldMax = 20

/** One after the other, so that the ledger has no gap. */
const ledgerLock = sql`select pg_advisory_xact_lock(7305037)`

/**
 * Erases a person who has nothing open. Asked again, it erases what came since and answers the same erasure.
 * @param erasureKeys `keys('erasure')`
 */
export async function erasePerson(
  tx: Transaction,
  change: Change,
  erasureKeys: KeyRing,
  { reason, ...person }: PersonNamed & { reason: ErasureReason },
): Promise<Done<Erasure> | NotErased> {
  const subject = person.kind === 'RECIPIENT' ? addressFingerprint(erasureKeys, person.id) : person.id.toLowerCase()
  const named = await findPerson(tx, person)
  if ('refused' in named) {
    // Who was erased cannot be found any more.
    const former = await tx.row<Erasure>(sql`
      select ${columns} from erasure where kind = ${person.kind} and subject = ${subject}`)
    return former ? { done: former } : named
  }
  const { found } = named
  const refused = await refuse(tx, person, found)
  if (refused) return refused
  await tx.row(ledgerLock)
  const last = await tx.row<{ number: number }>(sql`select coalesce(max(ledger_number), 0) as number from erasure`)
  const entry = {
    erasureId: randomUUID(),
    ledgerNumber: last!.number + 1,
    kind: person.kind,
    subject,
    addressFingerprints: found.emails.map((email) => addressFingerprint(erasureKeys, email)),
    orderNumbers: [...found.orders],
    reason,
    erasedOn: change.now.toISOString(),
  }
  return { done: await apply(tx, change, entry, found, keptNumber) }
}

/** An erasure whose entry may not be written yet keeps its number, since the ledger is read up to its first gap. */
const keptNumber = sqlText`case when erasure.finished_on is null then erasure.ledger_number else excluded.ledger_number end`

async function refuse(tx: Transaction, person: PersonNamed, found: Found): Promise<NotErased | undefined> {
  if (found.orders.length > ordersMax) return { refused: 'too_many_to_erase' }
  if (person.kind === 'RECIPIENT') {
    const users = await accountsWith(tx, person.id)
    if (users.length > 0)
      return { refused: 'has_account', detail: `Erase the customers with the address instead: ${users.join(', ')}.` }
  }
  const held = await tx.row<{ ordering: boolean; enabled: boolean }>(sql`
    select exists (select from site where ordering_user_id = any(${found.users}::int[])) as ordering,
      exists (select from staff_account where staff_id = any(${found.staff}::uuid[]) and disabled_on is null) as enabled`)
  if (held!.ordering) return { refused: 'is_ordering_user' }
  if (held!.enabled) return { refused: 'staff_enabled' }
  // submission_open_plain and submission_open_artwork
  const placing = await tx.row(sql`${openSubmission(found.emails)} limit 1`)
  if (placing) return { refused: 'orders_open', detail: 'An order is being placed: ask again when it is.' }
  const orders = await tx.rows<{ orderNumber: number; open: boolean }>(sql`
    select order_number, status not in ('SHIPPED', 'COMPLETED', 'CANCELLED') as open from orders
    where order_number = any(${found.orders}::bigint[]) order by order_number for no key update`)
  const open = orders.filter((order) => order.open).map(({ orderNumber }) => orderNumber)
  if (open.length === 0) return undefined
  const told = open.slice(0, toldMax).join(', ') + (open.length > toldMax ? ', …' : '')
  return { refused: 'orders_open', detail: `Finish or cancel these first: ${told}.` }
}

/** Erases the rows, whatever their state: of a backup that was restored, an order may be open that was finished long ago. */
async function apply(
  tx: Transaction,
  change: Change,
  entry: LedgerEntry,
  found: Found,
  numberOfFormer: SqlPart,
): Promise<Erasure> {
  const objectKeys = await filesOf(tx, found)
  // mail_by_order, mail_by_recipient
  const mails = await tx.rows<{ mailId: string }>(sql`select mail_id from mail where ${ofTable('mail', found)}`)
  const mailIds = mails.map(({ mailId }) => mailId)
  // The erasure removes these files itself, and their keys hold names.
  await tx.rows(sql`delete from stray_object where object_key = any(${objectKeys}::text[])`)
  await tx.rows(sql`select erase_unsealed_invoices(${found.orders}::bigint[])`)
  for (const [table, personal] of Object.entries(personalTables)) {
    if (personal.found === null || (personal.instead !== undefined && !personal.rowsGo)) continue
    const where = personal.found(found)
    await tx.rows(
      personal.rowsGo
        ? sql`delete from ${plain(table)} where ${where}`
        : sql`update ${plain(table)} set ${settingsOf(table, found)} where ${where}`,
    )
  }
  const { erasureId, ledgerNumber, kind, subject, addressFingerprints, orderNumbers, reason, erasedOn } = entry
  const erasure = await tx.row<Erasure>(sql`
    insert into erasure (erasure_id, ledger_number, kind, subject, address_fingerprints, order_numbers, reason, object_keys,
      mail_ids, erased_on)
    values (${erasureId}, ${ledgerNumber}, ${kind}, ${subject}, ${addressFingerprints}, ${orderNumbers}, ${reason},
      ${objectKeys}, ${mailIds}, ${erasedOn})
    on conflict (kind, subject) do update set ledger_number = ${numberOfFormer}, reason = excluded.reason,
      address_fingerprints = array(select distinct unnest(erasure.address_fingerprints || excluded.address_fingerprints)),
      order_numbers = array(select distinct unnest(erasure.order_numbers || excluded.order_numbers) order by 1),
      object_keys = erasure.object_keys || excluded.object_keys, mail_ids = erasure.mail_ids || excluded.mail_ids,
      erased_on = excluded.erased_on, finished_on = null
    returning ${columns}`)
  await recordAudit(tx, change, {
    action: 'person.erased',
    subject: { kind: 'erasure', id: erasure!.erasureId },
    siteId: null,
    detail: { kind, subject, reason, orders: orderNumbers.length, files: objectKeys.length, mails: mailIds.length },
  })
  return erasure!
}

function ofTable(table: string, found: Found): SqlPart {
  return personalTables[table]!.found!(found)
}

/** `ship_to = …, updated_on …`: the values after the erasure. */
function settingsOf(table: string, found: Found): SqlPart {
  const { fields, also } = personalTables[table]!
  const set = Object.entries(fields).map(
    ([column, [, erased]]) => sqlText`${plain(column)} = ${typeof erased === 'string' ? plain(erased) : erased(found)}`,
  )
  const all = also === undefined ? set : [...set, plain(also)]
  return all.reduce((sofar, each) => sqlText`${sofar}, ${each}`)
}

export function listErasures(
  reads: Queries,
  { after, limit }: { after: readonly [erasedOn: string, erasureId: string] | undefined; limit: number },
): Promise<Erasure[]> {
  // erasure_newest
  return reads.rows(sql`
    select ${columns} from erasure
    ${after ? sqlText`where (erased_on, erasure_id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : nothing}
    order by erased_on desc, erasure_id desc limit ${limit}`)
}

export type ErasureParts = {
  database: Database
  objectStore: Pick<ObjectStore, 'remove' | 'write' | 'read'>
  keptMails: Pick<KeptMails, 'forget'>
}

/**
 * Does what erasures left to do outside the database, in their order: writes the ledger, removes files and kept mails. An
 * erasure that was cut off anywhere is found here again. What cannot be removed holds up its own erasure alone.
 * @returns how many were finished
 * @throws Outage, or an error that names the first erasure whose files or mails cannot be removed
 */
export async function finishErasures({ database, objectStore, keptMails }: ErasureParts): Promise<number> {
  let finished = 0
  let failure: unknown
  for (let after = 0; ;) {
    const number = await database.transaction(async (tx) => {
      // erasure_unfinished
      const row = await tx.row<LedgerEntry & { objectKeys: string[]; mailIds: string[] }>(sql`
        select erasure_id, ledger_number, kind, subject, address_fingerprints, to_json(order_numbers) as order_numbers, reason, erased_on,
          object_keys, mail_ids
        from erasure where finished_on is null and ledger_number > ${after} order by ledger_number limit 1 for update`)
      if (!row) return undefined
      const { objectKeys, mailIds, ...entry } = row
      // First: whatever fails later, the ledger has no gap.
      await writeEntry(objectStore, entry)
      try {
        for (const key of objectKeys) await objectStore.remove(key)
        await keptMails.forget(mailIds)
        await tx.rows(sql`
          update erasure set finished_on = now(), object_keys = '{}', mail_ids = '{}' where erasure_id = ${row.erasureId}`)
        finished++
      } catch (error) {
        const { erasureId } = entry
        failure ??=
          error instanceof Outage
            ? error
            : new Error(`what erasure ${erasureId} leaves cannot be removed`, { cause: error })
      }
      return row.ledgerNumber
    })
    if (number === undefined) break
    after = number
  }
  if (failure !== undefined) throw failure
  return finished
}

/**
 * Erases again whom the ledger outside names and this database does not: it comes from a backup that is older. Called at
 * every start, before anything is answered, and before each erasure, whose number must be the next one outside, too.
 * What is left outside the database is for `finishErasures`.
 * @param erasureKeys `keys('erasure')`
 * @param damaged is told of entries that cannot be read, which are passed over
 * @returns how many persons were erased again
 * @throws Outage
 */
export async function reapplyErasures({
  database,
  objectStore,
  erasureKeys,
  now,
  damaged,
}: Omit<ErasureParts, 'keptMails'> & {
  erasureKeys: KeyRing
  now: Date
  damaged: (ledgerNumber: number) => void
}): Promise<number> {
  const change = { actor: { kind: 'SYSTEM', id: 'erasure-ledger' }, now, requestId: null } as const
  const again = async (tx: Transaction, entry: LedgerEntry): Promise<void> => {
    const found = await foundAgain(tx, entry, erasureKeys)
    // The entry is written, so its number may be taken.
    await apply(tx, change, entry, found, sqlText`excluded.ledger_number`)
  }
  let applied = 0
  // An erasure that was repeated before it was finished kept its number, and a backup may know it as it was first.
  // erasure_unfinished
  const unfinished = await database.statements.rows<{ ledgerNumber: number }>(sql`
    select ledger_number from erasure where finished_on is null order by ledger_number`)
  for (const { ledgerNumber } of unfinished) {
    await database.transaction(async (tx) => {
      await tx.row(ledgerLock)
      const entry = await readEntry(objectStore, ledgerNumber)
      if (!entry || entry === 'damaged') return
      const older = await tx.row(sql`
        select from erasure where ledger_number = ${ledgerNumber} and finished_on is null and erased_on < ${entry.erasedOn}`)
      if (!older) return
      await again(tx, entry)
      applied++
    })
  }
  for (let passedOver = 0; ;) {
    const isThere = await database.transaction(async (tx) => {
      await tx.row(ledgerLock)
      const last = await tx.row<{ number: number }>(sql`select coalesce(max(ledger_number), 0) as number from erasure`)
      const number = Math.max(last!.number, passedOver) + 1
      const entry = await readEntry(objectStore, number)
      if (!entry) return false
      if (entry === 'damaged') {
        damaged(number)
        passedOver = number
        return true
      }
      await again(tx, entry)
      applied++
      return true
    })
    if (!isThere) return applied
  }
}

/** The rows of an entry in a database that still has them. Addresses are known by their fingerprints, so all are read. */
async function foundAgain(tx: Transaction, entry: LedgerEntry, erasureKeys: KeyRing): Promise<Found> {
  const { kind, subject } = entry
  const wanted = new Set(entry.addressFingerprints)
  const emails = new Set<string>()
  for (const { addresses } of Object.values(personalTables)) {
    if (addresses === undefined) continue
    const there = await tx.rows<{ email: string }>(
      sql`select distinct email from (${plain(addresses)}) as each (email)`,
    )
    for (const { email } of there)
      if (fingerprintsOf(erasureKeys, email).some((each) => wanted.has(each))) emails.add(email)
  }
  const isThere = kind !== 'RECIPIENT' ? await findPerson(tx, { kind, id: subject }) : undefined
  const known = isThere && 'found' in isThere ? isThere.found : nobody
  const named = await Promise.all(
    [...emails].map(async (id) => {
      const each =
        kind === 'RECIPIENT' || kind === 'CUSTOMER' ? await findPerson(tx, { kind: 'RECIPIENT', id }) : nobody
      return 'found' in each ? each.found.orders : []
    }),
  )
  return withAllSubmissions(tx, {
    ...known,
    emails: [...new Set([...known.emails, ...emails])],
    orders: [...entry.orderNumbers, ...known.orders, ...named.flat()],
  })
}
