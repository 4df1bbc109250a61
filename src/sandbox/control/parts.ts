import type { Database } from '../../database/database.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import type { Clock, PartnerTime } from '../../vocabulary/clock.ts'
import type { ForgetUsage } from '../reset-world.ts'

/** All that the control API's handlers need of the world. */
export type ControlParts = {
  database: Database
  objectStore: ObjectStore
  /** `deriveKey(masterKey, 'SANDBOX', 'stored-secret')` */
  storedSecretKey: Buffer
  /** hosts of receivers that may have addresses that are not public */
  receiverHosts: readonly string[]
  partnerTime: PartnerTime
  worldClock: Clock
  forgetUsage: ForgetUsage
}
