/**
 * The permissions of staff, and the roles that include them. An operation of the staff API names exactly one
 * permission. A person has those of all their roles.
 */
const subjects = [
  'partners',
  'webhooks',
  'sites',
  'catalog',
  'stock',
  'prices',
  'shipping',
  'tax',
  'orders',
  'customers',
  'mail',
  'credit',
  'requests',
  'audit',
  'staff',
] as const

/** Permissions beside reading and writing, and what they let people do. */
const special = [
  // see what orders cost: amounts, credit, invoices, and what another delivery would cost
  'orders:money',
  // pass over a guard of production on the record, and keep the lists of reasons
  'orders:override',
  // write notes on orders, without moving them
  'orders:note',
  // give back money that an order was charged
  'orders:refund',
  // answer complaints: announce returns, order reprints
  'orders:claim',
  // take out all that is known of a person, and erase it
  'people:export',
  'people:erase',
] as const

export type Permission = `${(typeof subjects)[number]}:${'read' | 'write'}` | (typeof special)[number]

export const permissions: readonly Permission[] = [
  ...subjects.flatMap((subject) => [`${subject}:read`, `${subject}:write`] as const),
  ...special,
]

const everythingReadable: readonly Permission[] = [
  ...permissions.filter((permission) => permission.endsWith(':read')),
  'orders:money',
]

/** What every role of the office that changes anything may read: the data that its work depends on. */
const surroundings: readonly Permission[] = [
  'partners:read',
  'sites:read',
  'catalog:read',
  'stock:read',
  'prices:read',
  'shipping:read',
  'tax:read',
  'orders:read',
  'orders:money',
  'customers:read',
  'requests:read',
]

/** What is sold, where and for how much. */
const assortment: readonly Permission[] = [
  'sites:write',
  'catalog:write',
  'stock:write',
  'prices:write',
  'shipping:write',
  'tax:write',
]

/** Makes and ships goods, and sees no money: neither what orders cost, nor prices, nor mails that tell them. */
const production: readonly Permission[] = [
  'sites:read',
  'stock:read',
  'shipping:read',
  'orders:read',
  'orders:write',
  'orders:note',
  'orders:claim',
  'stock:write',
]

const partnerCare: readonly Permission[] = [
  ...surroundings,
  'webhooks:read',
  'mail:read',
  'partners:write',
  'webhooks:write',
  'mail:write',
  'orders:note',
]

const permissionsByRole = {
  ADMIN: permissions,
  PARTNER_MANAGER: partnerCare,
  // takes a new partner from nothing to its first order: all but staff accounts and money that customers have
  ONBOARDING: [...partnerCare, ...assortment, 'customers:write'],
  OPERATIONS: [
    ...surroundings,
    'webhooks:read',
    'mail:read',
    'orders:write',
    'orders:note',
    'orders:claim',
    'stock:write',
  ],
  PRODUCTION: production,
  // answers for what leaves prepress without what it should have
  PRODUCTION_LEAD: [...production, 'orders:override'],
  MERCHANDISER: [...surroundings, ...assortment],
  CUSTOMER_CARE: [
    ...surroundings,
    'credit:read',
    'webhooks:read',
    'mail:read',
    'customers:write',
    'mail:write',
    'orders:note',
    'orders:refund',
    'orders:claim',
  ],
  FINANCE: [...surroundings, 'credit:read', 'credit:write', 'orders:refund'],
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
