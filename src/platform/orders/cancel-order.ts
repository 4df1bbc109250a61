import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { withdrawLines } from '../lines/cancel-line.ts'
import { changeOrder, lockLines, type OrderRefusal, type Outcome, type Refused } from '../order-changes/change-order.ts'
import { returnToShelves } from '../lines/shelves.ts'

type Cancelled = { linesCancelled: number[]; shipmentsCancelled: number[] }

/** Cancels an order nothing of which has left: every line, every shipment, and all that was charged. */
export function cancelOrder(
  database: Database,
  orderNumber: number,
  change: Change,
): Promise<Outcome<Cancelled, OrderRefusal | Refused<'order_shipped'>>> {
  return changeOrder<Cancelled, Refused<'order_shipped'>>(
    database,
    orderNumber,
    'cancel',
    change,
    async (tx, order) => {
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
        stock: () => returnToShelves(tx, lines, change.now),
      }
    },
  )
}
