import type { Database } from '../../database/database.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import type { Clock, PartnerTime } from '../../vocabulary/clock.ts'
import type { EventStreams } from '../event-streams.ts'
import type { ForgetUsage } from '../reset-partner.ts'

/** Everything that the control API's handlers depend on. */
export type ControlParts = {
  database: Database
  objectStore: ObjectStore
  /** `deriveKey(masterKey, 'SANDBOX', 'stored-secret')` */
  storedSecretKey: Buffer
  /** `deriveKey(masterKey, 'SANDBOX', 'client-secret')` */
  clientSecretKey: Buffer
  /** `deriveKey(masterKey, 'SANDBOX', 'event-stream')` */
  eventStreamKey: Buffer
  /** `deriveKey(masterKey, 'SANDBOX', 'webhook-check')` */
  webhookCheckKey: Buffer
  eventStreams: EventStreams
  /** hosts of receivers that may have non-public addresses */
  receiverHosts: readonly string[]
  partnerTime: PartnerTime
  realClock: Clock
  forgetUsage: ForgetUsage
  /** what a code with which a verb of staff refuses means, as a sentence */
  meaningOf: (code: string) => string | undefined
}
