import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { lockStocks, type LockedStock, type Movement, writeStock } from './stock-changes.ts'

type Leaving = { variantId: number; pieces: number; orderNumber: number; lineNumber: number }

/**
 * Takes pieces that leave with a shipment from the shelves of their variants: from the one that the variant's `location`
 * names, then from the fullest. The stock stays, since the orders took it before. What lies on no shelf is left alone.
 */
export async function pickFromShelves(tx: Transaction, change: Change, leaving: readonly Leaving[]): Promise<void> {
  const variantIds = [...new Set(leaving.map(({ variantId }) => variantId))]
  if (variantIds.length === 0) return
  const shelved = await tx.rows<{ variantId: number }>(sql`
    select distinct variant_id from stock_shelf where variant_id = any(${variantIds}::int[])`)
  if (shelved.length === 0) return
  const variants = await lockStocks(
    tx,
    shelved.map(({ variantId }) => variantId),
  )
  const changes = [...variants.values()].flatMap((variant) => {
    const movements = picked(
      variant,
      leaving.filter(({ variantId }) => variantId === variant.variantId),
    )
    return variant.stock === null || movements.length === 0 ? [] : [{ variant, movements }]
  })
  if (changes.length > 0) await writeStock(tx, change, changes)
}

function picked({ shelves, location }: LockedStock, leaving: readonly Leaving[]): Movement[] {
  const left = [...shelves]
    .toSorted(([one, some], [other, more]) => Number(other === location) - Number(one === location) || more - some)
    .map(([shelf, pieces]) => ({ shelf, pieces }))
  return leaving.flatMap(({ pieces: wanted, orderNumber, lineNumber }) => {
    const of = { kind: 'PICKED', orderNumber, lineNumber, reason: null } as const
    const taken: Movement[] = []
    for (const each of left) {
      const pieces = Math.min(each.pieces, wanted)
      if (pieces === 0) continue
      each.pieces -= pieces
      wanted -= pieces
      taken.push({ ...of, pieces: -pieces, shelf: each.shelf }, { ...of, pieces, shelf: null })
    }
    return taken
  })
}
