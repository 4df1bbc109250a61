import type { Tier } from '../../contract/caller.ts'
import { tiers } from '../../partners/tiers.ts'
import type { Standing } from './throttle.ts'

/** The limits of a tier and what is left of them, in the fields of `contract/limits.ts`. */
export function limitsOf(tier: Tier, { burstIsShared, dailyResetsOn, ...left }: Standing) {
  const limits = tiers[tier]
  return {
    tier,
    ...limits,
    ...left,
    burstCountedBy: burstIsShared ? ('ALL_PROCESSES' as const) : ('THIS_PROCESS' as const),
    dailyUsed: limits.dailyQuota - left.dailyRemaining,
    dailyResetsOn: dailyResetsOn.toISOString(),
  }
}
