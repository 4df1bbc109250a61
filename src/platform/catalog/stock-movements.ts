import type { Transaction } from '../../database/database.ts'
import { sql, sqlText, type SqlPart } from '../../database/sql.ts'

/**
 * How the stock of variants follows orders. Variants whose stock is not counted are left alone. Stock that may go below
 * zero owes pieces; stock that may not breaks variant_stock_not_negative, which undoes the transaction.
 */

/** Adds pieces to the stock of variants, one of which may be named more than once. */
export async function returnPieces(
  tx: Transaction,
  returned: readonly { variantId: number; pieces: number }[],
  now: Date,
): Promise<void> {
  const variantIds = returned.map(({ variantId }) => variantId)
  const pieces = returned.map((each) => each.pieces)
  // A statement of its own takes the locks in ascending order: one that both locks and updates can deadlock with its like.
  await Promise.all([
    tx.rows(sql`
      select variant_id from variant where variant_id = any(${variantIds}::int[]) order by variant_id
      for no key update`),
    tx.rows(sql`
      update variant set stock_quantity = stock_quantity + back.pieces, updated_on = ${now}
      from (
        select variant_id, sum(pieces)::int as pieces
        from unnest(${variantIds}::int[], ${pieces}::int[]) as returned(variant_id, pieces)
        group by variant_id
      ) as back
      where variant.variant_id = back.variant_id and stock_quantity is not null`),
  ])
}

/** Part of a statement: takes pieces of one variant, or returns them where `pieces` is negative, and tells what is `left_over`. */
export function takenPieces(variantId: number | null, pieces: number, now: Date): SqlPart {
  return sqlText`
    update variant set stock_quantity = stock_quantity - ${pieces}::int, updated_on = ${now}
    where variant_id = ${variantId} and stock_quantity is not null
    returning stock_quantity as left_over`
}
