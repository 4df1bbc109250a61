import { beginStockCount, closeStockCount, enterStockCount } from '../../platform/catalog/stock-counts.ts'
import { moveStock, receiveStock, scrapStock } from '../../platform/catalog/stock-verbs.ts'
import type { StaffEnvironment } from '../environment.ts'
import { makeChange } from '../make-change.ts'
import type { StaffHandlers } from '../operation.ts'
import type { stock } from './contract.ts'
import { checkMovements, findMovements, findStock, findStockCounts, readCountSheet, readVariant } from './read-stock.ts'

const movementKey = ({ stockMovementId }: { stockMovementId: number }) => [stockMovementId]

export const stockHandlers: StaffHandlers<typeof stock> = {
  listStock: async ({ environment, query, after, page }) => {
    const slice = { after: Number(after?.[0] ?? 0), limit: query.limit + 1 }
    const found = await findStock(environment.database.longReads, query, slice)
    const { rows, nextCursor } = page(found, ({ variantId }) => [variantId])
    return { status: 200, body: { variants: rows, nextCursor } }
  },
  listStockMovements: async ({ environment, path, query, after, page, refuse }) => {
    const { reads } = environment.database
    const variant = await readVariant(reads, path.productId, path.variantId)
    if (!variant) throw refuse('product_not_found')
    if (variant.variantId === null) throw refuse('variant_not_found')
    if (variant.ofShare) throw refuse('counted_at_master')
    const { found, goOn } = await findMovements(
      environment.database.longReads,
      path.variantId,
      query,
      after && Number(after[0]),
      query.limit + 1,
    )
    const { rows, nextCursor } = page(found, movementKey, goOn && movementKey(goOn))
    return { status: 200, body: { movements: rows, nextCursor } }
  },
  checkStock: async ({ environment, query, after, page }) => {
    const slice = { after: Number(after?.[0] ?? 0), limit: query.limit + 1 }
    const found = await checkMovements(environment.database.longReads, query.siteId, slice)
    const { rows, nextCursor } = page(found, ({ variantId }) => [variantId])
    const differences = rows.flatMap((row) => row.differences.map((each) => ({ variantId: row.variantId, ...each })))
    return { status: 200, body: { checked: rows.length, differences, nextCursor } }
  },
  receiveStock: async (call) => {
    const { path, body } = call
    const received = { shelf: null, reason: null, ...body }
    const done = await makeChange(call, (tx, change) =>
      receiveStock(tx, change, path.productId, path.variantId, received),
    )
    return { status: 200, body: done }
  },
  scrapStock: async (call) => {
    const { path, body } = call
    const scrapped = { shelf: null, ...body }
    const done = await makeChange(call, (tx, change) =>
      scrapStock(tx, change, path.productId, path.variantId, scrapped),
    )
    return { status: 200, body: done }
  },
  moveStock: async (call) => {
    const { path, body } = call
    const moved = { reason: null, ...body }
    const done = await makeChange(call, (tx, change) => moveStock(tx, change, path.productId, path.variantId, moved))
    return { status: 200, body: done }
  },
  beginStockCount: async (call) => {
    const { siteId = null, variantIds = null, shelf = null, note = null } = call.body
    const { stockCountId } = await makeChange(call, (tx, change) =>
      beginStockCount(tx, change, { siteId, variantIds, shelf }, note),
    )
    return { status: 201, body: await sheet(call.environment, stockCountId) }
  },
  listStockCounts: async ({ environment, query, after, page }) => {
    const found = await findStockCounts(
      environment.database.longReads,
      query.open,
      after && Number(after[0]),
      query.limit + 1,
    )
    const { rows, nextCursor } = page(found, ({ stockCountId }) => [stockCountId])
    return { status: 200, body: { stockCounts: rows, nextCursor } }
  },
  readStockCount: async ({ environment, path, refuse }) => {
    const found = await readCountSheet(environment.database.reads, path.stockCountId)
    if (!found) throw refuse('count_not_found')
    return { status: 200, body: found }
  },
  enterStockCount: async (call) => {
    const { environment, path, body } = call
    const entries = body.entries.map((entry) => ({ ...entry, shelf: entry.shelf ?? null }))
    await makeChange(call, (tx, change) => enterStockCount(tx, change, path.stockCountId, entries))
    return { status: 200, body: await sheet(environment, path.stockCountId) }
  },
  closeStockCount: async (call) => {
    const { environment, path } = call
    await makeChange(call, (tx, change) => closeStockCount(tx, change, path.stockCountId))
    return { status: 200, body: await sheet(environment, path.stockCountId) }
  },
}

/** The sheet after a change. Sheets are never deleted. */
async function sheet({ database }: StaffEnvironment, stockCountId: number) {
  return (await readCountSheet(database.reads, stockCountId))!
}
