import type { Scope } from '../../../vocabulary/scopes.ts'

/** What each scope lets an application do, in everyday words; the most powerful first. */
export const scopeWords: Readonly<Record<Scope, string>> = {
  'orders:write': 'Place orders, decide on proofs and send artwork',
  'orders:read': 'See orders, shipments and proofs',
  'products:write': 'Change products and their images',
  'products:read': 'See products and prices',
  'users:write': 'Add and change users',
  'users:read': 'See users and their addresses',
  'divisions:write': 'Add and change divisions',
  'divisions:read': 'See divisions',
  'credit:read': 'See credit accounts',
  'sites:read': 'See your sites',
}

/** Scopes in the order of the words. */
export function inOrder(given: readonly Scope[]): Scope[] {
  return (Object.keys(scopeWords) as Scope[]).filter((scope) => given.includes(scope))
}
