import type { Session } from '../api/session.ts'

export type Role = Session['roles'][number]

/** What each role is for, in one sentence. What it may do in detail is in the staff API's documents. */
export const roleMeanings: Readonly<Record<Role, string>> = {
  ADMIN: 'May do everything, and keeps the accounts of staff.',
  PARTNER_MANAGER: 'Looks after partners: grants, credentials, people and webhooks.',
  ONBOARDING: 'Sets up new partners with their sites, products, prices, delivery and taxes.',
  OPERATIONS: 'Runs the works: orders, production, shipping and stock.',
  PRODUCTION: 'Works at a station. Sees no money.',
  PRODUCTION_LEAD: 'Leads a station, and may pass over a guard on the record. Sees no money.',
  MERCHANDISER: 'Keeps the catalog, prices, delivery, taxes and stock.',
  CUSTOMER_CARE: 'Answers customers: notes, refunds, returns and reprints.',
  FINANCE: 'Keeps credit, and gives refunds.',
  AUDITOR: 'Reads everything and changes nothing.',
}

export const roles = Object.keys(roleMeanings) as Role[]

/** `orders:read`, `orders:write`, `orders:money` → `orders`: read, write, money. */
export function bySubject(permissions: readonly string[]): [subject: string, may: string[]][] {
  const subjects = new Map<string, string[]>()
  for (const permission of permissions) {
    const [subject = '', may = ''] = permission.split(':')
    subjects.set(subject, [...(subjects.get(subject) ?? []), may])
  }
  return [...subjects].toSorted(([a], [b]) => a.localeCompare(b))
}
