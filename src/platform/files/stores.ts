import type { Database } from '../../database/database.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'

/**
 * What a change that stores files works with. A store may be slow, so the files are stored before the transaction and
 * tidied up after it: such a change takes the stores where a verb takes its transaction, and calls its verb in between.
 */
export type Stores = { database: Database; objectStore: ObjectStore }
