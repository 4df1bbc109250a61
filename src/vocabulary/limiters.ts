/** What refuses calls because there are too many of them, or because they look like an attack. */
export const limiters = [
  'token_bucket',
  'daily_quota',
  'edge_rate_rule',
  'edge_managed_rules',
  'token_endpoint',
  'sign_in_attempts',
  'staff_sign_in_attempts',
] as const

export type Limiter = (typeof limiters)[number]
