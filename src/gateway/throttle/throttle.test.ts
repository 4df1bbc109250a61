import assert from 'node:assert/strict'
import { test } from 'node:test'
import { done } from '../../../test/world/done.ts'
import { testDatabase } from '../../../test/world/database.ts'
import { bearerPartner, silent, staffChange } from '../../../test/world/partner-builder.ts'
import type { Tier } from '../../contract/caller.ts'
import { openDatabase, type Database } from '../../database/database.ts'
import { sql, type Sql } from '../../database/sql.ts'
import { createPartner } from '../../partners/partners.ts'
import { tiers } from '../../partners/tiers.ts'
import { Outage } from '../../vocabulary/outage.ts'
import { localBuckets, type Buckets } from './buckets.ts'
import { dailyQuota, type DailyQuota, type Spender } from './daily-quota.ts'
import { createThrottle, type Throttle } from './throttle.ts'

const noon = new Date('2026-03-01T12:00:00.000Z')
const day = '2026-03-01'

const { database } = await testDatabase()

/** A throttle with clocks that move only when a test moves them. */
function newThrottle(limits: 'on' | 'off' = 'on', overDatabase = database) {
  let elapsed = 0
  const throttle = createThrottle({
    database: overDatabase,
    now: () => noon,
    buckets: localBuckets(() => elapsed),
    limits,
    log: silent,
  })
  return { throttle, elapse: (milliseconds: number) => void (elapsed += milliseconds) }
}

async function newPartner(tier: Tier): Promise<Spender> {
  const { partnerId } = await bearerPartner(database, noon, { tier })
  return { partnerId, tier }
}

/** Makes it look as if this many of today's requests were already spent. */
async function useUp({ partnerId }: Spender, taken: number): Promise<void> {
  await database.statements.rows(sql`
    insert into partner_quota (partner_id, day, taken) values (${partnerId}, ${day}, ${taken})
    on conflict (partner_id, day) do update set taken = excluded.taken`)
}

async function takenOn({ partnerId }: Spender, onDay = day): Promise<number | undefined> {
  const row = await database.statements.row<{ taken: number }>(
    sql`select taken from partner_quota where partner_id = ${partnerId} and day = ${onDay}`,
  )
  return row?.taken
}

/** How many requests the quota lets through before it refuses. */
async function admittedBy(quota: DailyQuota, spender: Spender, now = noon, most = Infinity): Promise<number> {
  let count = 0
  while (count < most && (await quota.spend(spender, now)).allowed) count++
  return count
}

test('LIM-05 LIM-07 ERR-70 a burst is admitted, the next request gets 429 with Retry-After, and one per interval afterwards', async () => {
  const { throttle, elapse } = newThrottle()
  const trial = await newPartner('TRIAL')
  for (let turn = 0; turn < tiers.TRIAL.burst; turn++) assert.ok((await throttle.spend(trial, noon)).allowed)
  const refused = await throttle.spend(trial, noon)
  assert.equal(refused.allowed, false)
  assert.equal(refused.retryAfterSeconds, 1)
  // The same partner in another object shares the bucket; another partner has a bucket of its own.
  assert.equal((await throttle.spend({ ...trial }, noon)).allowed, false)
  assert.ok((await throttle.spend(await newPartner('TRIAL'), noon)).allowed)
  elapse(500)
  assert.ok((await throttle.spend(trial, noon)).allowed)
  assert.equal((await throttle.spend(trial, noon)).allowed, false)
  await throttle.close()
})

test('every answer carries the policies and what is left of them', async () => {
  const { throttle } = newThrottle()
  const [enterprise, trial] = [await newPartner('ENTERPRISE'), await newPartner('TRIAL')]
  const { headers } = await throttle.spend(enterprise, noon)
  assert.deepEqual(headers, {
    'ratelimit-policy': '"burst";q=100;w=2, "daily";q=1000000;w=86400',
    ratelimit: '"burst";r=99;t=1, "daily";r=999999;t=43200',
  })
  for (let turn = 0; turn < 5; turn++) await throttle.spend(trial, noon)
  assert.deepEqual((await throttle.spend(trial, noon)).headers, {
    'ratelimit-policy': '"burst";q=5;w=3, "daily";q=10000;w=86400',
    ratelimit: '"burst";r=0;t=3',
  })
  await throttle.close()
})

test('LIM-06 ERR-70 requests beyond the quota are refused until exactly 00:00 UTC', async () => {
  const { throttle, elapse } = newThrottle()
  const spender = await newPartner('STANDARD')
  await useUp(spender, 100_000 - 3)
  for (let turn = 0; turn < 3; turn++) assert.ok((await throttle.spend(spender, noon)).allowed)
  const refused = await throttle.spend(spender, noon)
  assert.deepEqual([refused.allowed, refused.retryAfterSeconds], [false, 43_200])
  const known = await throttle.spend(spender, noon)
  assert.equal(known.headers.ratelimit, '"daily";r=0;t=43200')
  assert.deepEqual(await throttle.remaining(spender, noon), {
    dailyRemaining: 0,
    dailyResetsOn: new Date('2026-03-02T00:00:00.000Z'),
  })
  elapse(60_000)
  const lastMoment = new Date('2026-03-01T23:59:59.001Z')
  assert.equal((await throttle.spend(spender, lastMoment)).retryAfterSeconds, 1)
  const midnight = new Date('2026-03-02T00:00:00.000Z')
  assert.ok((await throttle.spend(spender, midnight)).allowed)
  assert.equal((await throttle.remaining(spender, midnight)).dailyRemaining, 99_999)
  await throttle.close()
})

