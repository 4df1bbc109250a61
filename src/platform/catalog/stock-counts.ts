import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done } from '../../vocabulary/outcome.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import { recordAudit } from '../audit/audit.ts'
import { hasPublishedId } from './published-id.ts'

/** How staff correct stock: by a number of pieces, or to a counted number; null = no longer tracked. */
export type StockMove = { pieces: number } | { counted: number | null }

const piecesMax = 2_147_483_647

/** Locks the variant, so that stock that orders take concurrently is counted before or after, and never lost. */
export async function adjustStock(
  tx: Transaction,
  change: Change,
  productId: ProductId,
  variantId: number,
  move: StockMove,
  reason: string,
): Promise<
  | Done<{ stockQuantity: number | null }>
  | {
      refused:
        | 'product_not_found'
        | 'variant_not_found'
        | 'counted_at_master'
        | 'stock_not_tracked'
        | 'stock_below_zero'
        | 'stock_out_of_range'
        | 'pieces_owed'
    }
> {
  const product = await tx.row<{ productNumber: number; siteId: number }>(sql`
    select product_number, site_id from product where ${hasPublishedId(productId)}`)
  if (!product) return { refused: 'product_not_found' }
  const variant = await tx.row<{ stock: number | null; backorderable: boolean; masterVariantId: number | null }>(sql`
    select stock_quantity as stock, backorderable, master_variant_id from variant
    where variant_id = ${variantId} and product_number = ${product.productNumber}
    for no key update`)
  if (!variant) return { refused: 'variant_not_found' }
  if (variant.masterVariantId !== null) return { refused: 'counted_at_master' }
  const { stock, backorderable } = variant
  if ('pieces' in move && stock === null) return { refused: 'stock_not_tracked' }
  const next = 'pieces' in move ? (stock ?? 0) + move.pieces : move.counted
  // The pieces owed to backorders are known only while stock is tracked.
  if (next === null && stock !== null && stock < 0) return { refused: 'pieces_owed' }
  if (next !== null && next < 0 && !backorderable) return { refused: 'stock_below_zero' }
  if (next !== null && Math.abs(next) > piecesMax) return { refused: 'stock_out_of_range' }
  await Promise.all([
    tx.rows(sql`
      update variant set stock_quantity = ${next}, updated_on = ${change.now} where variant_id = ${variantId}`),
    recordAudit(tx, change, {
      action: 'variant.stock_adjusted',
      subject: { kind: 'variant', id: variantId },
      siteId: product.siteId,
      detail: { before: stock, after: next, reason },
    }),
  ])
  return { done: { stockQuantity: next } }
}
