import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pdfFile } from '../../../test/world/artwork.ts'
import { orderBuilder, shipTo } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { placed, publishProof } from '../../../test/world/production.ts'
import { testService } from '../../../test/world/service.ts'
import { staff, staffWith } from '../../../test/world/staff.ts'
import { until } from '../../../test/world/webhooks.ts'
import type { Database } from '../../database/database.ts'
import { sql, SqlPart } from '../../database/sql.ts'
import { erasePerson, type Erasure, finishErasures, reapplyErasures } from '../../privacy/erase-person.ts'
import { keptMails as keptMailsIn } from '../../outside/mailer/kept-mails.ts'
import { forgetOrphans } from '../../platform/mail/forget-mails.ts'
import { Outage } from '../../vocabulary/outage.ts'
import { startEraser } from '../../privacy/eraser.ts'
import { serviceLog } from '../../operations/service-log.ts'
import { systemClock } from '../../vocabulary/clock.ts'
import { checkAuditChain, sealAuditRecords } from '../../platform/audit/audit-chain.ts'
import { deriveKey } from '../../vocabulary/keys.ts'
import { testMasterKey } from '../../../test/world/master-key.ts'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const { main } = service.manifest.sites
const at = '/staff/v1/production'
const erasureKeys = [deriveKey(testMasterKey, 'PRODUCTION', 'erasure')] as const

/** A word that is nowhere else, in the form in which texts are compared. */
function marker(): string {
  return `zq${randomUUID().replaceAll('-', '').slice(0, 12)}`
}

async function made(answer: Promise<{ status: number; body: any }>): Promise<any> {
  const { status, body } = await answer
  assert.ok(status < 300, JSON.stringify(body))
  return body
}

/** Where a text stands in a database: every row of every table, as text, with what is stored as bytes. */
async function inDatabase(database: Database, text: string): Promise<string[]> {
  const tables = await database.statements.rows<{ name: string }>(sql`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`)
  const found: string[] = []
  for (const { name } of tables) {
    const columns = await database.statements.rows<{ column: string }>(sql`
      select column_name as column from information_schema.columns
      where table_schema = 'public' and table_name = ${name} and data_type = 'bytea'`)
    const bytes = columns.map(({ column }) => ` || ' ' || coalesce(encode(${column}, 'escape'), '')`).join('')
    const rows = await database.statements.rows<{ row: string }>(sql`
      select row from (select each::text ${new SqlPart([bytes], [])} as row from ${new SqlPart([`"${name}"`], [])} as each) as rows
      where strpos(lower(row), ${text}) > 0`)
    found.push(...rows.map(({ row }) => `${name}: ${row.slice(0, 300)}`))
  }
  return found
}

async function inFiles(text: string): Promise<string[]> {
  const files = await readdir(service.dataDir, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const file of files) {
    const path = join(file.parentPath, file.name)
    if (path.toLowerCase().includes(text)) found.push(path)
    if (file.isFile() && (await readFile(path, 'latin1')).toLowerCase().includes(text)) found.push(path)
  }
  return found
}

async function everywhere(text: string): Promise<string[]> {
  const lines = service.logLines.filter((line) => line.toLowerCase().includes(text))
  const databases = [service.owner.production, service.owner.sandbox]
  const inBoth = await Promise.all(databases.map((database) => inDatabase(database, text)))
  return [...inBoth.flat(), ...(await inFiles(text)), ...lines]
}

type Person = { mark: string; email: string; orderNumber: number; files: string }

