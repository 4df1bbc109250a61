import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import { recordAudit } from '../audit/audit.ts'
import { hasPublishedId } from './published-id.ts'
import {
  lockStocks,
  type LockedStock,
  type Movement,
  type StockChange,
  stockRefusal,
  type StockRefusal,
  writeStock,
} from './stock-changes.ts'

/** The stock of one variant, changed by hand. */

export type StockNow = { stockQuantity: number | null }

type NotFound = Refused<'product_not_found' | 'variant_not_found' | 'counted_at_master'>
type Changed = Done<StockNow> | NotFound | StockRefusal
type NotTracked = Refused<'stock_not_tracked'>

/** How staff correct stock: by a number of pieces, or to a counted number; null = no longer tracked. */
export type StockCorrection = { pieces: number; shelf: string | null } | { counted: number | null }

/** A count of the variant as a whole leaves its shelves as they are; where stock is no longer tracked, it lies on none. */
export function adjustStock(
  tx: Transaction,
  change: Change,
  productId: ProductId,
  variantId: number,
  move: StockCorrection,
  reason: string,
): Promise<Changed | NotTracked | Refused<'pieces_owed'>> {
  const record = { action: 'variant.stock_adjusted', detail: { reason } }
  return changeOne<NotTracked | Refused<'pieces_owed'>>(tx, change, productId, variantId, record, (variant) => {
    const { stock } = variant
    if ('pieces' in move) {
      if (stock === null) return { refused: 'stock_not_tracked' }
      return { variant, movements: [{ kind: 'CORRECTED', pieces: move.pieces, shelf: move.shelf, reason }] }
    }
    // The pieces owed to backorders are known only while stock is tracked.
    if (move.counted === null && stock !== null && stock < 0) return { refused: 'pieces_owed' }
    const cleared = move.counted === null ? [...variant.shelves] : []
    const onShelves = cleared.reduce((sum, [, pieces]) => sum + pieces, 0)
    const movements = [
      ...cleared.map(([shelf, pieces]): Movement => ({ kind: 'COUNTED', pieces: -pieces, shelf, reason })),
      {
        kind: 'COUNTED',
        pieces: (move.counted ?? 0) - (stock ?? 0) + onShelves,
        shelf: null,
        reason,
      } satisfies Movement,
    ]
    return { variant, movements, next: move.counted }
  })
}

/** Pieces that arrived, put on a shelf or on none. */
export function receiveStock(
  tx: Transaction,
  change: Change,
  productId: ProductId,
  variantId: number,
  received: { pieces: number; shelf: string | null; reason: string | null },
): Promise<Changed | NotTracked> {
  const record = { action: 'variant.stock_received', detail: received }
  return changeOne<NotTracked>(tx, change, productId, variantId, record, (variant) =>
    variant.stock === null
      ? { refused: 'stock_not_tracked' }
      : { variant, movements: [{ kind: 'RECEIVED', ...received }] },
  )
}

/** Pieces that can no longer be sold, from a shelf or from none. */
export function scrapStock(
  tx: Transaction,
  change: Change,
  productId: ProductId,
  variantId: number,
  { pieces, shelf, reason }: { pieces: number; shelf: string | null; reason: string },
): Promise<Changed | NotTracked> {
  const record = { action: 'variant.stock_scrapped', detail: { pieces, shelf, reason } }
  return changeOne<NotTracked>(tx, change, productId, variantId, record, (variant) =>
    variant.stock === null
      ? { refused: 'stock_not_tracked' }
      : { variant, movements: [{ kind: 'SCRAPPED', pieces: -pieces, shelf, reason }] },
  )
}

/** From one shelf to another; null = none. The stock stays. */
export function moveStock(
  tx: Transaction,
  change: Change,
  productId: ProductId,
  variantId: number,
  { pieces, from, to, reason }: { pieces: number; from: string | null; to: string | null; reason: string | null },
): Promise<Changed | NotTracked | Refused<'same_shelf'>> {
  const record = { action: 'variant.stock_moved', detail: { pieces, from, to, reason } }
  return changeOne<NotTracked | Refused<'same_shelf'>>(tx, change, productId, variantId, record, (variant) => {
    if (variant.stock === null) return { refused: 'stock_not_tracked' }
    if (from === to) return { refused: 'same_shelf' }
    const movements: Movement[] = [
      { kind: 'MOVED', pieces: -pieces, shelf: from, reason },
      { kind: 'MOVED', pieces, shelf: to, reason },
    ]
    return { variant, movements }
  })
}

/**
 * Pieces of a line that a customer sent back and that can be sold again, for the verb that takes the return. The order
 * and its line are locked before. A variant whose stock is not tracked, or that is gone, gets none.
 */
export async function restockPieces(
  tx: Transaction,
  change: Change,
  line: { stockVariantId: number; orderNumber: number; lineNumber: number },
  { pieces, shelf, reason }: { pieces: number; shelf: string | null; reason: string | null },
): Promise<Done<{ restocked: boolean }> | StockRefusal> {
  const { orderNumber, lineNumber } = line
  const variant = (await lockStocks(tx, [line.stockVariantId])).get(line.stockVariantId)
  if (variant?.stock === null || variant === undefined) return { done: { restocked: false } }
  const returned: StockChange = {
    variant,
    movements: [{ kind: 'RETURNED', pieces, shelf, orderNumber, lineNumber, reason }],
  }
  const refused = stockRefusal(returned)
  if (refused) return refused
  await writeStock(tx, change, [returned])
  return { done: { restocked: true } }
}

async function changeOne<Refusal extends Refused>(
  tx: Transaction,
  change: Change,
  productId: ProductId,
  variantId: number,
  record: { action: string; detail: Readonly<Record<string, unknown>> },
  judge: (variant: LockedStock) => StockChange | Refusal,
): Promise<Changed | Refusal> {
  const found = await tx.row<{ known: boolean; ofShare: boolean }>(sql`
    select variant.variant_id is not null as known, variant.master_variant_id is not null as of_share
    from product left join variant on variant.product_number = product.product_number and variant_id = ${variantId}
    where ${hasPublishedId(productId)}`)
  if (!found) return { refused: 'product_not_found' }
  if (found.ofShare) return { refused: 'counted_at_master' }
  const variant = found.known ? (await lockStocks(tx, [variantId])).get(variantId) : undefined
  if (!variant) return { refused: 'variant_not_found' }
  const judged = judge(variant)
  if ('refused' in judged) return judged
  const refused = stockRefusal(judged)
  if (refused) return refused
  await writeStock(tx, change, [judged])
  const { next = judged.movements.reduce((sum, { pieces }) => sum + pieces, variant.stock ?? 0) } = judged
  await recordAudit(tx, change, {
    action: record.action,
    subject: { kind: 'variant', id: variantId },
    siteId: variant.siteId,
    detail: { before: variant.stock, after: next, ...record.detail },
  })
  return { done: { stockQuantity: next } }
}
