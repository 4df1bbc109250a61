import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { returnPieces, takenPieces } from '../catalog/stock-movements.ts'
import type { LockedLine } from './change-line.ts'

/** Keeps the stock up to date with the lines of placed orders. */

type Counted = Pick<LockedLine, 'stockVariantId' | 'stockTaken'>

/** Whether the line has taken stock of a variant with a stock count. */
export function isCounted(line: Counted): boolean {
  return line.stockVariantId !== null && line.stockTaken > 0
}

/** Returns what these lines have taken. */
export async function returnStock(tx: Transaction, lines: readonly Counted[], now: Date): Promise<void> {
  const counted = lines.filter(isCounted)
  if (counted.length === 0) return
  const returned = counted.map((line) => ({ variantId: line.stockVariantId!, pieces: line.stockTaken }))
  await returnPieces(tx, returned, now)
}

/**
 * Takes this many more pieces for a line, or returns them if `pieces` is negative, and records how many pieces the
 * stock now owes the line.
 */
export async function takeMoreStock(tx: Transaction, line: LockedLine, pieces: number, now: Date): Promise<void> {
  await tx.rows(sql`
    with stock as (
      ${takenPieces(line.stockVariantId, pieces, now)}
    )
    update order_line set
      stock_taken = stock_taken + ${pieces}::int,
      backorder_quantity = greatest(0,
        coalesce(backorder_quantity, 0) + least(${pieces}::int, greatest(0, -stock.left_over)))
    from stock
    where order_number = ${line.orderNumber} and line_number = ${line.lineNumber}`)
}
