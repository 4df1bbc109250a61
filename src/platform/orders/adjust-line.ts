import { breaksConstraint, type Transaction } from '../../database/database.ts'
import type { Change } from '../../vocabulary/change.ts'
import { decimalString, money, type Money, roundTo, zero } from '../../vocabulary/money.ts'
import { lineQuantityMax } from '../catalog/quantity-rules.ts'
import { changeLine, lineSubject, type LockedLine } from '../lines/change-line.ts'
import { setQuantity } from '../lines/update-lines.ts'
import { isCounted, takeMoreStock } from '../lines/line-stock.ts'
import { shippedQuantity } from '../lines/shipped-quantity.ts'
import { adjustGoods } from '../shipments/open-shipments.ts'

/**
 * The new values of a line. A new quantity without a new total is charged in proportion to the line as ordered, or as last
 * priced by hand: so the price does not depend on the steps between.
 */
export type Adjustment = { quantity?: number; lineTotal?: Money }

/** The same number of digits before the point as other amounts that people type. */
const lineTotalMax = money('999999999999.9999')

/**
 * Changes a line's quantity or price (ORD-11, ORD-13). List amount, discounts and the total before adjustments stay as
 * ordered, so they no longer add up to the order's price (SUB-07). Stock and open shipments follow the quantity.
 */
export async function adjustLine(
  tx: Transaction,
  change: Change,
  orderNumber: number,
  lineNumber: number,
  adjustment: Adjustment,
) {
  try {
    return await adjust(tx, change, orderNumber, lineNumber, adjustment)
  } catch (error) {
    if (breaksConstraint(error, 'variant_stock_not_negative')) return { refused: 'not_in_stock' as const }
    throw error
  }
}

function adjust(tx: Transaction, change: Change, orderNumber: number, lineNumber: number, adjustment: Adjustment) {
  return changeLine(tx, change, orderNumber, lineNumber, 'amend', async (line, { scale }) => {
    const { quantity = line.quantity } = adjustment
    if (!Number.isInteger(quantity) || quantity < 1 || quantity > lineQuantityMax) {
      return { refused: 'quantity_out_of_range' }
    }
    const lineTotal = adjustment.lineTotal ?? inProportion(line, quantity, scale)
    if (lineTotal !== null && !isUsable(lineTotal, scale)) return { refused: 'line_total_out_of_range' }
    if (line.recordKind !== 'SALE' && adjustment.lineTotal) {
      return { refused: 'line_total_out_of_range', detail: 'Only a line that the customer bought can be priced.' }
    }
    const more = quantity - line.quantity
    const isSamePrice = lineTotal === null ? line.lineTotal === null : line.lineTotal?.eq(lineTotal)
    if (more === 0 && isSamePrice) return { refused: 'nothing_to_adjust' }
    if (more !== 0 && line.shippable) {
      const refused = await adjustGoods(tx, line, more, change.now)
      if (refused) return refused
    }
    const base = adjustment.lineTotal ? { quantity, lineTotal: adjustment.lineTotal } : line.base
    const amount = lineTotal && decimalString(lineTotal, scale)
    const takesStock = more !== 0 && isCounted(line)
    const waiting = quantity - (await shippedQuantity(tx, orderNumber, lineNumber))
    // If the line takes stock, its backorder is written together with the stock.
    const backorderMax = takesStock ? null : waiting
    await setQuantity(tx, line, { quantity, lineTotal: amount, base, backorderMax }, change.now)
    return {
      done: { quantity, lineTotal },
      audit: {
        action: 'line.adjusted',
        subject: lineSubject(line),
        detail: {
          quantity: { from: line.quantity, to: quantity },
          lineTotal: { from: line.lineTotal && decimalString(line.lineTotal, scale), to: amount },
        },
      },
      ...(takesStock && { stock: () => takeMoreStock(tx, line, more, waiting, change) }),
    }
  })
}

function inProportion({ base, ...line }: LockedLine, quantity: number, scale: number): Money | null {
  if (quantity === line.quantity) return line.lineTotal
  return base && roundTo(base.lineTotal.times(quantity).div(base.quantity), scale)
}

function isUsable(lineTotal: Money, scale: number): boolean {
  return lineTotal.gte(zero) && lineTotal.lte(lineTotalMax) && roundTo(lineTotal, scale).eq(lineTotal)
}
