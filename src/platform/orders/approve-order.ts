import type { Database } from '../../database/database.ts'
import type { Change } from '../../vocabulary/change.ts'
import { changeOrder } from '../order-changes/change-order.ts'

/** Lets an order that waits for approval proceed. */
export function approveOrder(database: Database, orderNumber: number, change: Change) {
  return changeOrder<{}>(database, orderNumber, 'approve', change, async () => ({
    done: {},
    audit: { action: 'order.approved', subject: { kind: 'order', id: orderNumber } },
  }))
}
