import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { operationIds, ownIds, sampleCall, urlOf } from '../every-operation/sample-calls.ts'
import { testServiceRole } from '../world/database.ts'
import { ownTime } from '../world/own-time.ts'
import { orderBuilder, type Json, type OrderBuilder } from '../world/order-builder.ts'
import { assertOrdersConsistent, stockEverHeld, withClient } from './order-world.ts'
import { partner, send, type Answer, type Partner } from '../world/partner.ts'
import { startTestService, type TestService } from '../world/service.ts'
import { embeddedUrl, freshDataDir, postgresProcesses, signalAll } from '../world/service-process.ts'
import { staff } from '../world/staff.ts'
import { layWire, type Wire } from '../world/wire.ts'
import { methodOf, pathOf } from '../../src/contract/operation.ts'
import { startEmbeddedServer, type EmbeddedServer } from '../../src/database/embedded/server.ts'
import { ensureDatabase, ensureRole } from '../../src/database/migrate.ts'
import { staffApi } from '../../src/staff/api.ts'
import type { StaffOperation } from '../../src/staff/operation.ts'

/** When the database is gone, silent, slow or full, every failing call gets 503 within 5 seconds and no other error. */
let service: TestService
let dataDir: string
let removeDataDir: () => Promise<void>
let server: EmbeddedServer
let url: string
let wire: Wire
let primary: Partner
let build: OrderBuilder

const answerSecondsMax = 5

/** Uncaught errors. They would have ended the service in a process of its own. */
const uncaught: unknown[] = []
const onUncaught = (error: unknown): unknown => uncaught.push(error)

before(async () => {
  process.on('uncaughtException', onUncaught)
  ;({ dataDir, remove: removeDataDir } = await freshDataDir())
  // This file has its own server, so its faults affect no other test.
  server = await startEmbeddedServer({ folder: join(dataDir, 'postgres'), log: () => undefined })
  await ensureDatabase(server.url('postgres'), 'production')
  await ensureDatabase(server.url('postgres'), 'sandbox')
  await ensureRole(server.url('postgres'), testServiceRole)
  // Connects over loopback, where the test can cut the connection.
  url = await embeddedUrl(dataDir, 'production')
  wire = await layWire(url)
  service = await startTestService({
    databases: { production: wire.url(url), sandbox: server.url('sandbox') },
    // By default, the service waits far longer for an order than for the database.
    submissionWaitMilliseconds: 100,
  })
  primary = await partner(service, 'primary')
  build = orderBuilder(service.manifest)
})
afterEach(() => {
  wire.mend()
  assert.deepEqual(uncaught, [])
})
after(async () => {
  process.off('uncaughtException', onUncaught)
  await service?.close()
  await wire?.close()
  await server?.stop()
  await removeDataDir()
})

type Timed = { answer: Answer; seconds: number }

async function timed(call: () => Promise<Answer>): Promise<Timed> {
  const startedAt = ownTime()
  const answer = await call()
  return { answer, seconds: (ownTime() - startedAt) / 1000 }
}

const reads = ['/v1/me', '/v1/orders', '/v1/orders/submissions', '/v1/products', '/v1/sites', '/v1/users']

/** Sends one call of each kind concurrently: reads, orders, a token. */
function oneOfEach(orders: Json[]): Promise<Timed[]> {
  const { clientId, clientSecret } = service.manifest.partners.primary!.clients![0]!
  return Promise.all([
    ...reads.map((path) => timed(() => primary.get(path))),
    ...orders.map((body) => timed(() => primary.post('/v1/orders', body))),
    timed(() =>
      send(
        service.hosts.baseUrl,
        'POST',
        '/oauth2/token',
        `grant_type=client_credentials&client_id=${clientId}&client_secret=${clientSecret}`,
        { 'content-type': 'application/x-www-form-urlencoded' },
      ),
    ),
  ])
}

function assertAllTold(all: readonly Timed[], statuses: readonly number[] = [503]): void {
  for (const { answer, seconds } of all) {
    assert.ok(seconds < answerSecondsMax, `an answer took ${seconds} s: ${answer.status}`)
    assert.ok(statuses.includes(answer.status), `${answer.status} ${JSON.stringify(answer.body)}`)
    if (answer.status === 503 && answer.body.requestId) assert.equal(answer.body.code, 'service_unavailable')
  }
}

