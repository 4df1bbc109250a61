import type { Transaction } from '../../database/database.ts'
import type { Change } from '../../vocabulary/change.ts'
import { changeOrder } from '../order-changes/change-order.ts'

/** Lets an order that waits for approval proceed. */
export function approveOrder(tx: Transaction, change: Change, orderNumber: number) {
  return changeOrder(tx, change, orderNumber, 'approve', async () => ({
    done: {},
    audit: { action: 'order.approved', subject: { kind: 'order', id: orderNumber } },
  }))
}
