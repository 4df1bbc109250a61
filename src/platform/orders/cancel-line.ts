import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { OrderEvent } from '../events/events.ts'
import type { LockedOrder } from '../order-changes/change-order.ts'
import { changeLine, lineSubject, type LockedLine } from './change-line.ts'
import { returnStock } from './line-stock.ts'
import { shippedQuantity } from './shipped-quantity.ts'

/**
 * Cancels a line before any of it has left: it stays listed (ORD-15), costs nothing any more, and its stock is returned.
 * A shipment left without goods is cancelled with it.
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

/**
 * Takes lines out of production and out of the open shipments. A shipment that would be empty is cancelled instead, and
 * stays listed with its goods.
 */
export async function withdrawLines(
  tx: Transaction,
  order: LockedOrder,
  lines: readonly LockedLine[],
  now: Date,
): Promise<{ shipmentsCancelled: number[]; events: OrderEvent[] }> {
  const { orderNumber, siteId } = order
  const lineNumbers = lines.map((line) => line.lineNumber)
  const [, cancelled] = await Promise.all([
    tx.rows(sql`
      update order_line set cancelled_on = ${now}, updated_on = ${now}, production_status = null,
        held_production_status = null, backorder_quantity = null, stock_taken = 0
      where order_number = ${orderNumber} and line_number = any(${lineNumbers}::int[])`),
    tx.rows<{ shipmentNumber: number }>(sql`
      update shipment set status = 'CANCELLED', cancelled_on = ${now}, updated_on = ${now}
      where order_number = ${orderNumber} and status = 'OPEN' and not exists (
        select from shipment_line
        where shipment_line.shipment_number = shipment.shipment_number and not line_number = any(${lineNumbers}::int[])
      )
      returning shipment_number`),
  ])
  await tx.rows(sql`
    with lightened as (
      delete from shipment_line using shipment
      where shipment_line.shipment_number = shipment.shipment_number and shipment.order_number = ${orderNumber}
        and shipment.status = 'OPEN' and line_number = any(${lineNumbers}::int[])
      returning shipment.shipment_number
    )
    update shipment set updated_on = ${now} where shipment_number in (select shipment_number from lightened)`)
  const shipmentsCancelled = cancelled.map((row) => row.shipmentNumber).toSorted((a, b) => a - b)
  return {
    shipmentsCancelled,
    events: [
      // Receivers are not told of lines that partners are not shown.
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
