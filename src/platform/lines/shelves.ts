import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { LockedLine } from '../order-changes/change-order.ts'

/**
 * How a placed order's pieces go back to the shelves or come off them. A shelf that may go below zero owes pieces; one
 * that may not breaks variant_stock_not_negative, which undoes the transaction.
 */

type Counted = Pick<LockedLine, 'stockVariantId' | 'stockTaken'>

/** The line's pieces came off a shelf where they are counted. */
export function isCounted(line: Counted): boolean {
  return line.stockVariantId !== null && line.stockTaken > 0
}

/** Puts back what was taken for these lines. */
export async function returnToShelves(tx: Transaction, lines: readonly Counted[], now: Date): Promise<void> {
  const counted = lines.filter(isCounted)
  if (counted.length === 0) return
  const variantIds = counted.map((line) => line.stockVariantId)
  const pieces = counted.map((line) => line.stockTaken)
  // Locked by a statement of its own, in ascending order: one that both locks and updates can deadlock with its like.
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
 * Takes so many more pieces for a line, or puts so many back where `pieces` is negative, and tells the line how many of
 * its pieces the shelf now owes it.
 */
export async function takeForLine(tx: Transaction, line: LockedLine, pieces: number, now: Date): Promise<void> {
  await tx.rows(sql`
    with shelf as (
      update variant set stock_quantity = stock_quantity - ${pieces}::int, updated_on = ${now}
      where variant_id = ${line.stockVariantId} and stock_quantity is not null
      returning stock_quantity as left_over
    )
    update order_line set
      stock_taken = stock_taken + ${pieces}::int,
      backorder_quantity = greatest(0,
        coalesce(backorder_quantity, 0) + least(${pieces}::int, greatest(0, -shelf.left_over)))
    from shelf
    where order_number = ${line.orderNumber} and line_number = ${line.lineNumber}`)
}
