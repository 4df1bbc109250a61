import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { withdrawLines } from './cancel-line.ts'
import { lockLines } from '../lines/change-line.ts'
import { returnStock } from '../lines/line-stock.ts'
import { changeOrder } from '../order-changes/change-order.ts'

/** Cancels an order before any of it has shipped: every line, every shipment and all charges. */
export function cancelOrder(tx: Transaction, change: Change, orderNumber: number) {
  return changeOrder(tx, change, orderNumber, 'cancel', async (order) => {
    const [all, shipped] = await Promise.all([
      lockLines(tx, orderNumber, null),
      tx.row(sql`
        select shipment_number from shipment where order_number = ${orderNumber} and status = 'SHIPPED' limit 1`),
    ])
    if (shipped) return { refused: 'order_shipped' }
    const lines = all.filter((line) => !line.cancelled)
    const { shipmentsCancelled, events } = await withdrawLines(tx, order, lines, change.now)
    const linesCancelled = lines.map((line) => line.lineNumber)
    return {
      done: { linesCancelled, shipmentsCancelled },
      audit: {
        action: 'order.cancelled',
        subject: { kind: 'order', id: orderNumber },
        detail: { linesCancelled, shipmentsCancelled },
      },
      events,
      stock: () => returnStock(tx, lines, change.now),
    }
  })
}
