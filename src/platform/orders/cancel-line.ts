import type { Transaction } from '../../database/database.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { OrderEvent } from '../events/events.ts'
import type { LockedOrder } from '../order-changes/change-order.ts'
import { changeLine, lineSubject, type LockedLine } from '../lines/change-line.ts'
import { markCancelled } from '../lines/update-lines.ts'
import { returnStock } from '../lines/line-stock.ts'
import { shippedQuantity } from '../lines/shipped-quantity.ts'
import { removeGoods } from '../shipments/open-shipments.ts'

/**
 * Cancels a line before any of it has shipped: it stays listed (ORD-15), no longer costs anything, and its stock is
 * returned. A shipment that would be empty is cancelled too.
 */
export function cancelLine(tx: Transaction, change: Change, orderNumber: number, lineNumber: number) {
  return changeLine(tx, change, orderNumber, lineNumber, 'amend', async (line, order) => {
    if (line.shipped || (await shippedQuantity(tx, orderNumber, lineNumber)) > 0) return { refused: 'line_shipped' }
    const { shipmentsCancelled, events } = await withdrawLines(tx, order, [line], change.now)
    return {
      done: { shipmentsCancelled },
      audit: { action: 'line.cancelled', subject: lineSubject(line), detail: { shipmentsCancelled } },
      events,
      stock: () => returnStock(tx, [line], change.now),
    }
  })
}

/** Takes lines out of production and out of the open shipments. */
export async function withdrawLines(
  tx: Transaction,
  order: LockedOrder,
  lines: readonly LockedLine[],
  now: Date,
): Promise<{ shipmentsCancelled: number[]; events: OrderEvent[] }> {
  const { orderNumber, siteId } = order
  const lineNumbers = lines.map((line) => line.lineNumber)
  const [, shipmentsCancelled] = await Promise.all([
    markCancelled(tx, orderNumber, lineNumbers, now),
    removeGoods(tx, orderNumber, lineNumbers, now),
  ])
  return {
    shipmentsCancelled,
    events: [
      // No event for lines that partners do not see.
      ...lines
        .filter((line) => line.visible)
        .map((): OrderEvent => ({ type: 'order_line.cancelled', siteId, orderNumber })),
      ...shipmentsCancelled.map((shipmentNumber): OrderEvent => ({
        type: 'shipment.cancelled',
        siteId,
        orderNumber,
        shipmentNumber,
      })),
    ],
  }
}