test('a request refused by the bucket does not use the quota', async () => {
  const { throttle } = newThrottle()
  const spender = await newPartner('TRIAL')
  for (let turn = 0; turn < 50; turn++) await throttle.spend(spender, noon)
  assert.equal((await throttle.remaining(spender, noon)).dailyRemaining, 10_000 - 5)
  await throttle.close()
  assert.equal(await takenOn(spender), 5)
})

test('LIM-06 the quota is exact to the request over concurrent and successive instances', async () => {
  const spender = await newPartner('ENTERPRISE')
  await useUp(spender, 1_000_000 - 777)
  const [one, two] = [dailyQuota({ database, log: silent }), dailyQuota({ database, log: silent })]
  const [byOne, byTwo] = await Promise.all([admittedBy(one, spender, noon, 150), admittedBy(two, spender, noon, 250)])
  assert.equal(byOne + byTwo, 400)
  await one.close()
  const three = dailyQuota({ database, log: silent })
  const rest = await Promise.all([admittedBy(two, spender), admittedBy(three, spender)])
  assert.equal(rest[0] + rest[1], 377)
  await Promise.all([two.close(), three.close()])
  assert.equal(await takenOn(spender), 1_000_000)
})

test('LIM-06 of requests that arrive together at the end of the quota exactly as many as are left are admitted', async () => {
  const spender = await newPartner('STANDARD')
  await useUp(spender, 100_000 - 37)
  const instances = [1, 2, 3].map(() => dailyQuota({ database, log: silent }))
  const spendings = await Promise.all(
    Array.from({ length: 120 }, (_, turn) => instances[turn % 3]!.spend(spender, noon)),
  )
  assert.equal(spendings.filter(({ allowed }) => allowed).length, 37)
  await Promise.all(instances.map((instance) => instance.close()))
  assert.equal(await takenOn(spender), 100_000)
})

test('LIM-06 an instance that dies loses at most one block and never gives more than the quota', async () => {
  const spender = await newPartner('STANDARD')
  await useUp(spender, 100_000 - 500)
  // Never closed, as after kill -9.
  const died = dailyQuota({ database, log: silent })
  assert.equal(await admittedBy(died, spender, noon, 35), 35)
  await died.remaining(spender, noon)
  const next = dailyQuota({ database, log: silent })
  const admitted = await admittedBy(next, spender)
  assert.ok(admitted <= 465 && admitted >= 465 - tiers.STANDARD.burst, String(admitted))
  await next.close()
})

test('a burst waits only for its first request, since a block was taken in advance', async () => {
  const spender = await newPartner('ENTERPRISE')
  const quota = dailyQuota({ database, log: silent })
  await quota.spend(spender, noon)
  for (const burst of [99, 100, 100]) {
    for (let turn = 0; turn < burst; turn++) assert.ok(!(quota.spend(spender, noon) instanceof Promise), `${turn}`)
    // Waits for the statement under way, as the time until the bucket is full again would.
    await quota.remaining(spender, noon)
  }
  await quota.close()
  assert.equal(await takenOn(spender), 300)
})

test('what a quiet partner left unused is given back, and another instance can spend it within a second', async () => {
  const spender = await newPartner('STANDARD')
  await useUp(spender, 100_000 - 100)
  const [quiet, busy] = [dailyQuota({ database, log: silent }), dailyQuota({ database, log: silent })]
  await quiet.spend(spender, noon)
  const admitted = await admittedBy(busy, spender)
  assert.ok(admitted < 99)
  assert.ok(busy.isSpent(spender, noon))
  quiet.giveBackIdle(new Date(noon.getTime() + 29_000))
  quiet.giveBackIdle(new Date(noon.getTime() + 30_000))
  await quiet.close()
  const soon = new Date(noon.getTime() + 1000)
  assert.equal(busy.isSpent(spender, soon), false)
  assert.equal(admitted + (await admittedBy(busy, spender, soon)), 99)
  await busy.close()
})

test('STF-09 a changed tier applies at once to bucket and quota, and no quota taken before is lost', async () => {
  const { throttle } = newThrottle()
  const trial = await newPartner('TRIAL')
  await useUp(trial, 10_000 - 2)
  assert.ok((await throttle.spend(trial, noon)).allowed)
  assert.ok((await throttle.spend(trial, noon)).allowed)
  assert.equal((await throttle.spend(trial, noon)).allowed, false)
  const standard: Spender = { ...trial, tier: 'STANDARD' }
  const { allowed, headers } = await throttle.spend(standard, noon)
  assert.ok(allowed)
  assert.equal(headers.ratelimit, '"burst";r=19;t=1, "daily";r=89999;t=43200')
  assert.equal((await throttle.spend(trial, noon)).retryAfterSeconds, 43_200)
  await throttle.close()
  assert.equal(await takenOn(trial), 10_001)
})

