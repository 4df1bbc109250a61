import type { Database } from '../../database/database.ts'
import type { Change } from '../../vocabulary/change.ts'
import { changeOrder } from '../order-changes/change-order.ts'

/** Stops production and shipping of a whole order. Its lines stay where they are. */
export function holdOrder(database: Database, orderNumber: number, change: Change) {
  return changeOrder<{}>(database, orderNumber, 'hold', change, async () => ({
    done: {},
    audit: { action: 'order.held', subject: { kind: 'order', id: orderNumber } },
  }))
}

export function releaseOrder(database: Database, orderNumber: number, change: Change) {
  return changeOrder<{}>(database, orderNumber, 'release', change, async () => ({
    done: {},
    audit: { action: 'order.released', subject: { kind: 'order', id: orderNumber } },
  }))
}
