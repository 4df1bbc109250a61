import type { TierLimits } from '../../partners/tiers.ts'

/**
 * A token bucket in one number (LIM-05): the instant at which it will be full again, on a monotonic clock in
 * milliseconds. Every spent token moves it one refill interval into the future; a bucket nobody used is full.
 */
export type BucketSpending = {
  allowed: boolean
  fullAt: number
  /** whole tokens left */
  tokens: number
  /** until there is a token, when there was none */
  waitMilliseconds: number
  /** until it is full */
  fullInMilliseconds: number
}

/** Sums of clock readings carry rounding errors; a microsecond decides no token. */
const tolerance = 0.001

/** Takes one token out of a bucket if there is one. A refused spending changes nothing. */
export function spendToken(fullAt: number, limits: TierLimits, now: number): BucketSpending {
  const interval = 1000 / limits.sustainedPerSecond
  const depth = limits.burst * interval
  const missing = Math.max(0, fullAt - now)
  const missingAfter = missing + interval
  const allowed = missingAfter <= depth + tolerance
  const missingNow = allowed ? missingAfter : missing
  return {
    allowed,
    fullAt: now + missingNow,
    tokens: Math.max(0, Math.floor((depth - missingNow + tolerance) / interval)),
    waitMilliseconds: allowed ? 0 : missingAfter - depth,
    fullInMilliseconds: missingNow,
  }
}
