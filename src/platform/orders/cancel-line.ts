import type { Transaction } from '../../database/database.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { OrderEvent } from '../events/events.ts'
import type { LockedOrder } from '../order-changes/change-order.ts'
import { reasonDetail, recordDecision } from '../order-changes/decisions.ts'
import { givenReason, refuseReason, type Why } from '../reasons/reasons.ts'
import { changeLine, lineSubject, type LockedLine } from '../lines/change-line.ts'
import { markCancelled } from '../lines/update-lines.ts'
import { returnStock } from '../lines/line-stock.ts'
import { shippedQuantity } from '../lines/shipped-quantity.ts'
import { removeGoods } from '../shipments/open-shipments.ts'

/**
 * Cancels a line before any of it has shipped: it stays listed (ORD-15), no longer costs anything, and its stock is
 * returned. A shipment that would be empty is cancelled too.
 * @param why its reason is of the list `cancel`
 */
export function cancelLine(tx: Transaction, change: Change, orderNumber: number, lineNumber: number, why: Why = {}) {
  return changeLine(tx, change, orderNumber, lineNumber, 'amend', async (line, order) => {
    if (line.shipped || (await shippedQuantity(tx, orderNumber, lineNumber)) > 0) return { refused: 'line_shipped' }
    const given = givenReason(why)
    const refused = await refuseReason(tx, 'cancel', given.reason)
    if (refused) return refused
    const { shipmentsCancelled, events } = await withdrawLines(tx, order, [line], change.now)
    await recordDecision(tx, change, line, 'cancel', given)
    return {
      done: { shipmentsCancelled },
      audit: {
        action: 'line.cancelled',
        subject: lineSubject(line),
        detail: { shipmentsCancelled, ...reasonDetail(given) },
      },
      events,
      stock: () => returnStock(tx, [line], change),
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
  const [, cancelled] = await Promise.all([
    markCancelled(tx, orderNumber, lineNumbers, now),
    removeGoods(tx, orderNumber, lineNumbers, now),
  ])
  return {
    shipmentsCancelled: cancelled.map(({ shipmentNumber }) => shipmentNumber),
    events: [
      // No event for lines that partners do not see.
      ...lines
        .filter((line) => line.visible)
        .map((): OrderEvent => ({ type: 'order_line.cancelled', siteId, orderNumber })),
      ...cancelled
        .filter(({ rework }) => !rework)
        .map(({ shipmentNumber }): OrderEvent => ({
          type: 'shipment.cancelled',
          siteId,
          orderNumber,
          shipmentNumber,
        })),
    ],
  }
}