/** An order that says a mark wherever a person can be named, made, invoiced and cancelled. */
async function orderOf(mark: string, email: string): Promise<Person> {
  const place = {
    ...shipTo,
    name: `Ann ${mark}`,
    company: `${mark} company`,
    address1: `1 ${mark} Street`,
    address2: `Floor ${mark}`,
    phone: `555 ${mark}`,
  }
  const { orderNumber, lines } = await placed(
    primary,
    build.order({
      shipTo: { ...place, email },
      billTo: place,
      shippingNotes: `Ring at ${mark}`,
      lines: [build.podLine({ jobName: `Cards of ${mark}` })],
    }),
  )
  const order = `${at}/orders/${orderNumber}`
  const line = `${order}/lines/1`
  await made(admin.post(`${order}/notes`, { audience: 'STAFF', text: `Call ${mark}` }))
  await made(admin.post(`${order}/notes`, { audience: 'PARTNER', text: `Ask ${mark}` }))
  await made(admin.post(`${line}/report-problem`, { problem: `Name of ${mark} is cut` }))
  await publishProof(service, lines[0]!)
  const declined = await admin.post(`${line}/proof/decline`, { reason: 'SPELLING', comment: `It is ${mark}` })
  assert.equal(declined.status, 200, JSON.stringify(declined.body))
  const upload = await made(admin.post(`${line}/uploads`, { fileName: `${mark}.pdf`, contentType: 'application/pdf' }))
  const headers = { 'content-type': 'application/pdf' }
  assert.equal((await fetch(upload.uploadUrl, { method: 'PUT', body: pdfFile(mark), headers })).status, 200)
  await made(admin.post(`${line}/print-files`, { reservationName: upload.reservationName }))
  await until(async () => {
    const { body } = await admin.get(`${line}/artwork`)
    return !/"status":"(?:queued|inspecting)"/.test(JSON.stringify(body))
  })
  await made(admin.post(`${order}/invoices`))
  await made(admin.post(`${order}/hold`, { reason: 'OTHER', comment: `Waits for ${mark}` }))
  await made(admin.post(`${order}/release`))
  // The mail is kept as a file, since there is no mail server.
  await service.owner.production.statements.rows(sql`
    insert into mail (mail_id, kind, recipient, site_id, order_number, status, gives_up_on, created_on)
    values (gen_random_uuid(), 'order_confirmation', ${email}, ${main}, ${orderNumber}, 'QUEUED', now() + interval '1 day', now())`)
  await until(async () => {
    const { body } = await admin.get(`${at}/mails?to=${encodeURIComponent(email)}`)
    return body.mails.length > 0 && body.mails.every(({ status }: { status: string }) => status === 'KEPT')
  })
  return { mark, email, orderNumber, files: order }
}

async function failedOrder(mark: string, email: string): Promise<void> {
  const body = build.order({
    shipTo: { ...shipTo, name: `Ann ${mark}`, email },
    lines: [build.podLine({ quantity: 999_999_999 })],
  })
  const { status } = await primary.post('/v1/orders', body)
  assert.ok(status >= 400 || status === 202 || status === 201, String(status))
}

