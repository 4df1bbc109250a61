import type { TierLimits } from '../../partners/tiers.ts'

/** A token bucket (LIM-05): the sustained rate refills it, and the burst is its depth. */
export type BucketSpending = {
  allowed: boolean
  /** whole tokens left */
  tokens: number
  /** until the next token, when there was none */
  waitMilliseconds: number
  /** until it is full */
  fullInMilliseconds: number
}

/** Sums of clock readings carry rounding errors; a microsecond must not decide a token. */
const tolerance = 0.001

/** How long one token takes to come back, and how long all of them take. */
export function bucketTimes(limits: TierLimits): { intervalMilliseconds: number; depthMilliseconds: number } {
  const intervalMilliseconds = 1000 / limits.sustainedPerSecond
  return { intervalMilliseconds, depthMilliseconds: limits.burst * intervalMilliseconds }
}

/**
 * Takes one token from a bucket if there is one. The bucket is stored as one number: the instant at which it is full
 * again, on a monotonic clock in milliseconds. Every token spent moves it one interval into the future, and an unused
 * bucket is full. A refused request changes nothing.
 */
export function spendToken(fullAt: number, limits: TierLimits, now: number): BucketSpending & { fullAt: number } {
  const { intervalMilliseconds, depthMilliseconds } = bucketTimes(limits)
  const missing = Math.max(0, fullAt - now)
  const allowed = missing + intervalMilliseconds <= depthMilliseconds + tolerance
  const missingNow = allowed ? missing + intervalMilliseconds : missing
  return { ...bucketSpending(allowed, missingNow, limits), fullAt: now + missingNow }
}

/** @param missing milliseconds until the bucket is full, after this spending */
export function bucketSpending(allowed: boolean, missing: number, limits: TierLimits): BucketSpending {
  const { intervalMilliseconds, depthMilliseconds } = bucketTimes(limits)
  return {
    allowed,
    tokens: Math.max(0, Math.floor((depthMilliseconds - missing + tolerance) / intervalMilliseconds)),
    waitMilliseconds: allowed ? 0 : missing + intervalMilliseconds - depthMilliseconds,
    fullInMilliseconds: missing,
  }
}
