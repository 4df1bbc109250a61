import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../../src/database/database.ts'
import { sql } from '../../src/database/sql.ts'
import { partner } from '../world/partner.ts'
import { testService } from '../world/service.ts'
import { staff } from '../world/staff.ts'
import { asService } from '../world/database.ts'
import { until } from '../world/webhooks.ts'
import { pino } from 'pino'

const service = await testService()
const { production } = service.owner
const foreignSite = service.manifest.sites.foreign!

/** Orders of the foreign site take so long to read, each, from now on. Those of other sites do not. */
async function slowOrders(secondsOfEach: number): Promise<void> {
  for (const statement of [
    `create or replace function slow_order(site_id int) returns boolean language plpgsql volatile cost 1000000 as $$
      begin
        if site_id = ${foreignSite} then perform pg_sleep(${secondsOfEach}); end if;
        return true;
      end $$`,
    'drop policy if exists slow on orders',
    'create policy slow on orders using (slow_order(site_id)) with check (true)',
    'alter table orders enable row level security',
  ]) {
    await production.statements.rows({ text: statement, name: '', values: [] })
  }
}

async function medianMilliseconds(times: number, work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = []
  for (let index = 0; index < times; index++) {
    const startedAt = performance.now()
    await work()
    taken.push(performance.now() - startedAt)
  }
  return taken.toSorted((one, other) => one - other)[Math.floor(times / 2)]!
}

test('while eight callers loop slow lists, single reads, tokens and other lists are answered as ever', async (t) => {
  const row = await production.statements.row<{ count: number }>(
    sql`select count(*)::int as count from orders where site_id = ${foreignSite}`,
  )
  const slowSeconds = 1
  const [outsider, primary, admin] = await Promise.all([
    partner(service, 'outsider'),
    partner(service, 'primary'),
    staff(service),
  ])
  const { orderNumber } = service.manifest.fixtures.orders.approved!
  const single = async (): Promise<void> => {
    assert.equal((await primary.get(`/v1/orders/${orderNumber}`)).status, 200)
  }
  const token = async (): Promise<void> => void (await partner(service, 'primary'))
  await single()
  const quiet = { single: await medianMilliseconds(40, single), token: await medianMilliseconds(20, token) }

  await slowOrders(slowSeconds / row!.count)
  let over = false
  const slowest: number[] = []
  const loop = async (list: () => Promise<{ status: number }>): Promise<void> => {
    while (!over) {
      const startedAt = performance.now()
      assert.equal((await list()).status, 200)
      slowest.push(performance.now() - startedAt)
    }
  }
  const loops = [
    ...Array.from({ length: 6 }, () => loop(() => outsider.get('/v1/orders?limit=100'))),
    ...Array.from({ length: 2 }, () => loop(() => admin.get(`/staff/v1/production/orders?siteId=${foreignSite}`))),
  ]
  // Whatever fails below, the loops end.
  t.after(() => {
    over = true
  })
  await until(async () => slowest.length >= 8)
  const beside = { single: await medianMilliseconds(40, single), token: await medianMilliseconds(20, token) }
  for (const path of ['/v1/orders', '/v1/users', '/v1/products', '/v1/sites'])
    assert.equal((await primary.get(path)).status, 200, path)
  over = true
  await Promise.all(loops)
  // A machine with other work has spikes of some milliseconds; one that waited would have waited for a list.
  assert.ok(Math.min(...slowest) > (slowSeconds * 1_000) / 2, `the lists are slow: ${Math.min(...slowest)} ms`)
  for (const kind of ['single', 'token'] as const)
    assert.ok(
      beside[kind] <= Math.max(3 * quiet[kind], (slowSeconds * 1_000) / 10),
      `${kind}: ${quiet[kind]} ms alone, ${beside[kind]} ms beside the lists`,
    )
})

test('the server ends a statement that outlives the time of its class, and the connection goes on', async () => {
  await slowOrders(10)
  const outsider = await partner(service, 'outsider')
  const { status, headers } = await outsider.get('/v1/orders?limit=100')
  assert.equal(status, 503)
  assert.ok(headers.has('retry-after'))
  // Workers read orders too, and take longer by now. PostgreSQL keeps only the beginning of a statement.
  const running = await production.statements.rows(sql`
    select from pg_stat_activity
    where state = 'active' and wait_event = 'PgSleep' and datname = current_database()
      and query like '%select orders.order_number as "orderNumber"%'`)
  assert.deepEqual(running, [])
})

test('a single read that hangs ends alone: the others on its connection are answered', async (t) => {
  const database = openDatabase(asService(service.databases.production), {
    log: pino({ level: 'silent' }),
    connections: { reads: 1 },
  })
  t.after(database.close)
  const hangs = database.reads.rows(sql`select pg_sleep(60)`)
  const behind = database.reads.row<{ one: number }>(sql`select 1 as one`)
  await assert.rejects(hangs, { name: 'Outage' })
  assert.deepEqual(await behind, { one: 1 })
  assert.deepEqual(database.connections()[0], { pool: 'reads', total: 1, idle: 1, waiting: 0, max: 1 })
})
