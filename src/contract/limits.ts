import { described, flag, instant, oneOf, whole } from './fields.ts'

export const burstCountedByMeans =
  'THIS_PROCESS = each process counts calls at once for itself, and burstRemaining is that of the one that answers you'

/** What a partner has left of its limits, as staff and the partner itself read it. */
export const limitFields = {
  tier: oneOf(['TRIAL', 'STANDARD', 'ENTERPRISE']),
  enforced: described(flag, 'false = limits are switched off in this installation'),
  sustainedPerSecond: described(whole, 'calls a second that the partner may make for long'),
  burst: described(whole, 'calls at once'),
  burstRemaining: described(whole, 'calls at once that are left now'),
  burstCountedBy: described(oneOf(['ALL_PROCESSES', 'THIS_PROCESS']), burstCountedByMeans),
  dailyQuota: described(whole, 'calls from 00:00 to 24:00 UTC'),
  dailyUsed: described(
    whole,
    'calls of today, of all processes; what other processes have taken in advance counts as used, at most a burst each',
  ),
  dailyRemaining: whole,
  dailyResetsOn: instant,
}
