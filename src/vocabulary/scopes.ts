/** The ten scopes that a partner can have (SCOPE-01). The published name has the prefix `partner-api/`. */
export const scopes = [
  'credit:read',
  'divisions:read',
  'divisions:write',
  'orders:read',
  'orders:write',
  'products:read',
  'products:write',
  'sites:read',
  'users:read',
  'users:write',
] as const

export type Scope = (typeof scopes)[number]

const prefix = 'partner-api/'
const known: ReadonlySet<string> = new Set(scopes)

export function isScope(name: string): name is Scope {
  return known.has(name)
}

/** `orders:read` → `partner-api/orders:read` */
export function publishedScope(scope: Scope): string {
  return prefix + scope
}

/** Of a scope parameter (RFC 6749 §3.3). */
export const scopeForm = /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/

/** Reads a space-separated scope string. Unknown names are dropped, like scopes that the partner lacks (SCOPE-15). */
export function readScopes(text: string): Scope[] {
  const names = text.split(' ').map((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : ''))
  return [...new Set(names.filter(isScope))]
}