/** Every number, amount and date of an order, with where it stands. Proofs are not among them: erasure removes their files. */
function figures(value: unknown, path = 'order'): [path: string, figure: string | number][] {
  if (typeof value === 'number' || (typeof value === 'string' && /^-?\d+\.\d+$|Z$/.test(value))) return [[path, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => (key === 'proofs' ? [] : figures(part, `${path}.${key}`)))
}

test('who is erased is named nowhere any more, and orders, money, the audit log and others stay', async () => {
  const mark = marker()
  const email = `${mark}@whitfield.test`
  const person = await orderOf(mark, email)
  await failedOrder(mark, email.toUpperCase())
  const other = await orderOf(marker(), 'other.person@whitfield.test')
  await made(admin.post(`${at}/bounced-addresses`, { email, reason: `No mailbox ${mark}` }))
  const erase = { kind: 'RECIPIENT', id: email, reason: 'REQUEST', confirm: email }

  const open = await admin.post(`${at}/erasures`, erase)
  assert.deepEqual([open.status, open.body.code], [409, 'orders_open'])
  assert.ok(open.body.detail.includes(String(person.orderNumber)))
  await made(admin.post(`${person.files}/cancel`, { reason: 'CUSTOMER_REQUEST', comment: `So says ${mark}` }))
  assert.equal((await admin.post(`${at}/erasures`, { ...erase, confirm: 'no' })).body.code, 'confirmation_not_usable')

  const before = await inDatabase(service.owner.production, mark)
  const places = new Set(before.map((place) => place.split(':')[0]!))
  for (const table of [
    'orders',
    'order_line',
    'shipment',
    'submission',
    'order_note',
    'print_file',
    'mail',
    'proof_comment',
  ])
    assert.ok(places.has(table), `${table} names the person`)
  assert.ok(!places.has('audit_record'), before.filter((each) => each.startsWith('audit_record')).join('\n'))
  assert.ok(!places.has('invoice'), 'invoices hold people sealed')
  assert.ok((await inFiles(mark)).length > 0, 'files name the person')
  const taken = await made(admin.post(`${at}/person-exports`, { kind: 'RECIPIENT', id: email }))
  const said = new Set(taken.records.map(({ table }: { table: string }) => table))
  // The words of the search and the keys of unattached uploads say what the records say.
  for (const table of places) assert.ok(said.has(table) || table === 'stray_object', `${table} is in the export`)
  const papers = taken.records.find(({ table }: { table: string }) => table === 'invoice')
  assert.ok(JSON.stringify(papers).includes(mark), 'the export opens what is sealed')
  assert.ok(taken.files.length > 0 && taken.files.every(({ link }: { link: string | null }) => link !== null))

  const [orderBefore, otherBefore] = await Promise.all([made(admin.get(person.files)), made(admin.get(other.files))])
  const erased = await made(admin.post(`${at}/erasures`, erase))
  assert.deepEqual([erased.orderNumbers, erased.finishedOn !== null], [[person.orderNumber], true])
  // Files that are uploaded and attached are strays for a day; erasure does not wait for it.
  assert.deepEqual(await everywhere(mark), [])

  const figuresBefore = figures(orderBefore)
  assert.ok(figuresBefore.length > 10, JSON.stringify(figuresBefore))
  assert.deepEqual(figures(await made(admin.get(person.files))), figuresBefore)
  assert.deepEqual(withoutLinks(await made(admin.get(other.files))), withoutLinks(otherBefore))
  assert.ok((await inDatabase(service.owner.production, other.mark)).length > 10)
  const { invoices } = await made(admin.get(`${person.files}/invoices`))
  const paper = `${service.hosts.consoleUrl}${at}/sites/${main}/invoices/${invoices[0].invoiceNumber}/document`
  assert.equal((await fetch(paper, { headers: { authorization: `Bearer ${admin.token}` } })).status, 200)
  const { statements, reads } = service.production.database
  await until(async () => (await sealAuditRecords(statements, 500)) === 0)
  assert.equal((await checkAuditChain(reads)).complete, true)

  const again = await made(admin.post(`${at}/erasures`, erase))
  assert.equal(again.erasureId, erased.erasureId)
  const { erasures } = await made(admin.get(`${at}/erasures`))
  assert.ok(erasures.some(({ erasureId }: { erasureId: string }) => erasureId === erased.erasureId))
})

function withoutLinks(order: unknown): unknown {
  return JSON.parse(JSON.stringify(order).replaceAll(/"https?:[^"]*"/g, '"link"'))
}

test('a customer is erased with addresses and orders, and partners go on ordering for the ordering user', async () => {
  const mark = marker()
  const email = `${mark}@whitfield.test`
  const user = await made(
    admin.post(`${at}/users`, {
      siteId: main,
      username: mark,
      email,
      firstName: mark,
      lastName: mark,
      company: mark,
      phone: mark,
    }),
  )
  await made(
    admin.post(`${at}/users/${user.userId}/addresses`, {
      addressType: null,
      company: mark,
      firstName: mark,
      lastName: mark,
      phone: mark,
      address1: mark,
      address2: mark,
      city: mark,
      zip: '94105',
      countryCode: 'US',
      stateCode: 'CA',
    }),
  )
  const { orderNumber, files } = await orderOf(mark, email)
  await made(admin.post(`${files}/cancel`))
  const recipient = await admin.post(`${at}/erasures`, {
    kind: 'RECIPIENT',
    id: email,
    reason: 'REQUEST',
    confirm: email,
  })
  assert.equal(recipient.body.code, 'has_account')
  const id = String(user.userId)
  const taken = await made(admin.post(`${at}/person-exports`, { kind: 'CUSTOMER', id }))
  assert.ok(!JSON.stringify(taken).includes('password_hash'))
  const erased = await made(admin.post(`${at}/erasures`, { kind: 'CUSTOMER', id, reason: 'REQUEST', confirm: id }))
  assert.deepEqual(erased.orderNumbers, [orderNumber])
  assert.deepEqual(await everywhere(mark), [])
  const shown = await made(admin.get(`${at}/users/${id}`))
  assert.deepEqual([shown.active, shown.email, shown.firstName], [false, null, null])

  const ordering = await service.production.database.statements.row<{ id: number }>(sql`
    select ordering_user_id as id from site where site_id = ${main}`)
  const held = String(ordering!.id)
  const refused = await admin.post(`${at}/erasures`, { kind: 'CUSTOMER', id: held, reason: 'OTHER', confirm: held })
  assert.equal(refused.body.code, 'is_ordering_user')
})

test('an older backup brings nobody back: the ledger outside erases them again', async () => {
  const mark = marker()
  const email = `${mark}@whitfield.test`
  const { orderNumber, files } = await orderOf(mark, email)
  await made(admin.post(`${files}/cancel`))
  const { statements } = service.owner.production
  const former = await statements.row<{ shipTo: object }>(
    sql`select ship_to from orders where order_number = ${orderNumber}`,
  )
  await made(admin.post(`${at}/erasures`, { kind: 'RECIPIENT', id: email, reason: 'REQUEST', confirm: email }))
  // As a backup from before would have it.
  await statements.rows(
    sql`delete from erasure where subject is not null and order_numbers = array[${orderNumber}::bigint]`,
  )
  await statements.rows(sql`
    update orders set ship_to = ${JSON.stringify(former!.shipTo)}::jsonb, ship_notification_email = ${email}, status = 'IN_PROCESS'
    where order_number = ${orderNumber}`)
  assert.ok((await everywhere(mark)).length > 0)
  const { database, objectStore, keptMails } = service.production
  const damaged: number[] = []
  const told = (ledgerNumber: number) => void damaged.push(ledgerNumber)
  const parts = { database, objectStore, erasureKeys, now: new Date(), damaged: told }
  assert.equal(await reapplyErasures(parts), 1)
  await finishErasures({ database, objectStore, keptMails })
  assert.deepEqual(await everywhere(mark), [])
  assert.equal(await reapplyErasures(parts), 0)
})

test('an erasure that was cut off before its files is finished later', async () => {
  const mark = marker()
  const email = `${mark}@whitfield.test`
  const { files } = await orderOf(mark, email)
  await made(admin.post(`${files}/cancel`))
  const { database, objectStore, keptMails } = service.production
  const change = { actor: { kind: 'STAFF', id: 'tester' }, now: new Date(), requestId: null } as const
  // The process dies after the commit.
  const { done: erased } = (await database.change((tx) =>
    erasePerson(tx, change, erasureKeys, { kind: 'RECIPIENT', id: email, reason: 'REQUEST' }),
  )) as { done: Erasure }
  assert.equal(erased.finishedOn, null)
  assert.ok((await inFiles(mark)).length > 0)
  let removed = 0
  const failing = {
    ...objectStore,
    remove: (key: string) => (removed++ === 0 ? objectStore.remove(key) : Promise.reject(new Outage('the store'))),
  }
  await assert.rejects(finishErasures({ database, objectStore: failing, keptMails }), Outage)
  assert.equal(await finishErasures({ database, objectStore, keptMails }), 1)
  assert.deepEqual(await everywhere(mark), [])
})

/** Erases who gets orders at the address, and leaves the rest to `finishErasures`, as a process does that is killed then. */
async function eraseRecipient(email: string): Promise<Erasure> {
  const change = { actor: { kind: 'STAFF', id: 'tester' }, now: new Date(), requestId: null } as const
  const person = { kind: 'RECIPIENT', id: email, reason: 'REQUEST' } as const
  const erased = await service.production.database.change((tx) => erasePerson(tx, change, erasureKeys, person))
  assert.ok('done' in erased, JSON.stringify(erased))
  return erased.done
}

async function cancelledOrder(mark: string, email: string): Promise<string[]> {
  const { files } = await orderOf(mark, email)
  await made(admin.post(`${files}/cancel`))
  const { statements } = service.owner.production
  const rows = await statements.rows<{ key: string }>(sql`
    select object_key as key from print_file where order_number = ${files.split('/').at(-1)}::bigint`)
  return rows.map(({ key }) => key)
}

const ledgerNumbers = async (): Promise<number[]> =>
  (
    await service.owner.production.statements.rows<{ number: number }>(sql`
      select ledger_number as number from erasure order by 1`)
  ).map(({ number }) => number)

test('the ledger has no gap after an erasure that is repeated while the store is away', async () => {
  const { database, objectStore, keptMails } = service.production
  const email = `${marker()}@whitfield.test`
  await cancelledOrder(marker(), email)
  const { erasureId } = await eraseRecipient(email)
  const away = { ...objectStore, write: () => Promise.reject(new Outage('the store')) }
  await assert.rejects(finishErasures({ database, objectStore: away, keptMails }), Outage)
  await cancelledOrder(marker(), email)
  assert.equal((await eraseRecipient(email)).erasureId, erasureId)
  await finishErasures({ database, objectStore, keptMails })
  const last = (await ledgerNumbers()).at(-1)!
  for (let number = 1; number <= last; number++)
    assert.ok(await objectStore.head(`erasures/${number}.json`), `entry ${number} of ${last}`)
})

test('a file that cannot be removed holds up its own erasure alone, and the ledger has both', async () => {
  const { database, objectStore, keptMails } = service.production
  const [stuck, later] = [`${marker()}@whitfield.test`, `${marker()}@whitfield.test`]
  const keys = await cancelledOrder(marker(), stuck)
  assert.ok(keys.length > 0)
  await cancelledOrder(marker(), later)
  const first = await eraseRecipient(stuck)
  const second = await eraseRecipient(later)
  const bad = {
    ...objectStore,
    remove: (key: string) => (keys.includes(key) ? Promise.reject(new Error('is locked')) : objectStore.remove(key)),
  }
  const waits = new RegExp(`erasure ${first.erasureId} leaves`)
  await assert.rejects(finishErasures({ database, objectStore: bad, keptMails }), waits)
  const rows = await service.owner.production.statements.rows<{ number: number; id: string; isFinished: boolean }>(sql`
    select ledger_number as number, erasure_id as id, finished_on is not null as is_finished from erasure
    where erasure_id in (${first.erasureId}::uuid, ${second.erasureId}::uuid) order by 1`)
  assert.deepEqual(
    rows.map(({ id, isFinished }) => [id, isFinished]),
    [
      [first.erasureId, false],
      [second.erasureId, true],
    ],
  )
  for (const { number } of rows) assert.ok(await objectStore.head(`erasures/${number}.json`))
  assert.equal(await finishErasures({ database, objectStore, keptMails }), 1)
})

test('a file that cannot be removed is told with its erasure, and holds up neither ledger nor kept mails', async () => {
  const { database, objectStore, keptMails } = service.production
  for (const email of [`${marker()}@whitfield.test`, `${marker()}@whitfield.test`]) {
    await cancelledOrder(marker(), email)
    await eraseRecipient(email)
  }
  const [stuck, gone] = await service.owner.production.statements.rows<{ id: string; number: number }>(sql`
    select erasure_id as id, ledger_number as number from erasure where finished_on is null order by 2`)
  await finishErasures({ database, objectStore, keptMails })
  // As a backup from before the second would have it, with the first one under way.
  const { statements } = service.owner.production
  await statements.rows(sql`delete from erasure where erasure_id = ${gone!.id}::uuid`)
  await statements.rows(sql`
    update erasure set finished_on = null, object_keys = array['print-files/stuck.pdf'] where erasure_id = ${stuck!.id}::uuid`)
  const lines: string[] = []
  let looked = 0
  const eraser = await startEraser({
    database,
    objectStore: { ...objectStore, remove: () => Promise.reject(new Error('is locked')) },
    keptMails: { forget: keptMails.forget, list: async () => (looked++, []) },
    erasureKeys,
    clock: systemClock,
    log: serviceLog('info', { write: (line: string) => void lines.push(line) }),
  })
  await until(async () => lines.join('').includes('cannot be removed'))
  await eraser.close()
  assert.equal(looked, 1)
  assert.match(lines.join(''), /erased persons again/)
  assert.match(lines.join(''), new RegExp(`what erasure ${stuck!.id} leaves cannot be removed`))
  assert.ok((await ledgerNumbers()).includes(gone!.number))
  assert.equal(await finishErasures({ database, objectStore, keptMails }), 1)
})

test('what an erasure erased when it was repeated is erased again in a backup from between', async () => {
  const { database, objectStore, keptMails } = service.production
  const [mark, email] = [marker(), `${marker()}@whitfield.test`]
  await cancelledOrder(marker(), email)
  const { erasureId } = await eraseRecipient(email)
  const { orderNumber, files } = await orderOf(mark, email)
  await made(admin.post(`${files}/cancel`))
  const { statements } = service.owner.production
  const [order] = await statements.rows<{ shipTo: object }>(sql`
    select ship_to from orders where order_number = ${orderNumber}`)
  const erasure = sql`
    select ledger_number, erased_on, to_json(order_numbers) as order_numbers
    from erasure where erasure_id = ${erasureId}::uuid`
  type Kept = { ledgerNumber: number; erasedOn: string; orderNumbers: number[] }
  const before = await statements.row<Kept>(erasure)
  assert.equal((await eraseRecipient(email)).erasureId, erasureId)
  await finishErasures({ database, objectStore, keptMails })
  assert.deepEqual(await everywhere(mark), [])
  // The backup has the first erasure, unfinished, and the order that came after it.
  await statements.rows(sql`
    update erasure set finished_on = null, erased_on = ${before!.erasedOn}, order_numbers = ${before!.orderNumbers}
    where erasure_id = ${erasureId}::uuid`)
  await statements.rows(sql`
    update orders set ship_to = ${JSON.stringify(order!.shipTo)}::jsonb, ship_notification_email = ${email}
    where order_number = ${orderNumber}`)
  assert.ok((await everywhere(mark)).length > 0)
  const parts = {
    database,
    objectStore,
    erasureKeys,
    now: new Date(),
    damaged: () => assert.fail('nothing is damaged'),
  }
  assert.equal(await reapplyErasures(parts), 1)
  await finishErasures({ database, objectStore, keptMails })
  assert.deepEqual(await everywhere(mark), [])
  const { ledgerNumber, orderNumbers } = (await statements.row<Kept>(erasure))!
  assert.deepEqual(
    { ledgerNumber, orderNumbers },
    { ledgerNumber: before!.ledgerNumber, orderNumbers: [...before!.orderNumbers, Number(orderNumber)] },
  )
  assert.equal(await reapplyErasures(parts), 0)
})

test('an erasure in a database from an older backup takes no number of the ledger that is taken', async () => {
  const { database, objectStore, keptMails } = service.production
  const [former, next] = [`${marker()}@whitfield.test`, `${marker()}@whitfield.test`]
  for (const email of [former, next]) await cancelledOrder(marker(), email)
  const { erasureId } = await eraseRecipient(former)
  await finishErasures({ database, objectStore, keptMails })
  const taken = (await ledgerNumbers()).at(-1)!
  await service.owner.production.statements.rows(sql`delete from erasure where erasure_id = ${erasureId}::uuid`)
  const body = { kind: 'RECIPIENT', id: next, reason: 'REQUEST', confirm: next }
  const { erasureId: later } = await made(admin.post(`${at}/erasures`, body))
  const rows = await service.owner.production.statements.rows<{ id: string; number: number }>(sql`
    select erasure_id as id, ledger_number as number from erasure where ledger_number >= ${taken} order by 2`)
  assert.deepEqual(rows, [
    { id: erasureId, number: taken },
    { id: later, number: taken + 1 },
  ])
})

test('a damaged entry of the ledger is told and passed over, and those after it are applied', async () => {
  const { database, objectStore, keptMails } = service.production
  for (const email of [`${marker()}@whitfield.test`, `${marker()}@whitfield.test`]) {
    await cancelledOrder(marker(), email)
    await eraseRecipient(email)
  }
  await finishErasures({ database, objectStore, keptMails })
  const [bad, good] = (await ledgerNumbers()).slice(-2) as [number, number]
  await service.owner.production.statements.rows(sql`delete from erasure where ledger_number in (${bad}, ${good})`)
  const store = {
    ...objectStore,
    read: (key: string) =>
      key === `erasures/${bad}.json` ? Promise.reject(new Error('its trailer does not fit')) : objectStore.read(key),
  }
  const told: number[] = []
  const damaged = (number: number) => void told.push(number)
  const parts = { database, objectStore: store, erasureKeys, now: new Date(), damaged }
  assert.equal(await reapplyErasures(parts), 1)
  assert.deepEqual(told, [bad])
  assert.equal((await ledgerNumbers()).at(-1), good)
})

test('a process removes mails that it kept itself once another has erased them, and leaves those of others', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'partner-commerce-kept-'))
  t.after(() => rm(folder, { recursive: true }))
  const kept = keptMailsIn(folder)
  const { reads } = service.production.database
  const here = await reads.row<{ mailId: string }>(sql`select mail_id from mail limit 1`)
  const mail = {
    to: 'ann@whitfield.test',
    fromName: 'Works',
    subject: 'Kept',
    text: 'Kept',
    html: '<p>Kept</p>',
    pictures: [],
  }
  for (const mailId of [here!.mailId, randomUUID()])
    await kept.send({ ...mail, mailId, replyTo: null, messageName: mailId, date: new Date() })
  assert.equal(await forgetOrphans(reads, kept, new Date(Date.now() - 600_000)), 0)
  assert.equal(await forgetOrphans(reads, kept, new Date(Date.now() + 1_000)), 1)
  assert.deepEqual(await readdir(folder), [`${here!.mailId}.eml`])
})

