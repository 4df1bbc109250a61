import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { testDatabase } from '../../../test/world/database.ts'
import { bearerPartner, insertSites, silent } from '../../../test/world/partner-builder.ts'
import { until } from '../../../test/world/webhooks.ts'
import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { Outage } from '../../vocabulary/outage.ts'
import { forgetRequests, madeDays } from './request-log-days.ts'
import { createRequestLog, loggedPath, type LoggedCall } from './request-log.ts'
import { readRequestLog } from './read-request-log.ts'

const { database, owner } = await testDatabase()
const { statements } = database
const quick = { writeEveryMilliseconds: 5, batchRows: 3, waitingMax: 10 }
const dayMilliseconds = 86_400_000

const none = (calls: number) => assert.equal(calls, 0)

function someCall(wish: Partial<LoggedCall> = {}): LoggedCall {
  return {
    recordedOn: new Date(),
    requestId: randomUUID(),
    operation: 'getMe',
    toolCall: false,
    method: 'GET',
    path: '/v1/me',
    status: 200,
    code: null,
    milliseconds: 1.5,
    authMethod: 'IDP_M2M',
    credential: 'pc_some',
    partnerId: randomUUID(),
    siteId: 101,
    sourceAddress: '127.0.0.1',
    retryAfter: null,
    continued: false,
    ...wish,
  }
}

/** Statements that fail while there is an error, before the database sees them or, as `after`, when it has run them. */
function faulty(): Queries & { error: Error | undefined; after: boolean } {
  const queries = {
    error: undefined as Error | undefined,
    after: false,
    rows: async <Row>(query: Parameters<Queries['rows']>[0]) => {
      const failsNow = queries.error && /insert into request_log/.test(query.text)
      if (failsNow && !queries.after) throw queries.error!
      const found = await statements.rows<Row>(query)
      if (failsNow) throw queries.error!
      return found
    },
    row: async <Row>(query: Parameters<Queries['rows']>[0]) => (await queries.rows<Row>(query))[0],
  }
  return queries
}

async function requestsOf(partnerId: string): Promise<string[]> {
  const { found: requests } = await readRequestLog(statements, { partnerId, after: undefined, limit: 1_000 })
  return requests.map(({ requestId }) => requestId).toReversed()
}

test('what was noted is written in a while, and at the latest when the log is closed', async () => {
  const partnerId = randomUUID()
  const log = createRequestLog({ statements, log: silent, dropped: none, timing: quick })
  const calls = Array.from({ length: 8 }, () => someCall({ partnerId }))
  log.note(calls[0]!)
  await until(async () => (await requestsOf(partnerId)).length === 1)
  for (const call of calls.slice(1)) log.note(call)
  await log.close()
  assert.deepEqual((await requestsOf(partnerId)).toSorted(), calls.map(({ requestId }) => requestId).toSorted())
})

test('what is noted while the database is away is written once it is back, and once only', async () => {
  for (const after of [false, true]) {
    const partnerId = randomUUID()
    const queries = faulty()
    Object.assign(queries, { error: new Outage('the database is away'), after })
    const warned = Promise.withResolvers<void>()
    const log = createRequestLog({
      statements: queries,
      log: { warn: () => warned.resolve() } as never,
      dropped: none,
      timing: quick,
    })
    const calls = Array.from({ length: 5 }, () => someCall({ partnerId }))
    for (const call of calls) log.note(call)
    await warned.promise
    queries.error = undefined
    await log.close()
    assert.deepEqual(
      (await requestsOf(partnerId)).toSorted(),
      calls.map(({ requestId }) => requestId).toSorted(),
      `${after}`,
    )
  }
})

test('calls beyond the room in memory are dropped and counted, and so are those that cannot be written', async () => {
  const partnerId = randomUUID()
  const queries = faulty()
  queries.error = new Outage('the database is away')
  let dropped = 0
  const log = createRequestLog({
    statements: queries,
    log: silent,
    dropped: (calls) => (dropped += calls),
    timing: quick,
  })
  for (let turn = 0; turn < 14; turn++) log.note(someCall({ partnerId }))
  assert.equal(dropped, 4)
  queries.error = undefined
  await log.close()
  assert.equal((await requestsOf(partnerId)).length, 10)
  // A clock that is a year off.
  log.note(someCall({ partnerId, recordedOn: new Date(Date.now() + 365 * dayMilliseconds) }))
  await log.close()
  assert.equal(dropped, 5)
  // An outage that lasts until the stop.
  queries.error = new Outage('the database is away')
  log.note(someCall({ partnerId }))
  await log.close()
  assert.equal(dropped, 6)
})