test('LIM-06 of a block that several requests of yesterday waited for, the unused rest is given back once', async () => {
  const spender = await newPartner('STANDARD')
  const quota = dailyQuota({ database, log: silent })
  const midnight = new Date('2026-03-02T00:00:00.000Z')
  const [one, other, today] = await Promise.all([
    quota.spend(spender, noon),
    quota.spend(spender, noon),
    quota.spend(spender, midnight),
  ])
  assert.ok(one.allowed && other.allowed && today.allowed)
  await quota.close()
  assert.deepEqual([await takenOn(spender), await takenOn(spender, '2026-03-02')], [2, 1])
})

test('a block of yesterday that arrives after midnight does not count for today', async () => {
  const spender = await newPartner('TRIAL')
  const quota = dailyQuota({ database, log: silent })
  const midnight = new Date('2026-03-02T00:00:00.000Z')
  const [late, early] = await Promise.all([quota.spend(spender, noon), quota.spend(spender, midnight)])
  assert.ok(late.allowed && early.allowed)
  assert.equal(await quota.remaining(spender, midnight), 9_999)
  await quota.close()
  assert.deepEqual([await takenOn(spender), await takenOn(spender, '2026-03-02')], [1, 1])
})

test('ERR-72 with the database unreachable requests are an outage once the block taken in advance is spent', async () => {
  let broken = false
  const failing = async <Result>(query: Sql, run: (query: Sql) => Promise<Result>): Promise<Result> => {
    if (broken) throw new Outage('the database')
    return run(query)
  }
  const flaky: Database = {
    ...database,
    statements: {
      rows: (query) => failing(query, (sent) => database.statements.rows(sent)),
      row: (query) => failing(query, (sent) => database.statements.row(sent)),
    },
  }
  const spender = await newPartner('ENTERPRISE')
  const quota = dailyQuota({ database: flaky, log: silent })
  await quota.spend(spender, noon)
  broken = true
  assert.equal(await admittedBy(quota, spender, noon, 99), 99)
  await assert.rejects(async () => quota.spend(spender, noon), Outage)
  broken = false
  assert.ok((await quota.spend(spender, noon)).allowed)
  await quota.close()
  assert.equal(await takenOn(spender), 101)

  const unreachable = openDatabase('postgres://nobody@127.0.0.1:9/none', { log: silent })
  const { throttle } = newThrottle('on', unreachable)
  await assert.rejects(async () => throttle.spend(spender, noon), Outage)
  await assert.rejects(throttle.remaining(spender, noon), Outage)
  await throttle.close()
  await unreachable.close()
})

test('the limits can be turned off', async () => {
  const { throttle } = newThrottle('off')
  const spender = await newPartner('TRIAL')
  for (let turn = 0; turn < 1000; turn++) assert.ok((await throttle.spend(spender, noon)).allowed)
  assert.equal((await throttle.remaining(spender, noon)).dailyRemaining, 10_000)
  await throttle.close()
  assert.equal(await takenOn(spender), undefined)
})

test('buckets shared by several processes may answer later', async () => {
  const local = localBuckets(() => 0)
  const shared: Buckets = { ...local, spend: async (partnerId, tier) => local.spend(partnerId, tier) }
  const throttles: Throttle[] = [1, 2].map(() =>
    createThrottle({ database, now: () => noon, limits: 'on', log: silent, buckets: shared }),
  )
  const spender = await newPartner('TRIAL')
  const spendings = await Promise.all(
    Array.from({ length: 12 }, (_, turn) => throttles[turn % 2]!.spend(spender, noon)),
  )
  assert.equal(spendings.filter(({ allowed }) => allowed).length, tiers.TRIAL.burst)
  await Promise.all(throttles.map((throttle) => throttle.close()))
})

test('a full bucket is forgotten, and starts full when it is used again', () => {
  let elapsed = 0
  const buckets = localBuckets(() => elapsed)
  const spend = () => buckets.spend('p', 'TRIAL') as { allowed: boolean; tokens: number }
  for (let turn = 0; turn < 5; turn++) spend()
  elapsed = 2000
  buckets.forgetFull()
  assert.equal(spend().tokens, 3)
  elapsed = 60_000
  buckets.forgetFull()
  assert.equal(spend().tokens, 4)
})

test('a partner onboarded to mutual TLS is limited like any other', async () => {
  const wish = { name: 'Certificate partner', machineMethod: 'MTLS' } as const
  const { partnerId } = await done(database.change((tx) => createPartner(tx, staffChange(noon), wish)))
  const { throttle } = newThrottle()
  const spender: Spender = { partnerId, tier: 'TRIAL' }
  const spendings = await Promise.all(Array.from({ length: 8 }, () => throttle.spend(spender, noon)))
  assert.equal(spendings.filter(({ allowed }) => allowed).length, 5)
  await throttle.close()
})