test('nobody is erased to whom an order is just being placed', async () => {
  const email = `${marker()}@whitfield.test`
  await cancelledOrder(marker(), email)
  const { statements } = service.owner.production
  const [submission] = await statements.rows<{ id: string }>(sql`
    insert into submission (submission_id, partner_id, partner_order_id, site_id, ordering_user_id, body_hash, body, status,
      leased_until, created_on, updated_on)
    select gen_random_uuid(), partner_id, 'under-way-' || partner_order_id, site_id, ordering_user_id, body_hash, body,
      'processing', now() + interval '1 hour', now(), now()
    from submission where lower(body #>> '{shipTo,email}') = ${email}
    returning submission_id as id`)
  const erase = { kind: 'RECIPIENT', id: email, reason: 'REQUEST', confirm: email }
  const assertRefused = async (who: typeof erase): Promise<void> => {
    const refused = await admin.post(`${at}/erasures`, who)
    assert.deepEqual([refused.status, refused.body.code], [409, 'orders_open'])
    assert.match(refused.body.detail, /An order is being placed/)
  }
  await assertRefused(erase)
  // Nor is somebody of whom nothing else is known.
  const unknown = `${marker()}@whitfield.test`
  await statements.rows(sql`
    update submission set body = jsonb_set(body, '{shipTo,email}', to_jsonb(${unknown}::text))
    where submission_id = ${submission!.id}::uuid`)
  await assertRefused({ ...erase, id: unknown, confirm: unknown })
  await statements.rows(sql`delete from submission where submission_id = ${submission!.id}::uuid`)
  await made(admin.post(`${at}/erasures`, erase))
})

