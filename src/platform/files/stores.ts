import type { Database } from '../../database/database.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'

/**
 * The stores that a change with files needs. A store may be slow, so files are stored before the transaction and
 * cleaned up after it: such a change takes the stores instead of a transaction, and calls its verb in between.
 */
export type Stores = { database: Database; objectStore: ObjectStore }
