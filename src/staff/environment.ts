import type { Database } from '../database/database.ts'
import type { ObjectStore } from '../outside/object-store/object-store.ts'
import type { PartnerTime } from '../vocabulary/clock.ts'
import type { Environment } from '../vocabulary/environment.ts'
import type { KeyPurpose } from '../vocabulary/keys.ts'

/** What handlers find of the environment they work on. */
export type StaffEnvironment = {
  database: Database
  objectStore: ObjectStore
  /** the sandbox's partners have clocks of their own, by which their orders are dated */
  partnerTime?: PartnerTime | undefined
  /** the environment's key of a purpose */
  key: (purpose: KeyPurpose) => Buffer
  /** where a partner's person who was invited sets a password */
  invitationUrl: (token: string) => string
}

export type StaffEnvironments = Readonly<Record<Environment, StaffEnvironment>>
