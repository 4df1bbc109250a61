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
import {
  addressFingerprint,
  entriesAt,
  entriesFrom,
  fingerprintsOf,
  holeMax,
  type LedgerEntry,
  type NumberedEntry,
  readEntry,
  writeEntry,
} from './erasure-ledger.ts'
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

/** One after the other, so that the ledger leaves no number out. */
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

/** An erasure whose entry may not be written yet keeps its number, so that the ledger leaves none out. */
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

/** So many files are removed at once, and after so many it is noted that they are. */
const removedAtOnce = 20
const notedAtOnce = 500

/**
 * Does what erasures left to do outside the database: first writes the ledger, then removes files and kept mails, without a
 * transaction, since there may be many and the store may be slow. An erasure that was cut off anywhere is found here again.
 * What fails holds up its own erasure alone.
 * @param of the one whose files are removed; left out = all
 * @param ending aborted = leave the rest
 * @returns how many were finished
 * @throws Outage, or an error that names the first erasure that cannot be finished
 */
export async function finishErasures({
  of,
  ending,
  ...parts
}: ErasureParts & { of?: string; ending?: AbortSignal }): Promise<number> {
  // erasure_unfinished
  const unfinished = await parts.database.statements.rows<{ erasureId: string }>(sql`
    select erasure_id from erasure where finished_on is null order by ledger_number`)
  let failure: unknown
  const apart = async <Result>(erasureId: string, what: string, work: () => Promise<Result>) => {
    try {
      return await work()
    } catch (error) {
      failure ??=
        error instanceof Outage
          ? error
          : new Error(`what erasure ${erasureId} leaves cannot be ${what}`, { cause: error })
      return undefined
    }
  }
  const written = new Map<string, string>()
  for (const { erasureId } of unfinished) {
    const entry = await apart(erasureId, 'written to the ledger', () => writeUnfinished(parts, erasureId))
    if (entry !== undefined) written.set(erasureId, entry)
  }
  let finished = 0
  for (const [erasureId, entry] of written) {
    if (ending?.aborted) break
    if (of !== undefined && erasureId !== of) continue
    const isFinished = await apart(erasureId, 'removed', async () => {
      await removeFiles(parts, erasureId, ending)
      return finishOne(parts, erasureId, entry)
    })
    if (isFinished) finished++
  }
  if (failure !== undefined) throw failure
  return finished
}

type Unfinished = LedgerEntry & { objectKeys: string[]; mailIds: string[] }

/** Locks the row: of two writers of an entry, the one with the newer state must be the last. */
async function lockUnfinished(
  tx: Transaction,
  erasureId: string,
): Promise<{ entry: LedgerEntry; objectKeys: string[]; mailIds: string[] } | undefined> {
  const row = await tx.row<Unfinished>(sql`
    select erasure_id, ledger_number, kind, subject, address_fingerprints, to_json(order_numbers) as order_numbers, reason,
      erased_on, object_keys, mail_ids
    from erasure where erasure_id = ${erasureId}::uuid and finished_on is null for update`)
  if (!row) return undefined
  const { objectKeys, mailIds, ...entry } = row
  return { entry, objectKeys, mailIds }
}

/** @returns the entry as text */
function writeUnfinished({ database, objectStore }: ErasureParts, erasureId: string): Promise<string | undefined> {
  return database.transaction(async (tx) => {
    const unfinished = await lockUnfinished(tx, erasureId)
    if (!unfinished) return undefined
    await writeEntry(objectStore, unfinished.entry)
    return JSON.stringify(unfinished.entry)
  })
}

/** Notes from time to time which are removed: none of them is removed again, whatever comes between. */
async function removeFiles(
  { database, objectStore }: ErasureParts,
  erasureId: string,
  ending: AbortSignal | undefined,
): Promise<void> {
  const { statements } = database
  const failed: string[] = []
  let failure: unknown
  while (!ending?.aborted) {
    const row = await statements.row<{ keys: string[] }>(sql`
      select array(select each from unnest(object_keys) as each where each <> all(${failed}::text[])
        limit ${notedAtOnce}) as keys
      from erasure where erasure_id = ${erasureId}::uuid`)
    const keys = row?.keys ?? []
    if (keys.length === 0) break
    const removed: string[] = []
    let isOut = false
    const waiting = [...new Set(keys)]
    const removeInTurn = async (): Promise<void> => {
      for (let key = waiting.pop(); key !== undefined && !isOut && !ending?.aborted; key = waiting.pop()) {
        try {
          await objectStore.remove(key)
          removed.push(key)
        } catch (error) {
          failed.push(key)
          failure ??= error
          isOut ||= error instanceof Outage
        }
      }
    }
    await Promise.all(Array.from({ length: removedAtOnce }, removeInTurn))
    // Another process may add some meanwhile, when the person is erased again.
    await statements.rows(sql`
      update erasure set object_keys = array(select each from unnest(object_keys) as each where each <> all(${removed}::text[]))
      where erasure_id = ${erasureId}::uuid`)
    if (isOut) break
  }
  if (failure !== undefined) throw failure
}

