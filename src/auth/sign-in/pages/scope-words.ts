import type { Scope } from '../../../vocabulary/scopes.ts'

/** What scopes let an application do, in everyday words; scopes that fit one sentence share it. */
const words: readonly (readonly [scopes: readonly Scope[], says: string])[] = [
  [['orders:write'], 'Place orders, decide on proofs and send artwork'],
  [['orders:read'], 'See orders, shipments and proofs'],
  [['products:read', 'products:write'], 'See and change products, and see prices'],
  [['products:read'], 'See products and prices'],
  [['products:write'], 'Change products and their images'],
  [['users:read', 'users:write'], 'See, add and change users'],
  [['users:read'], 'See users and their addresses'],
  [['users:write'], 'Add and change users'],
  [['divisions:read', 'divisions:write'], 'See, add and change divisions'],
  [['divisions:read'], 'See divisions'],
  [['divisions:write'], 'Add and change divisions'],
  [['credit:read'], 'See credit accounts'],
  [['sites:read'], 'See your sites'],
]

/** The most powerful first. Every scope is in exactly one sentence. */
export function scopeSentences(given: readonly Scope[]): string[] {
  const said = new Set<Scope>()
  return words.flatMap(([scopes, says]) => {
    if (!scopes.every((scope) => given.includes(scope) && !said.has(scope))) return []
    for (const scope of scopes) said.add(scope)
    return [says]
  })
}
