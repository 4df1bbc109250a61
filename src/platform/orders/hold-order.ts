import type { Transaction } from '../../database/database.ts'
import type { Change } from '../../vocabulary/change.ts'
import { changeOrder } from '../order-changes/change-order.ts'

/** Stops production and shipping of a whole order. Its lines stay where they are. */
export function holdOrder(tx: Transaction, change: Change, orderNumber: number) {
  return changeOrder(tx, change, orderNumber, 'hold', async () => ({
    done: {},
    audit: { action: 'order.held', subject: { kind: 'order', id: orderNumber } },
  }))
}

export function releaseOrder(tx: Transaction, change: Change, orderNumber: number) {
  return changeOrder(tx, change, orderNumber, 'release', async () => ({
    done: {},
    audit: { action: 'order.released', subject: { kind: 'order', id: orderNumber } },
  }))
}
