import type { Transaction } from '../../database/database.ts'
import { sql, sqlText, type SqlPart } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'

/**
 * How the stock of variants follows orders, and the movements that say so. Variants whose stock is not counted are left
 * alone. Stock that may go below zero owes pieces; stock that may not breaks variant_stock_not_negative, which undoes the
 * transaction.
 */

/** A line whose pieces come back. */
type ReturnedPieces = { variantId: number; pieces: number; orderNumber: number; lineNumber: number }

/** Adds pieces to the stock of variants, one of which may be named more than once. */
export async function returnPieces(
  tx: Transaction,
  returned: readonly ReturnedPieces[],
  { actor, now }: Change,
): Promise<void> {
  const variantIds = returned.map(({ variantId }) => variantId)
  // A statement of its own takes the locks in ascending order: one that both locks and updates can deadlock with its like.
  await Promise.all([
    tx.rows(sql`
      select variant_id from variant where variant_id = any(${variantIds}::int[]) order by variant_id
      for no key update`),
    tx.rows(sql`
      with returned as (
        select * from unnest(${variantIds}::int[], ${returned.map((each) => each.pieces)}::int[],
          ${returned.map((each) => each.orderNumber)}::bigint[], ${returned.map((each) => each.lineNumber)}::int[])
          with ordinality as returned(variant_id, pieces, order_number, line_number, position)
      ), stock as (
        update variant set stock_quantity = stock_quantity + back.pieces, updated_on = ${now}
        from (select variant_id, sum(pieces)::int as pieces from returned group by variant_id) as back
        where variant.variant_id = back.variant_id and stock_quantity is not null
        returning variant.variant_id, variant.stock_quantity as in_all
      )
      insert into stock_movement
        (variant_id, kind, pieces, stock_after, order_number, line_number, actor_kind, actor_id, moved_on)
      select returned.variant_id, 'CANCELLED', returned.pieces, stock.in_all - coalesce(sum(returned.pieces) over (
          partition by returned.variant_id order by returned.position
          rows between 1 following and unbounded following), 0),
        returned.order_number, returned.line_number, ${actor.kind}, ${actor.id}, ${now}
      from returned join stock using (variant_id)
      order by returned.position`),
  ])
}

/**
 * Parts of a statement, as `with stock as (…), moved as (…)`: takes pieces of a variant for a line, or returns them where
 * `pieces` is negative, and tells what is `left_over`; and the movement that says so.
 */
export function takenPieces(
  line: { stockVariantId: number | null; orderNumber: number; lineNumber: number },
  pieces: number,
  { actor, now }: Change,
): SqlPart {
  return sqlText`
    stock as (
      update variant set stock_quantity = stock_quantity - ${pieces}::int, updated_on = ${now}
      where variant_id = ${line.stockVariantId} and stock_quantity is not null
      returning variant_id, stock_quantity as left_over
    ), moved as (
      insert into stock_movement
        (variant_id, kind, pieces, stock_after, order_number, line_number, actor_kind, actor_id, moved_on)
      select variant_id, 'ADJUSTED', -${pieces}::int, left_over, ${line.orderNumber}::bigint, ${line.lineNumber}::int,
        ${actor.kind}, ${actor.id}, ${now}::timestamptz
      from stock
    )`
}
