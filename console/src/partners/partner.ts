import type { AnswerOf } from '../api/api.ts'

export type Partner = AnswerOf<'readPartner'>

export const tiers = ['TRIAL', 'STANDARD', 'ENTERPRISE'] as const
export type Tier = (typeof tiers)[number]

/** What a partner may be granted, each with what it lets the partner's programs do. */
export const capabilityMeanings: Readonly<Record<Partner['capabilities'][number], string>> = {
  'sites:read': 'Read its sites',
  'products:read': 'Read products, prices and stock, and ask for quotes',
  'products:write': 'Change products',
  'orders:read': 'Read orders and proofs',
  'orders:write': 'Place orders, send artwork, decide proofs',
  'users:read': 'Read users',
  'users:write': 'Change users',
  'divisions:read': 'Read divisions',
  'divisions:write': 'Change divisions',
  'credit:read': 'Read credit accounts',
}
export type Capability = keyof typeof capabilityMeanings
export const capabilities = Object.keys(capabilityMeanings) as Capability[]