async function assertPings(): Promise<void> {
  const ping = await timed(() => primary.get('/v1/ping'))
  assert.equal(ping.answer.status, 200)
  assert.ok(ping.seconds < 1)
}

/** Everything works again in time, without intervention. */
async function assertRecovers(orders: readonly Json[], secondsMax = 60): Promise<void> {
  const startedAt = performance.now()
  for (;;) {
    const all = await oneOfEach([build.order()])
    if (all.every(({ answer }) => answer.status < 300)) break
    assert.ok(performance.now() - startedAt < secondsMax * 1_000, 'it did not recover')
    await pause(100)
  }
  for (const body of orders) {
    const answer = await primary.post('/v1/orders', body)
    assert.ok([200, 201].includes(answer.status), JSON.stringify(answer.body))
    const { submissionId } = answer.body
    for (let status = answer.body.status; status !== 'completed';) {
      assert.notEqual(status, 'failed')
      await pause(50)
      status = (await primary.get(`/v1/orders/submissions/${submissionId}`)).body.status
    }
  }
  const direct = new pg.Client({ connectionString: url })
  await direct.connect()
  const keys = orders.map((body) => body.partnerOrderId)
  const { rows } = await direct.query('select count(*)::int as count from orders where partner_order_id = any($1)', [
    keys,
  ])
  await direct.end()
  assert.deepEqual(rows, [{ count: orders.length }])
}

function someOrders(count = 3): Json[] {
  return Array.from({ length: count }, () => build.order())
}

test('ERR-72 calls get 503 at once when the database is gone, and the service recovers by itself', async () => {
  const orders = someOrders()
  wire.cut()
  for (let turn = 0; turn < 3; turn++) {
    assertAllTold(await oneOfEach(orders))
    await assertPings()
  }
  assert.equal((await fetch(`${service.hosts.opsUrl}/readyz`)).status, 503)
  assert.equal((await fetch(`${service.hosts.opsUrl}/healthz`)).status, 200)
  wire.mend()
  await assertRecovers(orders)
})

test('ERR-72 every operation of partners and staff, the token endpoint and the sign-in say with a 503 when to try again', async () => {
  const { baseUrl } = service.hosts
  const employee = await staff(service)
  const ids = ownIds(service.manifest)
  wire.cut()
  const asked: [name: string, ask: () => Promise<Pick<Answer, 'status' | 'headers'>>][] = [
    ...operationIds
      .filter((id) => id !== 'ping')
      .map((id): (typeof asked)[number] => {
        const call = sampleCall(id, ids)
        return [id, () => primary.call(call.method, urlOf(id, call), call.body)]
      }),
    ...Object.values(staffApi)
      .filter((entry) => !(entry as StaffOperation).open)
      .map((entry): (typeof asked)[number] => {
        const path = pathOf(entry).replaceAll(/\{(\w+)\}/g, (_, name: string) =>
          name === 'environment' ? 'production' : '1',
        )
        return [entry.id, () => employee.call(methodOf(entry), path)]
      }),
    ...[
      ['GET', '/oauth2/authorize?client_id=demo-mcp-client&response_type=code'],
      ['POST', '/oauth2/token', 'grant_type=client_credentials&client_id=a&client_secret=b'],
      ['POST', '/oauth2/revoke', 'client_id=demo-mcp-client&token=x'],
    ].map(([method, path, body]): (typeof asked)[number] => [
      path!,
      () =>
        fetch(baseUrl + path!, {
          method: method!,
          ...(body && { body: new URLSearchParams(body) }),
          redirect: 'manual',
        }),
    ]),
  ]
  assert.ok(asked.length > 180, `only ${asked.length} were asked`)
  for (const [name, ask] of asked) {
    const { status, headers } = await ask()
    assert.equal(status, 503, name)
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/, name)
  }
  wire.mend()
  await assertRecovers([])
})

