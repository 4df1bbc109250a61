import type { Tier } from '../../contract/caller.ts'
import { tiers } from '../../partners/tiers.ts'
import { bucketSpending, spendToken, type BucketSpending } from './token-bucket.ts'

/**
 * One token bucket per partner, shared by all its credentials and hosts (LIM-07). A store that several processes share
 * answers with promises (`shared-buckets.ts`).
 */
export type Buckets = {
  /** rejects with Outage when the shared store cannot answer */
  spend: (partnerId: string, tier: Tier) => BucketSpending | Promise<BucketSpending>
  /** whole tokens left; spends none. Rejects with Outage like `spend` */
  tokensLeft: (partnerId: string, tier: Tier) => Promise<number>
  /** one bucket for all processes, or one in each */
  isShared: boolean
  /** forgets full buckets: a bucket that was never seen is full too */
  forgetFull: () => void
  close: () => Promise<void>
}

/** Buckets in this process's memory. @param monotonic milliseconds, never set back */
export function localBuckets(monotonic: () => number): Buckets {
  const buckets = new Map<string, { tier: Tier; fullAt: number }>()

  return {
    spend: (partnerId, tier) => {
      const now = monotonic()
      const bucket = buckets.get(partnerId)
      const spending = spendToken(bucket?.tier === tier ? bucket.fullAt : now, tiers[tier], now)
      if (bucket?.tier === tier) bucket.fullAt = spending.fullAt
      else buckets.set(partnerId, { tier, fullAt: spending.fullAt })
      return spending
    },
    tokensLeft: async (partnerId, tier) => {
      const bucket = buckets.get(partnerId)
      const missing = bucket?.tier === tier ? Math.max(0, bucket.fullAt - monotonic()) : 0
      return bucketSpending(true, missing, tiers[tier]).tokens
    },
    isShared: false,
    forgetFull: () => {
      const now = monotonic()
      for (const [partnerId, bucket] of buckets) if (bucket.fullAt <= now) buckets.delete(partnerId)
    },
    close: async () => undefined,
  }
}