/** @returns false = something is left, since the person was erased again meanwhile */
function finishOne(
  { database, objectStore, keptMails }: ErasureParts,
  erasureId: string,
  written: string,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const unfinished = await lockUnfinished(tx, erasureId)
    if (!unfinished || unfinished.objectKeys.length > 0) return false
    const { entry, mailIds } = unfinished
    if (JSON.stringify(entry) !== written) await writeEntry(objectStore, entry)
    await keptMails.forget(mailIds)
    await tx.rows(sql`update erasure set finished_on = now(), mail_ids = '{}' where erasure_id = ${erasureId}::uuid`)
    return true
  })
}

/**
 * Erases again whom the ledger outside names and this database does not: it comes from a backup that is older. Called at
 * every start, before anything is answered, and before each erasure, whose number must be the next one outside, too.
 * What is left outside the database is for `finishErasures`.
 * @param erasureKeys `keys('erasure')`
 * @param damaged is told of entries that cannot be read, which are passed over
 * @param missing is told of numbers that have no entry although the ledger goes on after them; left out = nothing is looked
 *   for after the first of them, nor among the numbers that the database has passed over
 * @returns how many persons were erased again
 * @throws Outage, or the first error, after everything else was applied
 */
export async function reapplyErasures({
  database,
  objectStore,
  erasureKeys,
  now,
  damaged,
  missing,
}: Omit<ErasureParts, 'keptMails'> & {
  erasureKeys: KeyRing
  now: Date
  damaged: (ledgerNumber: number) => void
  missing?: ((ledgerNumbers: readonly number[]) => void) | undefined
}): Promise<number> {
  const change = { actor: { kind: 'SYSTEM', id: 'erasure-ledger' }, now, requestId: null } as const
  let applied = 0
  let failure: unknown
  const applyOnce = async (
    { ledgerNumber, entry }: NumberedEntry,
    isApplied: (tx: Transaction, entry: LedgerEntry) => Promise<boolean>,
  ): Promise<void> => {
    if (entry === 'damaged') return damaged(ledgerNumber)
    try {
      const isErased = await database.transaction(async (tx) => {
        await tx.row(ledgerLock)
        if (await isApplied(tx, entry)) return false
        const found = await foundAgain(tx, entry, erasureKeys)
        // The entry is written, so its number may be taken.
        await apply(tx, change, entry, found, sqlText`excluded.ledger_number`)
        return true
      })
      if (isErased) applied++
    } catch (error) {
      failure ??= error
    }
  }
  // An erasure that was repeated before it was finished kept its number, and a backup may know it as it was first.
  // erasure_unfinished
  const unfinished = await database.statements.rows<{ ledgerNumber: number }>(sql`
    select ledger_number from erasure where finished_on is null order by ledger_number`)
  for (const { ledgerNumber } of unfinished) {
    const entry = await readEntry(objectStore, ledgerNumber)
    if (!entry || entry === 'damaged') continue
    await applyOnce({ ledgerNumber, entry }, async (tx, { erasedOn }) => {
      const older = await tx.row(sql`
        select from erasure where ledger_number = ${ledgerNumber} and finished_on is null and erased_on < ${erasedOn}`)
      return older === undefined
    })
  }
  const isKnown = async (tx: Transaction, { ledgerNumber, kind, subject }: LedgerEntry): Promise<boolean> => {
    const known = await tx.row(sql`
      select from erasure where ledger_number = ${ledgerNumber}
        or (kind = ${kind} and subject = ${subject} and ledger_number > ${ledgerNumber})`)
    return known !== undefined
  }
  const last = await database.statements.row<{ number: number }>(sql`
    select coalesce(max(ledger_number), 0) as number from erasure`)
  const lost = missing ? await passedOver(database) : []
  const there = new Set<number>()
  for await (const each of entriesAt(objectStore, lost)) {
    there.add(each.ledgerNumber)
    await applyOnce(each, isKnown)
  }
  let next = last!.number + 1
  for await (const each of entriesFrom(objectStore, next, missing ? holeMax : 0)) {
    for (; next < each.ledgerNumber; next++) lost.push(next)
    next++
    await applyOnce(each, isKnown)
  }
  const holes = lost.filter((number) => !there.has(number))
  if (holes.length > 0) missing?.(holes)
  if (failure !== undefined) throw failure
  return applied
}

/** A hole may be filled again; more than so many are not looked for. */
const passedOverMax = 1_000

/** The numbers that no row has: of those who were erased again under another number, and of entries that were missing. */
async function passedOver(database: Database): Promise<number[]> {
  const rows = await database.longReads.rows<{ number: number }>(sql`
    select number from generate_series(1, (select max(ledger_number) from erasure)) as number
    where not exists (select from erasure where ledger_number = number)
    order by number desc limit ${passedOverMax}`)
  return rows.map(({ number }) => number).toReversed()
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
