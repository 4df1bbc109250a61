import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { test, type TestContext } from 'node:test'
import { pino } from 'pino'
import { ownTime } from '../../../test/world/own-time.ts'
import { newPartner } from '../../../test/world/limited.ts'
import { withToken, type Partner } from '../../../test/world/partner.ts'
import { startTestService, type TestService, type TestServiceOptions } from '../../../test/world/service.ts'
import { givenRedis } from '../../../test/world/services.ts'
import { layWire, type Wire } from '../../../test/world/wire.ts'
import type { Tier } from '../../contract/caller.ts'
import { tiers } from '../../partners/tiers.ts'
import { Outage } from '../../vocabulary/outage.ts'
import type { Buckets } from './buckets.ts'
import { sharedBuckets } from './shared-buckets.ts'
import type { BucketSpending } from './token-bucket.ts'

/** Every test uses partners of its own, so that other users of this Redis do not matter. */
const { url, skip } = await givenRedis()

const lostLine = 'Redis does not answer'
const backLine = 'Redis answers'

/** The buckets of one process. */
async function processBuckets(t: TestContext, redisUrl = url): Promise<Buckets & { lines: string[] }> {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const buckets = await sharedBuckets({ url: redisUrl, environment: 'PRODUCTION', log })
  t.after(buckets.close)
  return { ...buckets, lines }
}

async function newWire(t: TestContext): Promise<Wire> {
  const wire = await layWire(url)
  t.after(wire.close)
  return wire
}

/** Answers whether these processes logged a loss of Redis since the last call. */
function lossesOf(...logs: (readonly string[])[]): () => boolean {
  const count = (): number => logs.flat().filter((line) => line.includes(lostLine)).length
  let known = count()
  return () => {
    const [before, now] = [known, count()]
    known = now
    return now > before
  }
}

async function admittedOf(spendings: (BucketSpending | Promise<BucketSpending>)[]): Promise<number> {
  return (await Promise.all(spendings)).filter(({ allowed }) => allowed).length
}

/**
 * Spends continuously for `milliseconds`, so that the bucket never fills up, and checks that the number admitted is the
 * burst plus the refill and at most one more. A partner must not get less than its due either. Both hold only while
 * Redis answers and the bucket is spent before it is full again; on a machine too busy for that, the measurement is
 * repeated.
 * @param ask spends many at once; answers how many were admitted
 * @param wasLost whether Redis was lost since the last call
 */
async function assertShared(
  tier: Tier,
  milliseconds: number,
  wasLost: () => boolean,
  newAsk: () => Promise<() => Promise<number>>,
) {
  const { burst, sustainedPerSecond } = tiers[tier]
  for (let attempt = 1; attempt <= 5; attempt++) {
    const ask = await newAsk()
    const startedAt = performance.now()
    let admitted = await ask()
    const firstAnsweredAt = performance.now()
    let lastAskedAt = startedAt
    let longestPause = 0
    do {
      const askedAt = performance.now()
      admitted += await ask()
      longestPause = Math.max(longestPause, performance.now() - lastAskedAt)
      lastAskedAt = askedAt
    } while (performance.now() < startedAt + milliseconds)
    if (wasLost() || longestPause > (burst / sustainedPerSecond) * 1_000) continue
    const refilled = (from: number, to: number): number => ((to - from) / 1000) * sustainedPerSecond
    const most = burst + refilled(startedAt, performance.now()) + 1
    const least = burst + refilled(firstAnsweredAt, lastAskedAt) - 1
    assert.ok(admitted >= least && admitted <= most, `${tier}: ${admitted} are not between ${least} and ${most}`)
    return
  }
  assert.fail('the machine was too busy, five times')
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + 60_000
  while (!(await holds())) {
    assert.ok(performance.now() < giveUpAt, `timed out waiting until ${what}`)
    await pause(10)
  }
}

/** Log lines about the Redis connection of the production environment, which has one of its own. */
const isOfRedis = (line: string): boolean =>
  line.includes('"PRODUCTION"') && (line.includes(lostLine) || line.includes(backLine))

