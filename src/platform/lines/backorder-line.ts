import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { changeLine, lineSubject } from './change-line.ts'
import { shippedQuantity } from './shipped-quantity.ts'

/**
 * Sets how many pieces of a line are backordered; null = not computed, which is not 0 (ORD-23). Stock does not change:
 * it has owed these pieces since the order was placed.
 */
export function backorderLine(
  tx: Transaction,
  change: Change,
  orderNumber: number,
  lineNumber: number,
  pieces: number | null,
) {
  return changeLine(tx, change, orderNumber, lineNumber, 'amend', async (line) => {
    const waiting = line.quantity - (await shippedQuantity(tx, orderNumber, lineNumber))
    if (pieces !== null && (!Number.isInteger(pieces) || pieces < 0 || pieces > waiting)) {
      return { refused: 'pieces_out_of_range' }
    }
    await tx.rows(sql`
      update order_line set backorder_quantity = ${pieces}, updated_on = ${change.now}
      where order_number = ${orderNumber} and line_number = ${lineNumber}`)
    return { done: {}, audit: { action: 'line.backordered', subject: lineSubject(line), detail: { pieces } } }
  })
}
