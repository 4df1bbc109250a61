import type { Database } from '../database/database.ts'
import type { ObjectStore } from '../outside/object-store/object-store.ts'
import type { PartnerTime } from '../vocabulary/clock.ts'
import type { Environment } from '../vocabulary/environment.ts'
import type { KeyPurpose } from '../vocabulary/keys.ts'

/** What handlers get of the environment on which they work. */
export type StaffEnvironment = {
  database: Database
  objectStore: ObjectStore
  /** only in the sandbox: the partners' own clocks, which date their orders */
  partnerTime?: PartnerTime | undefined
  /** the environment's key for a purpose */
  key: (purpose: KeyPurpose) => Buffer
  /** where an invited person of a partner sets a password */
  invitationUrl: (token: string) => string
}

export type StaffEnvironments = Readonly<Record<Environment, StaffEnvironment>>