test('an app client that was named is noted only if there is one', async () => {
  const now = new Date()
  await insertSites(owner, [101], now)
  const { partnerId, clientId } = await bearerPartner(database, now)
  const log = createRequestLog({ statements, log: silent, dropped: none, timing: quick })
  const unresolved = { partnerId: null, credential: null, operation: 'token' }
  const known = someCall({ ...unresolved, claimedClient: clientId })
  const unknown = someCall({ ...unresolved, claimedClient: 'pcs_a-secret-in-the-wrong-place' })
  log.note(known)
  log.note(unknown)
  await log.close()
  const { found: requests } = await readRequestLog(statements, { operation: 'token', after: undefined, limit: 10 })
  assert.deepEqual(
    requests.map(({ requestId, ...request }) => [requestId, request.credential, request.partnerId]).toSorted(),
    [
      [known.requestId, clientId, partnerId],
      [unknown.requestId, null, null],
    ].toSorted(),
  )
})

test('a read looks at a bounded number of entries, and says where to look on', async () => {
  const partnerId = randomUUID()
  const log = createRequestLog({ statements, log: silent, dropped: none })
  const from = Date.now()
  const calls = Array.from({ length: 7 }, (_, turn) =>
    someCall({ partnerId, recordedOn: new Date(from + turn), status: turn === 0 ? 500 : 200 }),
  )
  for (const call of calls) log.note(call)
  await log.close()
  const wish = { partnerId, statusClass: 5, limit: 2, lookAt: 3 }
  const pages: string[][] = []
  let after: Awaited<ReturnType<typeof readRequestLog>>['goOn']
  do {
    const { found: requests, goOn } = await readRequestLog(statements, { ...wish, after })
    pages.push(requests.map(({ requestId }) => requestId))
    after = goOn
  } while (after)
  assert.deepEqual(pages, [[], [], [calls[0]!.requestId]])
})

async function days(): Promise<string[]> {
  const rows = await owner.statements.rows<{ name: string }>(sql`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'request_log'::regclass order by relname`)
  return rows.map(({ name }) => name.slice(-8))
}

const written = (date: Date) => date.toISOString().slice(0, 10).replaceAll('-', '')
const daysFrom = (offset: number) => new Date(Date.now() + offset * dayMilliseconds)

test('the day of a call and the day after get a partition, also when two instances make it at once', async () => {
  const calls = [{ recordedOn: daysFrom(3) }]
  await Promise.all([1, 2, 3].map(() => madeDays(statements).make(calls)))
  const made = await days()
  assert.ok(made.includes(written(daysFrom(3))) && made.includes(written(daysFrom(4))))
})

test('whole days are dropped two weeks after they ended, but none of the last two weeks, whatever the service’s clock says', async () => {
  await madeDays(statements).make([-20, -16, -13, 0].map((offset) => ({ recordedOn: daysFrom(offset) })))
  const before = await days()
  assert.equal(await forgetRequests(statements, daysFrom(-17)), 2)
  assert.deepEqual(
    await days(),
    before.filter((day) => day >= written(daysFrom(-18))),
  )
  // A clock that is a year ahead.
  await forgetRequests(statements, daysFrom(365))
  assert.deepEqual(
    await days(),
    before.filter((day) => day >= written(daysFrom(-14))),
  )
})

test('the service can make no other table, and cannot change or remove an entry', async () => {
  for (const statement of [
    'create table more (id int)',
    'drop table request_log',
    "delete from request_log where method = 'GET'",
    "update request_log set method = 'PUT'",
    `drop table request_log_${written(new Date())}`,
  ]) {
    await assert.rejects(statements.rows({ text: statement, name: '', values: [] }), /permission denied|must be owner/)
  }
})

test('a path keeps words and ids, and nothing else', () => {
  for (const [path, kept] of [
    ['/v1/orders/1000123/items/2/proof/approve', '/v1/orders/1000123/items/2/proof/approve'],
    ['/v1/products/SLO_100016', '/v1/products/SLO_100016'],
    ['/v1/submissions/2f1c1c1e-9d2b-4c7e-8c55-0d6d3b0e7a11', '/v1/submissions/2f1c1c1e-9d2b-4c7e-8c55-0d6d3b0e7a11'],
    ['/v1/credit-accounts/7/adjustments', '/v1/credit-accounts/7/adjustments'],
    ['/v1/users/jane@example.com', '/v1/users/…'],
    ['/v1/users/%6Aane', '/v1/users/…'],
    ['/oauth2/token', '/oauth2/token'],
    ['/v1/orders/', '/v1/orders/'],
    ['/eyJhbGciOi.J9', '/…'],
    [`/${'a/'.repeat(50)}`, `/${'a/'.repeat(10)}a`],
  ]) {
    assert.equal(loggedPath(path!), kept)
  }
})