const has = (lines: readonly string[], text: string): boolean => lines.some((line) => line.includes(text))

test(
  'LIM-05 LIM-07 processes that share a bucket together admit a burst, the refill and at most one more',
  { skip },
  async (t) => {
    const processes = await Promise.all([1, 2, 3].map(() => processBuckets(t)))
    const lostNow = lossesOf(...processes.map(({ lines }) => lines))
    for (const tier of Object.keys(tiers) as Tier[]) {
      await assertShared(tier, 1_100, lostNow, async () => {
        const partnerId = randomUUID()
        return () => admittedOf(Array.from({ length: 60 }, (_, turn) => processes[turn % 3]!.spend(partnerId, tier)))
      })
    }
  },
)

test(
  'LIM-05 a shared bucket answers what is left, how long until a token and how long until it is full',
  { skip },
  async (t) => {
    const buckets = await processBuckets(t)
    const partnerId = randomUUID()
    const spendings = await Promise.all([1, 2, 3, 4, 5, 6].map(() => buckets.spend(partnerId, 'TRIAL')))
    assert.deepEqual(spendings[0], {
      allowed: true,
      tokens: 4,
      waitMilliseconds: 0,
      fullInMilliseconds: 500,
    })
    const refused = spendings[5]!
    assert.equal(refused.allowed, false)
    assert.equal(refused.tokens, 0)
    assert.ok(refused.waitMilliseconds > 0 && refused.waitMilliseconds <= 500)
    assert.ok(Math.abs(refused.fullInMilliseconds - 2_000 - refused.waitMilliseconds) < 0.001)
    await pause(refused.waitMilliseconds + 5)
    assert.equal((await buckets.spend(partnerId, 'TRIAL')).allowed, true)
    assert.equal((await buckets.spend(partnerId, 'STANDARD')).tokens, 19)
  },
)

test('LIM-07 every process sees what is left of a shared bucket, and looking spends nothing', { skip }, async (t) => {
  const [one, other] = [await processBuckets(t), await processBuckets(t)]
  const partnerId = randomUUID()
  assert.equal(await other.tokensLeft(partnerId, 'TRIAL'), 5)
  await Promise.all([1, 2, 3].map(() => one.spend(partnerId, 'TRIAL')))
  const left = await Promise.all([1, 2, 3, 4, 5, 6].map(() => other.tokensLeft(partnerId, 'TRIAL')))
  // A token comes back every half second.
  assert.ok(
    left.every((tokens) => tokens >= 2 && tokens <= 4),
    left.join(),
  )
  assert.equal(await other.tokensLeft(partnerId, 'STANDARD'), 20)
  assert.deepEqual([one.isShared, (await one.spend(partnerId, 'STANDARD')).tokens], [true, 19])
})

const isOutage = (error: unknown): boolean => error instanceof Outage

test(
  'LIM-07 ERR-72 spending is an outage while Redis is gone, at once except for requests under way',
  { skip },
  async (t) => {
    const wire = await newWire(t)
    const buckets = await processBuckets(t, wire.url(url))
    const spend = async (): Promise<BucketSpending> => buckets.spend(randomUUID(), 'TRIAL')
    assert.equal((await spend()).allowed, true)
    for (const [turn, lose] of [wire.cut, wire.stop].entries()) {
      lose()
      const startedAt = ownTime()
      await Promise.all(Array.from({ length: 20 }, () => assert.rejects(spend(), isOutage)))
      assert.ok(ownTime() - startedAt < 4_000)
      await assert.rejects(spend(), isOutage)

      wire.mend()
      await until('the log says that Redis is back', () => buckets.lines.at(-1)!.includes(backLine))
      assert.equal((await spend()).allowed, true)
      assert.equal(buckets.lines.filter((line) => line.includes(lostLine)).length, turn + 1)
    }
  },
)

