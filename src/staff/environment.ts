import type { Database, Queries } from '../database/database.ts'
import type { Throttle } from '../gateway/throttle/throttle.ts'
import type { ObjectStore } from '../outside/object-store/object-store.ts'
import type { KeptMails } from '../outside/mailer/kept-mails.ts'
import type { Carriers } from '../outside/carriers/carriers.ts'
import type { Suppliers } from '../platform/ordering/plan-order.ts'
import type { PartnerTime } from '../vocabulary/clock.ts'
import type { Environment } from '../vocabulary/environment.ts'
import type { KeyPurpose, KeyRing } from '../vocabulary/keys.ts'
import type { ChangeFeed } from './changes/change-feed.ts'

/** What handlers get of the environment on which they work. */
export type StaffEnvironment = {
  database: Database
  changes: ChangeFeed
  /** what a partner has left of its limits. @throws Outage */
  standing: Throttle['standing']
  /** where the accounts of staff are read: in the production database, also for the sandbox */
  accounts: Queries
  objectStore: ObjectStore
  /** the mails that are kept as files */
  keptMails: Pick<KeptMails, 'forget'>
  /** what planning an order asks of others */
  suppliers: Pick<Suppliers, 'carrierRates' | 'serviceTaxes' | 'templateVendor'>
  /** null = no account at carriers */
  carriers: Carriers | null
  hasTaxService: boolean
  /** only in the sandbox: the partners' own clocks, which date their orders */
  partnerTime?: PartnerTime | undefined
  /** the environment's keys for a purpose */
  keys: (purpose: KeyPurpose) => KeyRing
  /** the page of a line in the console, which the code of its job ticket opens */
  lineUrl: (line: { orderNumber: number; lineNumber: number }) => string
  /** where an invited person of a partner sets a password */
  invitationUrl: (token: string) => string
}

export type StaffEnvironments = Readonly<Record<Environment, StaffEnvironment>>
