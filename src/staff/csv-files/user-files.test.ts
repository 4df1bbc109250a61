import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { lockWait } from '../../../test/world/lock-waits.ts'
import { partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'
import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { createProducts } from '../../platform/catalog/create-products.ts'
import { readCsv } from '../csv/read-csv.ts'
import { applyUsers, userTable } from './user-table.ts'

const service = await testService()
const admin = await staff(service)

const fileAt = (siteId: number) => `/staff/v1/production/sites/${siteId}/users.csv`
const send = (siteId: number, body: string, query = '') =>
  admin.call('POST', fileAt(siteId) + query, body, { 'content-type': 'text/csv' })

async function exported(siteId: number): Promise<string[]> {
  const answer = await admin.get(fileAt(siteId))
  assert.equal(answer.status, 200)
  return (answer.body as string).split('\r\n').filter((line) => line !== '')
}

/** All that is known of users, and how often anything was changed. */
async function state(): Promise<unknown> {
  return service.production.database.statements.row(sql`
    select (select md5(string_agg(site_user::text, '|' order by user_id)) from site_user) as users,
      (select md5(string_agg(user_segment::text, '|' order by user_id, segment_id)) from user_segment) as memberships,
      (select count(*) from audit_record) as records`)
}

const change: Change = { actor: { kind: 'STAFF', id: 'tester' }, now: new Date(), requestId: null }

const newLine = (name: string, changes: { email?: string; division?: number } = {}) =>
  `,${name},${changes.email ?? `${name}@example.com`},Sia,Berg,,,${changes.division ?? ''},true,false,false,true`

test('users that were exported are imported again and change nothing, and no password is in the file', async () => {
  const { main } = service.manifest.sites
  await service.production.database.statements.rows(sql`
    update site_user set password_hash = 'never-told' where user_id = ${service.manifest.fixtures.users.plain}`)
  const former = await state()
  for (const siteId of Object.values(service.manifest.sites)) {
    const lines = await exported(siteId)
    assert.doesNotMatch(lines.join(), /never-told/)
    const { status, body } = await send(siteId, lines.join('\n'))
    assert.deepEqual([status, body.unchanged, body.errorCount], [200, lines.length - 1, 0], JSON.stringify(body))
  }
  assert.deepEqual(await state(), former)
  assert.ok((await exported(main)).length > 5)
})

test('USR-15 a file creates and changes users, rules assign their segments, and partners read them at once', async () => {
  const { main } = service.manifest.sites
  const { plain } = service.manifest.fixtures.users
  const primary = await partner(service, 'primary')
  const [header, ...lines] = await exported(main)
  const own = lines.find((line) => line.startsWith(`"${plain}"`))!
  const { company } = (await primary.get(`/v1/users/${plain}`)).body
  const cells = own.split(',')
  cells[header!.split(',').indexOf('company')] = '"\'=Wombat & Co"'
  const name = `csv.${randomUUID().slice(0, 8)}`
  const body = [header, newLine(name, { email: `${name}@franchise.example` }), cells.join(',')].join('\n')

  const former = await state()
  const tried = await send(main, body, '?dryRun=true')
  assert.deepEqual([tried.body.imported, tried.body.created, tried.body.updated], [false, 1, 1])
  assert.deepEqual(await state(), former)

  const done = await send(main, body)
  assert.deepEqual([done.body.imported, done.body.created, done.body.updated], [true, 1, 1])
  const changed = (await primary.get(`/v1/users/${plain}`)).body
  assert.deepEqual([changed.company, company === changed.company], ['=Wombat & Co', false])
  const [created] = (await admin.get(`/staff/v1/production/users?username=${name}`)).body.users
  const shown = (await primary.get(`/v1/users/${created.userId}`)).body
  assert.deepEqual([shown.taxExempt, shown.email], [true, `${name}@franchise.example`])
  assert.deepEqual(
    shown.segments.map(({ autoAssigned }: { autoAssigned: boolean }) => autoAssigned),
    [true],
  )
})

test('every wrong row is reported with its column, and nothing of the file is imported', async () => {
  const { main } = service.manifest.sites
  const { plain, inactive } = service.manifest.fixtures.users
  const [header, ...lines] = await exported(main)
  const own = lines.find((line) => line.startsWith(`"${plain}"`))!
  const { email, username } = (await admin.get(`/staff/v1/production/users/${plain}`)).body
  const other = (await admin.get(`/staff/v1/production/users/${inactive}`)).body
  const { orderingUserId } = (await admin.get(`/staff/v1/production/sites/${main}`)).body
  const ordering = lines.find((line) => line.startsWith(`"${orderingUserId}"`))!
  const body = [
    header,
    newLine('fine.one'),
    newLine('wrong.email', { email: 'nowhere' }),
    newLine('twice'),
    newLine('TWICE', { email: 'another@example.com' }),
    newLine('taken', { email }),
    newLine('lost', { division: 5031 }),
    newLine('far', { division: 9_999_999_999 }),
    newLine(' '),
    newLine('half').replace('true', 'yes'),
    own.replace(`"${username}"`, '"renamed"'),
    own,
    own.replace(`"${plain}"`, '999999'),
    own.replace(`"${plain}"`, `${inactive}`).replace(`"${username}"`, `"${other.username}"`),
    ordering.replace('true', 'false'),
    newLine('zero\u200bwidth', { email: 'zero@example.com' }),
    newLine('\u0430dmin', { email: 'mixed@example.com' }),
    newLine('blank', { email: 'blank@example.com' }).replace('Berg', '\u00a0\u200b'),
    newLine('FINE.ONE ', { email: 'same@example.com' }),
    newLine('nameless', { email: 'nameless@example.com' }).replace('Sia', ''),
  ].join('\n')
  const former = await state()
  const { status, body: report } = await send(main, body)
  assert.equal(status, 422)
  assert.deepEqual(
    report.errors.map(({ row, column, code }: Record<string, unknown>) => [row, column, code]),
    [
      [3, 'email', 'user_not_usable'],
      [5, null, 'user_already_exists'],
      [6, null, 'user_already_exists'],
      [7, 'divisionId', 'division_not_on_site'],
      [8, 'divisionId', 'division_not_on_site'],
      [9, 'username', 'user_not_usable'],
      [10, 'active', 'cell_malformed'],
      [11, 'username', 'username_fixed'],
      [12, 'userId', 'row_repeated'],
      [13, 'userId', 'user_not_found'],
      [14, 'email', 'email_taken'],
      [15, 'active', 'is_ordering_user'],
      [16, 'username', 'user_not_usable'],
      [17, 'username', 'user_not_usable'],
      [18, 'lastName', 'user_not_usable'],
      [19, null, 'user_already_exists'],
      [20, 'firstName', 'user_not_usable'],
    ],
  )
  assert.deepEqual([report.imported, report.created, report.rows], [false, 2, 19])
  assert.deepEqual(await state(), former)
})

test('within a file e-mail addresses pass from user to user, the lowest id first, and new users come last', async () => {
  const { main } = service.manifest.sites
  const names = ['hand.one', 'hand.two', 'hand.three', 'hand.four']
  const others = Array.from({ length: 300 }, (_, index) => `bystander.${index}`)
  const [header] = await exported(main)
  const first = [header, ...[...names, ...others].map((name) => newLine(name))]
  assert.equal((await send(main, first.join('\n'))).status, 200)
  const lines = await exported(main)
  const withAddress = (name: string, address: string) =>
    lines.find((line) => line.includes(`"${name}"`))!.replace(`"${name}@example.com"`, `"${address}@example.com"`)

  const early = [header, withAddress('hand.two', 'hand.one'), withAddress('hand.one', 'hand.two')]
  const both = [header, withAddress('hand.four', 'Hand.Free'), withAddress('hand.three', 'hand.free')]
  for (const [body, refusedRows] of [
    [early, [2, 3]],
    [both, [2]],
  ] as const) {
    const { errors } = (await send(main, body.join('\n'))).body
    assert.deepEqual(
      errors.map(({ row, column, code }: Record<string, unknown>) => [row, column, code]),
      refusedRows.map((row) => [row, 'email', 'email_taken']),
    )
  }

  const onward = [
    header,
    newLine('hand.five', { email: 'HAND.three@example.com' }),
    withAddress('hand.three', 'hand.two'),
    withAddress('hand.two', 'hand.one'),
    withAddress('hand.one', 'hand.free'),
  ]
  // The database may write a statement's rows in any order: here in the table's order, in which the first row is now last.
  const { rows } = await readCsv(userTable, Buffer.from(onward.join('\n')))
  const report = await service.production.database.transaction(async (tx) => {
    await tx.rows(sql`update site_user set phone = '1234' where username = 'hand.one'`)
    await tx.rows(sql`analyze site_user`)
    await tx.rows(sql`set local enable_nestloop = off`)
    await tx.rows(sql`set local enable_mergejoin = off`)
    return applyUsers(tx, main, rows, change)
  })
  assert.deepEqual(report, { created: 1, updated: 3, unchanged: 0, errors: [] })
  const stored = await service.production.database.statements.rows<{ email: string; emailFolded: string }>(sql`
    select email, email_folded from site_user where username like 'hand.%' order by user_id`)
  assert.deepEqual(
    stored.map(({ email }) => email.split('@')[0]),
    ['hand.free', 'hand.one', 'hand.two', 'hand.four', 'HAND.three'],
  )
  assert.ok(stored.every(({ email, emailFolded }) => email.toLowerCase() === emailFolded))
})

test('an e-mail address that another call takes during the import is reported as taken, with its row', async () => {
  const { main } = service.manifest.sites
  const { plain, inactive } = service.manifest.fixtures.users
  const { database } = service.production
  const [header, ...lines] = await exported(main)
  const cellsOf = (userId: number) => lines.find((line) => line.startsWith(`"${userId}"`))!.split(',')
  const { email } = (await admin.get(`/staff/v1/production/users/${plain}`)).body
  assert.equal((await send(main, [header, newLine('racer')].join('\n'))).status, 200)
  const sent = await database.transaction(async (tx) => {
    await tx.rows(sql`
      update site_user set email = 'raced@example.com', email_folded = 'raced@example.com'
      where username = 'racer' and site_id = ${main}`)
    const raced = cellsOf(plain).join(',').replace(`"${email}"`, '"raced@example.com"')
    const report = send(main, [header, raced, cellsOf(inactive).with(6, '"1234"').join(',')].join('\n'))
    await lockWait(database, 'update site_user')
    return { report }
  })
  const { errors, updated } = (await sent.report).body
  assert.deepEqual([errors.length, errors[0].row, errors[0].code, updated], [1, 2, 'email_taken', 1])
})

test('a file of many users takes as many statements as one of few', async () => {
  const { main } = service.manifest.sites
  const [header] = await exported(main)
  const statementsFor = async (lines: string[]): Promise<number> => {
    const read = await readCsv(userTable, Buffer.from([header, ...lines].join('\n')))
    let statements = 0
    await service.production.database.transaction(async (tx) => {
      const counting: Transaction = {
        ...tx,
        rows: (query) => {
          statements += 1
          return tx.rows(query)
        },
        row: (query) => {
          statements += 1
          return tx.row(query)
        },
      }
      const { created, updated, errors } = await applyUsers(counting, main, read.rows, change)
      assert.deepEqual([created + updated, errors], [lines.length, []])
    })
    return statements
  }
  const newLines = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) =>
      newLine(`${name}.${index}`, { email: `${name}${index}@franchise.example` }),
    )
  const few = await statementsFor(newLines('few', 2))
  assert.equal(await statementsFor(newLines('many', 300)), few)

  const moved = (await exported(main)).filter((line) => line.includes('@franchise.example"'))
  const away = moved.map((line) => line.replace('@franchise.example', '@elsewhere.example'))
  const fewEdits = await statementsFor(away.slice(0, 2))
  assert.equal(await statementsFor(away.slice(2)), fewEdits)
  const left = await service.production.database.statements.row<{ count: number }>(sql`
    select count(*)::int as count from user_segment join site_user using (user_id)
    where email like '%@elsewhere.example' and auto_assigned`)
  assert.equal(left!.count, 0)
})

test('while files of a site are being imported, partners still create its users and divisions', async () => {
  const { main } = service.manifest.sites
  const primary = await partner(service, 'primary')
  const newProduct = { name: 'Imported', code: 'IMPORTED', artworkSource: 'NONE', serviceType: 'POD' } as const
  const [header, line] = [(await exported(main))[0]!, newLine('imported-now')]
  const read = await readCsv(userTable, Buffer.from(`${header}\n${line}`))
  await service.production.database.transaction(async (tx) => {
    const [product] = await createProducts(tx, change, main, [newProduct])
    assert.ok('done' in product!)
    const { created, errors } = await applyUsers(tx, main, read.rows, change)
    assert.deepEqual([created, errors], [1, []])
    const name = randomUUID()
    const user = { siteId: main, username: name, email: `${name}@example.com`, firstName: 'Ada', lastName: 'Orr' }
    assert.equal((await primary.post('/v1/users', user)).status, 201)
    const division = await primary.post('/v1/divisions', { siteId: main, name, code: name })
    assert.equal(division.status, 201)
    assert.equal((await primary.patch(`/v1/divisions/${division.body.divisionId}`, { active: false })).status, 200)
  })
})