test(
  'closing the buckets takes no time, whether Redis is there, gone or silent',
  { skip, timeout: 30_000 },
  async (t) => {
    const wire = await newWire(t)
    for (const change of [wire.mend, wire.cut, wire.stop]) {
      change()
      const buckets = await processBuckets(t, wire.url(url))
      const startedAt = ownTime()
      await buckets.close()
      assert.ok(ownTime() - startedAt < 2_000)
    }
  },
)

/** Two services on the same databases and the same Redis, each reaching it by a URL of its own. */
async function twoServices(t: TestContext, redisUrls: [string, string], options: TestServiceOptions = {}) {
  const [first, second] = redisUrls.map((redisUrl) => ({
    ...options,
    limits: 'on' as const,
    variables: { REDIS_URL: redisUrl },
  }))
  const started: TestService[] = []
  // The first service owns the databases and outlives the second.
  t.after(async () => {
    for (const service of started.toReversed()) await service.close()
  })
  const one = await startTestService(first)
  started.push(one)
  const two = await startTestService({ ...second, databases: one.databases })
  started.push(two)
  return { one, two }
}

function alsoAt({ hosts }: TestService, by: Partner): Partner {
  return withToken(hosts.baseUrl, by.token)
}

const path = '/v1/sites'

test(
  'LIM-05 LIM-07 ERR-70 two instances together admit a partner its burst, the refill and at most one more',
  { skip },
  async (t) => {
    const { one, two } = await twoServices(t, [url, url])
    await assertShared('STANDARD', 1_500, lossesOf(one.logLines, two.logLines), async () => {
      const by = await newPartner(one, 'STANDARD')
      const doors = [by, alsoAt(two, by.byOtherClient)]
      return async () => {
        const answers = await Promise.all(Array.from({ length: 24 }, (_, turn) => doors[turn % 2]!.get(path)))
        for (const { status, headers } of answers) {
          assert.ok(status === 200 || status === 429, String(status))
          assert.equal(headers.get('retry-after'), status === 429 ? '1' : null)
        }
        return answers.filter(({ status }) => status === 200).length
      }
    })
  },
)

test(
  'LIM-07 ERR-72 with Redis gone or silent an instance answers 503 within five seconds and ping as ever; sharing resumes by itself',
  { skip },
  async (t) => {
    const wire = await newWire(t)
    const { one, two } = await twoServices(t, [wire.url(url), url])
    for (const lose of [wire.cut, wire.stop]) {
      const by = await newPartner(one, 'TRIAL')
      lose()
      const startedAt = ownTime()
      const answers = await Promise.all(Array.from({ length: 9 }, () => by.get(path)))
      assert.ok(ownTime() - startedAt < 5_000)
      for (const { status, body } of answers) assert.deepEqual([status, body.code], [503, 'service_unavailable'])
      assert.equal((await fetch(`${one.hosts.baseUrl}/v1/ping`)).status, 200)
      // The other instance still reaches Redis.
      assert.equal((await alsoAt(two, by).get(path)).status, 200)

      wire.mend()
      await assertShared('TRIAL', 500, lossesOf(one.logLines, two.logLines), async () => {
        await until('Redis is back', () => one.logLines.findLast(isOfRedis)!.includes(backLine))
        const another = await newPartner(one, 'TRIAL')
        const doors = [another, alsoAt(two, another)]
        return async () => {
          const asked = await Promise.all(Array.from({ length: 8 }, (_, turn) => doors[turn % 2]!.get(path)))
          return asked.filter(({ status }) => status === 200).length
        }
      })
    }
  },
)

test('LIM-07 ERR-72 a service whose Redis is missing starts, answers 503 and logs it', async (t) => {
  const service = await startTestService({
    limits: 'on',
    variables: { REDIS_URL: 'redis://somebody:a-secret@127.0.0.1:9/3' },
  })
  t.after(service.close)
  const by = await newPartner(service, 'TRIAL')
  assert.equal((await by.get(path)).body.code, 'service_unavailable')
  assert.ok(has(service.logLines, lostLine))
  assert.ok(!has(service.logLines, 'a-secret'))
})
