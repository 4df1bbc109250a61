import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { LockedLine } from './change-line.ts'

/**
 * How the stock of a variant follows the lines of placed orders. Stock that may go below zero owes pieces; stock that may
 * not breaks variant_stock_not_negative, which undoes the transaction.
 */

type Counted = Pick<LockedLine, 'stockVariantId' | 'stockTaken'>

/** The line has taken stock that is counted. */
export function isCounted(line: Counted): boolean {
  return line.stockVariantId !== null && line.stockTaken > 0
}

/** Returns what these lines have taken. */
export async function returnStock(tx: Transaction, lines: readonly Counted[], now: Date): Promise<void> {
  const counted = lines.filter(isCounted)
  if (counted.length === 0) return
  const variantIds = counted.map((line) => line.stockVariantId)
  const pieces = counted.map((line) => line.stockTaken)
  // A statement of its own takes the locks in ascending order: one that both locks and updates can deadlock with its like.
  await Promise.all([
    tx.rows(sql`
      select variant_id from variant where variant_id = any(${variantIds}::int[]) order by variant_id
      for no key update`),
    tx.rows(sql`
      update variant set stock_quantity = stock_quantity + back.pieces, updated_on = ${now}
      from (
        select variant_id, sum(pieces)::int as pieces
        from unnest(${variantIds}::int[], ${pieces}::int[]) as line(variant_id, pieces)
        group by variant_id
      ) as back
      where variant.variant_id = back.variant_id and stock_quantity is not null`),
  ])
}

/**
 * Takes so many more pieces for a line, or returns them where `pieces` is negative, and notes how many of its pieces the
 * stock now owes the line.
 */
export async function takeMoreStock(tx: Transaction, line: LockedLine, pieces: number, now: Date): Promise<void> {
  await tx.rows(sql`
    with stock as (
      update variant set stock_quantity = stock_quantity - ${pieces}::int, updated_on = ${now}
      where variant_id = ${line.stockVariantId} and stock_quantity is not null
      returning stock_quantity as left_over
    )
    update order_line set
      stock_taken = stock_taken + ${pieces}::int,
      backorder_quantity = greatest(0,
        coalesce(backorder_quantity, 0) + least(${pieces}::int, greatest(0, -stock.left_over)))
    from stock
    where order_number = ${line.orderNumber} and line_number = ${line.lineNumber}`)
}
