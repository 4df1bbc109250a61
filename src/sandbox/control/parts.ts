import type { Database } from '../../database/database.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import type { Clock, PartnerTime } from '../../vocabulary/clock.ts'
import type { EventStreams } from '../event-streams.ts'
import type { ForgetUsage } from '../reset-partner.ts'
import type { KeyRing } from '../../vocabulary/keys.ts'

/** Everything that the control API's handlers depend on. */
export type ControlParts = {
  database: Database
  objectStore: ObjectStore
  /** `keyRing(masterKeys, 'SANDBOX', 'stored-secret')` */
  storedSecretKeys: KeyRing
  /** `keyRing(masterKeys, 'SANDBOX', 'client-secret')` */
  clientSecretKeys: KeyRing
  /** `keyRing(masterKeys, 'SANDBOX', 'event-stream')` */
  eventStreamKeys: KeyRing
  /** `keyRing(masterKeys, 'SANDBOX', 'webhook-check')` */
  webhookCheckKeys: KeyRing
  eventStreams: EventStreams
  /** hosts of receivers that may have non-public addresses */
  receiverHosts: readonly string[]
  partnerTime: PartnerTime
  realClock: Clock
  forgetUsage: ForgetUsage
  /** what a code with which a verb of staff refuses means, as a sentence */
  meaningOf: (code: string) => string | undefined
}
