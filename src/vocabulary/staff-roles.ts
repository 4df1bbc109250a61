/**
 * The permissions of staff, and the roles that include them. An operation of the staff API names exactly one
 * permission. A person has those of all their roles.
 */
const subjects = [
  'partners',
  'webhooks',
  'sites',
  'catalog',
  'prices',
  'shipping',
  'tax',
  'orders',
  'customers',
  'credit',
  'requests',
  'audit',
  'staff',
] as const

export type Permission = `${(typeof subjects)[number]}:${'read' | 'write'}`

export const permissions: readonly Permission[] = subjects.flatMap(
  (subject) => [`${subject}:read`, `${subject}:write`] as const,
)

const everythingReadable = permissions.filter((permission) => permission.endsWith(':read'))

/** What every role that changes anything may read: the data that its work depends on. */
const surroundings: readonly Permission[] = [
  'partners:read',
  'sites:read',
  'catalog:read',
  'prices:read',
  'shipping:read',
  'tax:read',
  'orders:read',
  'customers:read',
  'requests:read',
]

const permissionsByRole = {
  ADMIN: permissions,
  PARTNER_MANAGER: [...surroundings, 'webhooks:read', 'partners:write', 'webhooks:write'],
  OPERATIONS: [...surroundings, 'webhooks:read', 'orders:write'],
  MERCHANDISER: [...surroundings, 'sites:write', 'catalog:write', 'prices:write', 'shipping:write', 'tax:write'],
  CUSTOMER_CARE: [...surroundings, 'credit:read', 'webhooks:read', 'customers:write'],
  FINANCE: [...surroundings, 'credit:read', 'credit:write'],
  AUDITOR: everythingReadable,
} as const satisfies Record<string, readonly Permission[]>

export type StaffRole = keyof typeof permissionsByRole

export const staffRoles = Object.keys(permissionsByRole) as StaffRole[]

const known: ReadonlySet<string> = new Set(staffRoles)

export function isStaffRole(name: string): name is StaffRole {
  return known.has(name)
}

export function permissionsOf(roles: readonly StaffRole[]): ReadonlySet<Permission> {
  return new Set(roles.flatMap((role): readonly Permission[] => permissionsByRole[role]))
}
