import type { Transaction } from '../../database/database.ts'
import { insertRows, updateRows } from '../../database/rows.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Refused } from '../../vocabulary/outcome.ts'
import type { StockMovementKind } from '../../vocabulary/stock-movement-kinds.ts'

/** The one way in which stock changes by hand: variants are locked, their stock, shelves and movements written together. */

/** A variant that counts its own stock, as it was when its row was locked. */
export type LockedStock = {
  variantId: number
  productNumber: number
  siteId: number
  /** null = not tracked; below zero = owed to backorders */
  stock: number | null
  backorderable: boolean
  /** the shelf it is kept on, in the words of staff */
  location: string | null
  /** pieces by the name of a shelf */
  shelves: ReadonlyMap<string, number>
}

export type Movement = {
  kind: StockMovementKind
  /** signed */
  pieces: number
  /** null = the pieces lie on none */
  shelf: string | null
  orderNumber?: number
  lineNumber?: number
  reason: string | null
}

/** What happens to the stock of a variant. @param next by default the stock and the pieces of the movements */
export type StockChange = { variant: LockedStock; movements: readonly Movement[]; next?: number | null }

export type StockRefusal = Refused<'stock_below_zero' | 'stock_out_of_range' | 'shelf_short'>

const piecesMax = 2_147_483_647

/**
 * Locks variants in ascending order, so that pieces that orders take concurrently are counted before or after, and never
 * lost. Absent are variants that do not exist, and those of shares, which are counted at their master's.
 */
export async function lockStocks(tx: Transaction, variantIds: readonly number[]): Promise<Map<number, LockedStock>> {
  const [variants, shelves] = await Promise.all([
    tx.rows<Omit<LockedStock, 'shelves'>>(sql`
      select variant_id, product_number, site_id, stock_quantity as stock, backorderable, location from variant
      where variant_id = any(${variantIds}::int[]) and master_variant_id is null
      order by variant_id
      for no key update`),
    tx.rows<{ variantId: number; shelf: string; pieces: number }>(sql`
      select variant_id, shelf, pieces from stock_shelf where variant_id = any(${variantIds}::int[])
      order by variant_id, shelf`),
  ])
  const byVariant = Map.groupBy(shelves, ({ variantId }) => variantId)
  return new Map(
    variants.map((variant) => {
      const own = byVariant.get(variant.variantId) ?? []
      return [variant.variantId, { ...variant, shelves: new Map(own.map(({ shelf, pieces }) => [shelf, pieces])) }]
    }),
  )
}

/** Why stock cannot change so; undefined = it can. */
export function stockRefusal({ variant, movements, next = sumOf(variant, movements) }: StockChange) {
  if (next !== null && next < 0 && !variant.backorderable) {
    return { refused: 'stock_below_zero' } satisfies StockRefusal
  }
  const shelves = [...shelvesAfter(variant, movements).values()]
  if (shelves.some((pieces) => pieces < 0)) return { refused: 'shelf_short' } satisfies StockRefusal
  if ([next ?? 0, ...shelves].some((pieces) => Math.abs(pieces) > piecesMax)) {
    return { refused: 'stock_out_of_range' } satisfies StockRefusal
  }
  return undefined
}

/** Writes changes that `stockRefusal` lets pass, each of another variant. */
export async function writeStock(tx: Transaction, change: Change, changes: readonly StockChange[]): Promise<void> {
  const touched = changes.flatMap(({ variant, movements }) =>
    [...shelvesAfter(variant, movements)].map(([shelf, pieces]) => ({ variantId: variant.variantId, shelf, pieces })),
  )
  const rows = changes.map(({ variant, movements, next = sumOf(variant, movements) }) => ({
    variantId: variant.variantId,
    stockQuantity: next,
    updatedOn: change.now,
  }))
  await Promise.all([
    updateRows(tx, 'variant', 'variantId', rows),
    insertRows(
      tx,
      'stock_movement',
      changes.flatMap((each) => movementRows(each, change)),
    ),
    ...(touched.length === 0 ? [] : [replaceShelves(tx, touched)]),
  ])
}

type Shelf = { variantId: number; shelf: string; pieces: number }

async function replaceShelves(tx: Transaction, shelves: readonly Shelf[]): Promise<void> {
  await Promise.all([
    tx.rows(sql`
      delete from stock_shelf using unnest(${shelves.map(({ variantId }) => variantId)}::int[],
        ${shelves.map(({ shelf }) => shelf)}::text[]) as touched(variant_id, shelf)
      where stock_shelf.variant_id = touched.variant_id and stock_shelf.shelf = touched.shelf`),
    insertRows(
      tx,
      'stock_shelf',
      shelves.filter(({ pieces }) => pieces > 0),
    ),
  ])
}

function movementRows({ variant, movements, next }: StockChange, { actor, now }: Change) {
  let stock = variant.stock ?? 0
  return movements.map(({ pieces, orderNumber = null, lineNumber = null, ...movement }) => {
    stock += pieces
    return {
      ...movement,
      variantId: variant.variantId,
      pieces,
      stockAfter: next === null ? null : stock,
      orderNumber,
      lineNumber,
      actorKind: actor.kind,
      actorId: actor.id,
      movedOn: now,
    }
  })
}

function sumOf({ stock }: LockedStock, movements: readonly Movement[]): number | null {
  return movements.reduce((sum, { pieces }) => sum + pieces, stock ?? 0)
}

/** The shelves that movements name, with what lies there after them. */
function shelvesAfter({ shelves }: LockedStock, movements: readonly Movement[]): Map<string, number> {
  const after = new Map<string, number>()
  for (const { shelf, pieces } of movements) {
    if (shelf !== null) after.set(shelf, (after.get(shelf) ?? shelves.get(shelf) ?? 0) + pieces)
  }
  return after
}
