import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { withdrawLines } from './cancel-line.ts'
import { lockLines } from '../lines/change-line.ts'
import { returnStock } from '../lines/line-stock.ts'
import { reasonDetail, recordDecision } from '../order-changes/decisions.ts'
import { givenReason, refuseReason, type Why } from '../reasons/reasons.ts'
import { changeOrder } from '../order-changes/change-order.ts'

/**
 * Cancels an order before any of it has shipped: every line, every shipment and all charges.
 * @param why its reason is of the list `cancel`
 */
export function cancelOrder(tx: Transaction, change: Change, orderNumber: number, why: Why = {}) {
  return changeOrder(tx, change, orderNumber, 'cancel', async (order) => {
    const [all, shipped] = await Promise.all([
      lockLines(tx, orderNumber, null),
      tx.row(sql`
        select shipment_number from shipment where order_number = ${orderNumber} and status = 'SHIPPED' limit 1`),
    ])
    if (shipped) return { refused: 'order_shipped' }
    const given = givenReason(why)
    const refused = await refuseReason(tx, 'cancel', given.reason)
    if (refused) return refused
    const lines = all.filter((line) => !line.cancelled)
    const { shipmentsCancelled, events } = await withdrawLines(tx, order, lines, change.now)
    await recordDecision(tx, change, { orderNumber, lineNumber: null }, 'cancel', given)
    const linesCancelled = lines.map((line) => line.lineNumber)
    return {
      done: { linesCancelled, shipmentsCancelled },
      audit: {
        action: 'order.cancelled',
        subject: { kind: 'order', id: orderNumber },
        detail: { linesCancelled, shipmentsCancelled, ...reasonDetail(given) },
      },
      events,
      stock: () => returnStock(tx, lines, change),
    }
  })
}
