import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createClient, defineScript } from 'redis'
import type { Tier } from '../../contract/caller.ts'
import { tiers } from '../../partners/tiers.ts'
import type { Environment } from '../../vocabulary/environment.ts'
import { inTime } from '../../vocabulary/in-time.ts'
import { Outage } from '../../vocabulary/outage.ts'
import type { Buckets } from './buckets.ts'
import { bucketSpending, bucketTimes, type BucketSpending } from './token-bucket.ts'

/**
 * One token bucket per partner for all processes, stored in Redis and timed by Redis's own clock. Taking a token is one
 * atomic round trip.
 *
 * While Redis does not answer, spending rejects at once with an Outage; only requests under way when it is lost wait.
 * The connection is made anew until Redis answers again. A Redis that lost its data starts with full buckets.
 */

/**
 * In microseconds, which Lua's numbers represent exactly. The stored value is the instant at which the bucket is full
 * again.
 */
const spend = defineScript({
  SCRIPT: `
    local time = redis.call('TIME')
    local now = time[1] * 1000000 + time[2]
    local interval, depth = tonumber(ARGV[1]), tonumber(ARGV[2])
    -- A clock set back must not leave a bucket emptier than empty.
    local missing = math.min(depth, math.max(0, tonumber(redis.call('GET', KEYS[1]) or 0) - now))
    if missing + interval > depth then return {0, missing} end
    missing = missing + interval
    redis.call('SET', KEYS[1], string.format('%.0f', now + missing), 'PX', math.ceil(missing / 1000))
    return {1, missing}`,
  NUMBER_OF_KEYS: 1,
  parseCommand: (parser, key: string, intervalMicroseconds: number, depthMicroseconds: number) => {
    parser.pushKey(key)
    parser.push(String(intervalMicroseconds), String(depthMicroseconds))
  },
  transformReply: (reply: unknown) => {
    const [allowed, missingMicroseconds] = reply as [number, number]
    return { allowed: allowed === 1, missingMilliseconds: missingMicroseconds / 1000 }
  },
})

/** Answers how many microseconds are missing until the bucket is full, and changes nothing. */
const look = defineScript({
  SCRIPT: `
    local time = redis.call('TIME')
    return math.max(0, tonumber(redis.call('GET', KEYS[1]) or 0) - (time[1] * 1000000 + time[2]))`,
  NUMBER_OF_KEYS: 1,
  parseCommand: (parser, key: string) => parser.pushKey(key),
  transformReply: (reply: unknown) => (reply as number) / 1000,
})

const connectMilliseconds = 1_000
/** A round trip takes a fraction of a millisecond. One that takes this long counts as lost. */
const answerMilliseconds = 1_000
const reconnectMilliseconds = 250

/**
 * Resolves once Redis has answered, or failed to answer, for the first time.
 * @param parts `url`: `redis://` or `rediss://`; `noteUse` is told when Redis answers, and when it is lost
 */
export async function sharedBuckets(parts: {
  url: string
  environment: Environment
  noteUse?: (isUp: boolean) => void
  log: Logger
}): Promise<Buckets> {
  const { environment, log } = parts
  const ending = new AbortController()
  const firstTry = Promise.withResolvers<void>()
  let current: Connection | undefined
  /** the current connection, once it is known to work */
  let answering: Connection | undefined
  let wasLost = false
  let lostBy: unknown

  function lost(error: unknown): void {
    lostBy = error
    parts.noteUse?.(false)
    if (!wasLost)
      log.warn({ error: (error as Error).message }, 'Redis does not answer: requests are refused until it does')
    wasLost = true
  }

  async function stayConnected(): Promise<void> {
    while (!ending.signal.aborted) {
      const connection = (current = connect(parts.url))
      try {
        await inTime(connection.opened, connectMilliseconds, 'Redis')
        // This also loads the script, and rejects a Redis that cannot write.
        await connection.spend(`partner-commerce:${environment}:bucket:trial-of-connection`, 'TRIAL')
        answering = connection
        parts.noteUse?.(true)
        if (wasLost) log.info('Redis answers again')
        wasLost = false
        firstTry.resolve()
        await connection.failed
      } catch (error) {
        if (!ending.signal.aborted) lost(error)
      }
      answering = undefined
      connection.drop()
      firstTry.resolve()
      await delay(reconnectMilliseconds, undefined, { signal: ending.signal }).catch(() => undefined)
    }
  }

  // Each tier has a bucket of its own, so a changed tier starts with a full one.
  const keyOf = (partnerId: string, tier: Tier): string => `partner-commerce:${environment}:bucket:${tier}:${partnerId}`

  async function asked<Answer>(ask: (connection: Connection) => Promise<Answer>): Promise<Answer> {
    const connection = answering
    if (!connection) throw new Outage('Redis does not answer', lostBy)
    try {
      return await ask(connection)
    } catch (error) {
      if (answering === connection) answering = undefined
      connection.fail(error)
      throw new Outage('Redis does not answer', error)
    }
  }

  const connected = stayConnected()
  await firstTry.promise
  return {
    spend: (partnerId, tier) => asked((connection) => connection.spend(keyOf(partnerId, tier), tier)),
    tokensLeft: (partnerId, tier) => asked((connection) => connection.tokensLeft(keyOf(partnerId, tier), tier)),
    isShared: true,
    // Redis expires them.
    forgetFull: () => undefined,
    close: async () => {
      ending.abort()
      current?.fail(new Error('the buckets are closed'))
      await connected
    },
  }
}

type Connection = ReturnType<typeof connect>

/** A connection is used until its first failure. */
function connect(url: string) {
  const client = createClient({
    url,
    RESP: 2,
    scripts: { spend, look },
    disableOfflineQueue: true,
    disableClientInfo: true,
    socket: { connectTimeout: connectMilliseconds, reconnectStrategy: false },
  })
  const failure = Promise.withResolvers<never>()
  client.on('error', failure.reject)
  const opened = Promise.race([client.connect(), failure.promise])
  opened.catch(failure.reject)

  return {
    opened,
    /** rejects once anything about the connection has failed */
    failed: failure.promise,
    fail: failure.reject,
    drop: () => client.destroy(),
    spend: async (key: string, tier: Tier): Promise<BucketSpending> => {
      const { intervalMilliseconds, depthMilliseconds } = bucketTimes(tiers[tier])
      const asked = client.spend(key, intervalMilliseconds * 1000, depthMilliseconds * 1000)
      const { allowed, missingMilliseconds } = await inTime(asked, answerMilliseconds, 'Redis')
      return bucketSpending(allowed, missingMilliseconds, tiers[tier])
    },
    tokensLeft: async (key: string, tier: Tier): Promise<number> => {
      const missing = await inTime(client.look(key), answerMilliseconds, 'Redis')
      return bucketSpending(true, missing, tiers[tier]).tokens
    },
  }
}
