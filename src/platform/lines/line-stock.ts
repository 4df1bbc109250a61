import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { returnPieces, takenPieces } from '../catalog/stock-movements.ts'
import type { LockedLine } from './change-line.ts'

/** Keeps the stock up to date with the lines of placed orders. */

type Counted = Pick<LockedLine, 'stockVariantId' | 'stockTaken' | 'orderNumber' | 'lineNumber'>

/** Whether the line has taken stock of a variant with a stock count. */
export function isCounted(line: Pick<Counted, 'stockVariantId' | 'stockTaken'>): boolean {
  return line.stockVariantId !== null && line.stockTaken > 0
}

/** Returns what these lines have taken. */
export async function returnStock(tx: Transaction, lines: readonly Counted[], change: Change): Promise<void> {
  const counted = lines.filter(isCounted)
  if (counted.length === 0) return
  const returned = counted.map(({ orderNumber, lineNumber, ...line }) => ({
    variantId: line.stockVariantId!,
    pieces: line.stockTaken,
    orderNumber,
    lineNumber,
  }))
  await returnPieces(tx, returned, change)
}

/**
 * Takes this many more pieces for a line, or returns them if `pieces` is negative, and records how many pieces the
 * stock now owes the line: at most those that wait to leave. A backorder that is not computed stays so. If the stock is
 * no longer counted, nothing is taken and nothing more is owed.
 */
export async function takeMoreStock(
  tx: Transaction,
  line: LockedLine,
  pieces: number,
  waiting: number,
  change: Change,
): Promise<void> {
  await tx.rows(sql`
    with ${takenPieces(line, pieces, change)}
    update order_line set
      stock_taken = stock_taken + case when taken.left_over is null then 0 else ${pieces}::int end,
      backorder_quantity = case when backorder_quantity is not null then greatest(0, least(${waiting}::int,
        backorder_quantity + least(${pieces}::int, greatest(0, -coalesce(taken.left_over, 0))))) end
    from (select (select left_over from stock) as left_over) as taken
    where order_number = ${line.orderNumber} and line_number = ${line.lineNumber}`)
}

/** Notes that pieces of a line which left are back in stock, so that nothing returns them once more. */
export async function noteRestocked(
  tx: Transaction,
  line: Pick<LockedLine, 'orderNumber' | 'lineNumber'>,
  pieces: number,
): Promise<void> {
  await tx.rows(sql`
    update order_line set stock_taken = greatest(0, stock_taken - ${pieces}::int)
    where order_number = ${line.orderNumber} and line_number = ${line.lineNumber}`)
}
