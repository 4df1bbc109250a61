import { breaksConstraint, type Database, type Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { decimalString, money, type Money, roundTo, zero } from '../../vocabulary/money.ts'
import type { Change } from '../../vocabulary/change.ts'
import {
  changeLine,
  lineSubject,
  type LineRefusal,
  type LockedLine,
  type LockedOrder,
  type Outcome,
  type Refused,
} from '../order-changes/change-order.ts'
import { isCounted, takeForLine } from './shelves.ts'
import { shippedQuantity } from './shipped-quantity.ts'

/** What a line is to be from now on. Without a total of its own, a new quantity is charged in proportion. */
export type Adjustment = { quantity?: number; lineTotal?: Money }

export type AdjustmentRefusal = Refused<
  | 'nothing_to_adjust'
  | 'quantity_out_of_range'
  | 'line_total_out_of_range'
  | 'quantity_already_shipped'
  | 'no_open_shipment'
  | 'not_in_stock'
>

type Adjusted = { quantity: number; lineTotal: Money | null }

const quantityMax = 1_000_000_000
/** As many digits before the point as other amounts that people type. */
const lineTotalMax = money('999999999999.9999')

/**
 * Changes how much of a line is made, or what it costs (ORD-11, ORD-13). List amount, discounts and what the line cost
 * before adjustments stay as they were ordered, which is why they no longer sum up to the order's price (SUB-07).
 * Shelf and open shipments follow the quantity.
 */
export async function adjustLine(
  database: Database,
  orderNumber: number,
  lineNumber: number,
  adjustment: Adjustment,
  change: Change,
): Promise<Outcome<Adjusted, LineRefusal | AdjustmentRefusal>> {
  try {
    return await changeLine<Adjusted, AdjustmentRefusal>(
      database,
      orderNumber,
      lineNumber,
      'amend',
      change,
      (tx, order, line) => adjust(tx, order, line, adjustment, change.now),
    )
  } catch (error) {
    if (breaksConstraint(error, 'variant_stock_not_negative')) return { refused: 'not_in_stock' }
    throw error
  }
}

async function adjust(tx: Transaction, order: LockedOrder, line: LockedLine, adjustment: Adjustment, now: Date) {
  const { quantity = line.quantity } = adjustment
  if (!Number.isInteger(quantity) || quantity < 1 || quantity > quantityMax) {
    return { refused: 'quantity_out_of_range' as const }
  }
  const lineTotal = adjustment.lineTotal ?? inProportion(line, quantity, order.scale)
  if (lineTotal !== null && !isUsable(lineTotal, order.scale)) {
    return { refused: 'line_total_out_of_range' as const }
  }
  const more = quantity - line.quantity
  const isSamePrice = lineTotal === null ? line.lineTotal === null : line.lineTotal?.eq(lineTotal)
  if (more === 0 && isSamePrice) return { refused: 'nothing_to_adjust' as const }
  if (more !== 0 && line.shippable) {
    const refused = await adjustShipment(tx, line, more, now)
    if (refused) return refused
  }
  const amount = lineTotal && decimalString(lineTotal, order.scale)
  const isFromShelf = more !== 0 && isCounted(line)
  const waiting = quantity - (await shippedQuantity(tx, line.orderNumber, line.lineNumber))
  // What a shelf still owes the line follows with the shelf itself.
  await tx.rows(sql`
    update order_line set quantity = ${quantity}, line_total = ${amount},
      backorder_quantity = case when ${isFromShelf} then backorder_quantity else least(backorder_quantity, ${waiting}::int) end,
      updated_on = ${now}
    where order_number = ${line.orderNumber} and line_number = ${line.lineNumber}`)
  return {
    done: { quantity, lineTotal },
    audit: {
      action: 'line.adjusted',
      subject: lineSubject(line),
      detail: {
        quantity: { from: line.quantity, to: quantity },
        lineTotal: { from: line.lineTotal && decimalString(line.lineTotal, order.scale), to: amount },
      },
    },
    ...(isFromShelf ? { stock: () => takeForLine(tx, line, more, now) } : {}),
  }
}

function inProportion(line: LockedLine, quantity: number, scale: number): Money | null {
  if (quantity === line.quantity) return line.lineTotal
  return line.lineTotal && roundTo(line.lineTotal.times(quantity).div(line.quantity), scale)
}

/** What of a line has not left is all in one open shipment. */
async function adjustShipment(
  tx: Transaction,
  line: LockedLine,
  more: number,
  now: Date,
): Promise<Refused<'no_open_shipment' | 'quantity_already_shipped'> | undefined> {
  const open = await tx.row<{ shipmentNumber: number; quantity: number }>(sql`
    select shipment_number, shipment_line.quantity
    from shipment_line
    join shipment using (shipment_number)
    where shipment_line.order_number = ${line.orderNumber} and line_number = ${line.lineNumber} and status = 'OPEN'`)
  if (!open) return { refused: 'no_open_shipment' }
  const quantity = open.quantity + more
  // Some of it has to be left to ship: no line becomes shipped by being adjusted.
  if (quantity < 1) return { refused: 'quantity_already_shipped' }
  await Promise.all([
    tx.rows(sql`
      update shipment_line set quantity = ${quantity}
      where shipment_number = ${open.shipmentNumber} and line_number = ${line.lineNumber}`),
    tx.rows(sql`update shipment set updated_on = ${now} where shipment_number = ${open.shipmentNumber}`),
  ])
  return undefined
}

function isUsable(lineTotal: Money, scale: number): boolean {
  return lineTotal.gte(zero) && lineTotal.lte(lineTotalMax) && roundTo(lineTotal, scale).eq(lineTotal)
}
