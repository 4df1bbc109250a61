import type { Transaction } from '../../database/database.ts'
import type { Change } from '../../vocabulary/change.ts'
import { changeOrder } from '../order-changes/change-order.ts'
import { reasonDetail, recordDecision } from '../order-changes/decisions.ts'
import { givenReason, refuseReason, type Why } from '../reasons/reasons.ts'

/** Stops production and shipping of a whole order. Its lines stay where they are. @param why its reason is of the list `hold` */
export function holdOrder(tx: Transaction, change: Change, orderNumber: number, why: Why = {}) {
  return changeOrder(tx, change, orderNumber, 'hold', async () => {
    const given = givenReason(why)
    const refused = await refuseReason(tx, 'hold', given.reason)
    if (refused) return refused
    await recordDecision(tx, change, { orderNumber, lineNumber: null }, 'hold', given)
    return {
      done: {},
      audit: { action: 'order.held', subject: { kind: 'order', id: orderNumber }, detail: reasonDetail(given) },
    }
  })
}

export function releaseOrder(tx: Transaction, change: Change, orderNumber: number) {
  return changeOrder(tx, change, orderNumber, 'release', async () => ({
    done: {},
    audit: { action: 'order.released', subject: { kind: 'order', id: orderNumber } },
  }))
}
