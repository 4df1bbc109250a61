import type { Environment } from '../../vocabulary/environment.ts'
import type { MasterKeys } from '../../vocabulary/keys.ts'

/** What the cast is made from: the same key and time make the same records and credentials. */
export type CastOptions = { environment: Environment; masterKeys: MasterKeys; demoKey: Buffer; now: Date }
