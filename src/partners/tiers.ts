import type { Tier } from '../contract/caller.ts'

/** A tier's limits: `sustainedPerSecond` refills a bucket of size `burst`; `dailyQuota` is requests per UTC day. */
export type TierLimits = {
  readonly sustainedPerSecond: number
  readonly burst: number
  readonly dailyQuota: number
}

/** The limits of each tier (LIM-01, LIM-02, LIM-03). */
export const tiers = {
  TRIAL: { sustainedPerSecond: 2, burst: 5, dailyQuota: 10_000 },
  STANDARD: { sustainedPerSecond: 10, burst: 20, dailyQuota: 100_000 },
  ENTERPRISE: { sustainedPerSecond: 50, burst: 100, dailyQuota: 1_000_000 },
} as const satisfies Record<Tier, TierLimits>