test('ERR-72 when the database stops responding, waiting and new calls get 503 within 5 seconds', async () => {
  const orders = someOrders()
  wire.stop()
  const first = oneOfEach(orders)
  await assertPings()
  assertAllTold(await first)
  assertAllTold(await oneOfEach(orders))
  await assertPings()
  wire.mend()
  await assertRecovers(orders)
})

test('ERR-72 the service drops silently dead connections, though new ones would work', async () => {
  const orders = someOrders()
  wire.stopThoseThereAre()
  assertAllTold(await oneOfEach(orders), [200, 201, 503])
  await assertRecovers(orders)
})

test('ERR-72 every call is answered within 5 seconds, however slow the database', async () => {
  const orders = someOrders()
  for (const milliseconds of [400, 900, 1_600]) {
    wire.slow(milliseconds)
    assertAllTold(await oneOfEach(orders), [200, 201, 503])
    await assertPings()
  }
  wire.mend()
  await assertRecovers(orders)
})

test('ERR-72 calls that wait for a database lock get 503 within 5 seconds, however many there are', async () => {
  const orders = someOrders(60)
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  await holder.query('begin; lock table submission in exclusive mode')
  try {
    const posted = await Promise.all(orders.map((body) => timed(() => primary.post('/v1/orders', body))))
    assertAllTold(posted)
    const others = await Promise.all(reads.map((path) => timed(() => primary.get(path))))
    assertAllTold(others, [200, 503])
    await assertPings()
  } finally {
    await holder.end()
  }
  await assertRecovers(orders)
})

test('ERR-72 calls get 503 within 5 seconds while PostgreSQL is paused, and the service uses it again once it resumes', async () => {
  const orders = someOrders()
  const processes = await postgresProcesses(dataDir)
  signalAll(processes, 'SIGSTOP')
  try {
    assertAllTold(await oneOfEach(orders))
    await assertPings()
    assertAllTold(await oneOfEach(orders))
  } finally {
    signalAll(processes, 'SIGCONT')
  }
  await assertRecovers(orders)
})

test('ERR-72 calls get 503 after PostgreSQL is killed mid-transaction until it is back, and no order is lost', async () => {
  const stock = await withClient(url, stockEverHeld)
  const orders = Array.from({ length: 30 }, () => build.order({ lines: [build.stockLine()] }))
  // A transaction with some of these orders has begun and waits for the stock row; the other orders queue after it.
  const holder = new pg.Client({ connectionString: url })
  holder.on('error', () => undefined)
  await holder.connect()
  await holder.query('begin; select from variant where variant_id = 60001 for update')
  const begun = await Promise.all(orders.slice(0, 20).map((body) => primary.post('/v1/orders', body)))
  assert.ok(begun.every((answer) => answer.status === 201))
  const waiting = 'select count(*)::int as count from pg_locks where not granted'
  while ((await holder.query<{ count: number }>(waiting)).rows[0]!.count < 1) await pause(10)
  const processes = await postgresProcesses(dataDir)

  const load = Promise.all(orders.map((body) => timed(() => primary.post('/v1/orders', body))))
  signalAll(processes, 'SIGKILL')
  const posted = await load
  assertAllTold(posted, [200, 201, 503])
  await assertPings()
  await assertRecovers(orders)
  assert.equal(await embeddedUrl(dataDir, 'production'), url, 'on the port it had')
  await withClient(url, (client) => assertOrdersConsistent(client, stock))
})

test('ERR-72 calls get 503 when PostgreSQL has no free connection, and the service recovers by itself', async () => {
  const orders = someOrders()
  wire.cut()
  const crowd: pg.Client[] = []
  try {
    for (;;) {
      const client = new pg.Client({ connectionString: url })
      client.on('error', () => undefined)
      await client.connect()
      crowd.push(client)
    }
  } catch (error) {
    assert.equal((error as { code?: string }).code, '53300', 'too many connections')
  }
  wire.mend()
  try {
    assertAllTold(await oneOfEach(orders), [200, 201, 503])
    await assertPings()
  } finally {
    await Promise.all(crowd.map((client) => client.end()))
  }
  await assertRecovers(orders)
})
