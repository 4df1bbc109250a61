import type { Logger } from 'pino'
import type { Tier } from '../../contract/caller.ts'
import type { Database } from '../../database/database.ts'
import { tiers } from '../../partners/tiers.ts'
import type { Clock } from '../../vocabulary/clock.ts'
import type { Limiter } from '../../vocabulary/limiters.ts'
import type { Buckets } from './buckets.ts'
import { dailyQuota, quotaResetsOn, type QuotaSpending, type Spender } from './daily-quota.ts'
import type { BucketSpending } from './token-bucket.ts'

/**
 * The limits of a partner: one token bucket and one daily quota, shared by all its credentials (LIM-07). A refused
 * request spends no quota. It knows no route; the token endpoint and the edge count for themselves.
 */
export type Spending = {
  allowed: boolean
  /** whole seconds, at least 1 when refused; 0 when allowed (ERR-70) */
  retryAfterSeconds: number
  /** `ratelimit` and `ratelimit-policy` (draft-ietf-httpapi-ratelimit-headers-10), for every answer */
  headers: Readonly<Record<string, string>>
}

export type Standing = {
  /** false = limits are switched off */
  enforced: boolean
  burstRemaining: number
  /** false = what is left in this process; each has a bucket of its own */
  burstIsShared: boolean
  dailyRemaining: number
  dailyResetsOn: Date
}

export type Throttle = {
  /** @throws Outage when the store of the buckets or of the quota cannot answer */
  spend: (caller: Spender, now: Date) => Spending | Promise<Spending>
  /** @throws Outage when the quota's store cannot answer */
  remaining: (caller: Spender, now: Date) => Promise<{ dailyRemaining: number; dailyResetsOn: Date }>
  /** what is left of both limits; spends nothing. @throws Outage when a store cannot answer */
  standing: (caller: Spender, now: Date) => Promise<Standing>
  /** gives back quota that was taken and not used */
  close: () => Promise<void>
}

const tidyEveryMilliseconds = 10_000

/** @param parts `buckets`: of this process, or shared by all; closed with the throttle. `refused` is told of every refusal */
export function createThrottle(parts: {
  database: Database
  now: Clock
  limits: 'on' | 'off'
  log: Logger
  buckets: Buckets
  refused?: (limiter: Limiter) => void
}): Throttle {
  if (parts.limits === 'off') return unlimited
  const { database, buckets, log } = parts
  const quota = dailyQuota({ database, log })
  const tidy = setInterval(() => {
    buckets.forgetFull()
    quota.giveBackIdle(parts.now())
  }, tidyEveryMilliseconds).unref()

  function spendQuota(caller: Spender, now: Date, bucket: BucketSpending): Spending | Promise<Spending> {
    if (!bucket.allowed) {
      parts.refused?.('token_bucket')
      return refusedByBucket(caller.tier, bucket)
    }
    const spending = quota.spend(caller, now)
    return spending instanceof Promise
      ? spending.then((spent) => byQuota(caller.tier, now, bucket, spent))
      : byQuota(caller.tier, now, bucket, spending)
  }

  const byQuota: typeof answeredByQuota = (tier, now, bucket, spent) => {
    if (!spent.allowed) parts.refused?.('daily_quota')
    return answeredByQuota(tier, now, bucket, spent)
  }

  const remaining: Throttle['remaining'] = async (caller, now) => ({
    dailyRemaining: await quota.remaining(caller, now),
    dailyResetsOn: quotaResetsOn(now),
  })

  return {
    spend: (caller, now) => {
      if (quota.isSpent(caller, now)) {
        return byQuota(caller.tier, now, undefined, { allowed: false, remaining: 0 })
      }
      const bucket = buckets.spend(caller.partnerId, caller.tier)
      return bucket instanceof Promise
        ? bucket.then((spent) => spendQuota(caller, now, spent))
        : spendQuota(caller, now, bucket)
    },
    remaining,
    standing: async (caller, now) => {
      const [burstRemaining, left] = await Promise.all([
        buckets.tokensLeft(caller.partnerId, caller.tier),
        remaining(caller, now),
      ])
      return { enforced: true, burstRemaining, burstIsShared: buckets.isShared, ...left }
    },
    close: async () => {
      clearInterval(tidy)
      await Promise.all([quota.close(), buckets.close()])
    },
  }
}

const unlimited: Throttle = {
  spend: () => ({ allowed: true, retryAfterSeconds: 0, headers: {} }),
  remaining: async (caller, now) => ({
    dailyRemaining: tiers[caller.tier].dailyQuota,
    dailyResetsOn: quotaResetsOn(now),
  }),
  standing: async (caller, now) => ({
    enforced: false,
    burstRemaining: tiers[caller.tier].burst,
    burstIsShared: true,
    dailyRemaining: tiers[caller.tier].dailyQuota,
    dailyResetsOn: quotaResetsOn(now),
  }),
  close: async () => undefined,
}

function policyOf(tier: Tier): string {
  const { burst, sustainedPerSecond, dailyQuota: quota } = tiers[tier]
  // The draft's windows are whole seconds. Rounding up promises no more than the bucket gives.
  return `"burst";q=${burst};w=${Math.ceil(burst / sustainedPerSecond)}, "daily";q=${quota};w=86400`
}

const policies: Readonly<Record<Tier, string>> = {
  TRIAL: policyOf('TRIAL'),
  STANDARD: policyOf('STANDARD'),
  ENTERPRISE: policyOf('ENTERPRISE'),
}

function refusedByBucket(tier: Tier, bucket: BucketSpending): Spending {
  return {
    allowed: false,
    retryAfterSeconds: Math.max(1, Math.ceil(bucket.waitMilliseconds / 1000)),
    headers: { 'ratelimit-policy': policies[tier], ratelimit: burstItem(bucket) },
  }
}

function answeredByQuota(
  tier: Tier,
  now: Date,
  bucket: BucketSpending | undefined,
  { allowed, remaining }: QuotaSpending,
): Spending {
  const secondsLeft = secondsToReset(now)
  const daily = `"daily";r=${remaining};t=${secondsLeft}`
  return {
    allowed,
    retryAfterSeconds: allowed ? 0 : secondsLeft,
    headers: { 'ratelimit-policy': policies[tier], ratelimit: bucket ? `${burstItem(bucket)}, ${daily}` : daily },
  }
}

/** What is left, and in how many seconds the bucket is full again. */
function burstItem({ tokens, fullInMilliseconds }: BucketSpending): string {
  return `"burst";r=${tokens};t=${Math.ceil(fullInMilliseconds / 1000)}`
}

function secondsToReset(now: Date): number {
  return Math.ceil((quotaResetsOn(now).getTime() - now.getTime()) / 1000)
}