test("a partner's person and a member of staff are erased with all that lets them in", async () => {
  const mark = marker()
  const { partnerId } = service.manifest.partners.primary
  const { personId } = await made(
    admin.post(`${at}/partners/${partnerId}/people`, {
      username: `${mark}@whitfield.test`,
      email: `${mark}@bramble.test`,
    }),
  )
  const { statements } = service.production.database
  await until(async () => {
    const waiting = await statements.row(sql`select from mail where recipient like ${`${mark}%`} and status <> 'KEPT'`)
    return waiting === undefined
  })
  await made(
    admin.put(`${at}/partners/${partnerId}/alert-emails`, { emails: [`${mark}@bramble.test`, 'other@bramble.test'] }),
  )
  const erase = (kind: string, id: string) => admin.post(`${at}/erasures`, { kind, id, reason: 'OTHER', confirm: id })
  const exported = JSON.stringify(await made(admin.post(`${at}/person-exports`, { kind: 'PERSON', id: personId })))
  assert.ok(exported.includes(`"alert_emails":["${mark}@bramble.test"]`), exported)
  await made(erase('PERSON', personId))
  assert.deepEqual(await everywhere(mark), [])
  assert.deepEqual((await made(admin.get(`${at}/partners/${partnerId}/alert-emails`))).emails, ['other@bramble.test'])

  const colleague = await staffWith(service, ['AUDITOR'])
  const { staffId } = (await colleague.get('/staff/v1/session')).body
  await made(colleague.post('/staff/v1/views', { page: 'orders', name: mark, query: `q=${mark}`, shared: true }))
  assert.equal((await erase('STAFF', staffId)).body.code, 'staff_enabled')
  await made(admin.post(`/staff/v1/accounts/${staffId}/disable`))
  await made(erase('STAFF', staffId))
  assert.deepEqual(await everywhere(mark), [])
  assert.equal((await colleague.get('/staff/v1/session')).status, 401)
})
