import { transactionUnlessRefused } from '../../database/undone.ts'
import { createProduct, shareProduct } from '../../platform/catalog/create-products.ts'
import { editProduct } from '../../platform/catalog/edit-products.ts'
import {
  listProductRecords,
  numberOf,
  productRecordsOf,
  readProductRecord,
} from '../../platform/catalog/product-record.ts'
import { replaceProductSegments } from '../../platform/catalog/product-segments.ts'
import { adjustStock } from '../../platform/catalog/stock-counts.ts'
import { createVariant, editVariant } from '../../platform/catalog/stocked-variants.ts'
import { searchProducts } from '../../resources/products/search-products.ts'
import type { StaffHandlers } from '../operation.ts'
import type { catalog } from './contract.ts'
import { productDetail } from './product-detail.ts'

export const catalogHandlers: StaffHandlers<typeof catalog> = {
  listProducts: async ({ world, query, after, page, refuse }) => {
    const { q, siteId, active, serviceType, cursor, limit } = query
    const { reads, longReads } = world.database
    if (q !== undefined) {
      if (siteId === undefined || active !== undefined || cursor !== undefined) {
        throw refuse('invalid_request', 'q needs siteId, and stands without active and cursor')
      }
      const found = await searchProducts(longReads, { siteId, q, serviceType, limit })
      const products = await productRecordsOf(
        reads,
        found.map((row) => row.productNumber),
      )
      return { status: 200, body: { products, nextCursor: null } }
    }
    const found = await listProductRecords(longReads, {
      siteId,
      serviceType,
      active,
      after: Number(after?.[0] ?? 0),
      limit: limit + 1,
    })
    const { rows, nextCursor } = page(found, (row) => [numberOf(row)])
    return { status: 200, body: { products: rows, nextCursor } }
  },
  createProduct: async ({ world, path, body, change, now, refuse }) => {
    const { variants = [], ...product } = body
    const created = await transactionUnlessRefused(world.database, async (tx) => {
      const made = await createProduct(tx, path.siteId, product, change)
      if ('refused' in made) return made
      for (const variant of variants) {
        const added = await createVariant(tx, made.productId, variant, change)
        if ('refused' in added) return added
      }
      return made
    })
    if ('refused' in created) {
      if (created.refused === 'product_not_found' || created.refused === 'variants_of_master') throw new Error('unseen')
      throw refuse(created.refused, 'detail' in created ? created.detail : undefined)
    }
    return { status: 201, body: (await productDetail(world, created.productId, now))! }
  },
  readProduct: async ({ world, path, now, refuse }) => {
    const product = await productDetail(world, path.productId, now)
    if (!product) throw refuse('product_not_found')
    return { status: 200, body: product }
  },
  changeProduct: async ({ world, path, body, change, now, refuse }) => {
    const edited = await transactionUnlessRefused(world.database, (tx) => editProduct(tx, path.productId, body, change))
    if ('refused' in edited) throw refuse(edited.refused, 'detail' in edited ? edited.detail : undefined)
    return { status: 200, body: (await productDetail(world, path.productId, now))! }
  },
  shareProduct: async ({ world, path, body, change, now, refuse }) => {
    const shared = await transactionUnlessRefused(world.database, (tx) =>
      shareProduct(tx, path.productId, body.siteId, change),
    )
    if ('refused' in shared) throw refuse(shared.refused)
    return { status: 201, body: (await productDetail(world, shared.productId, now))! }
  },
  setProductSegments: async ({ world, path, body, change, refuse }) => {
    const product = await readProductRecord(world.database.reads, path.productId)
    if (!product) throw refuse('product_not_found')
    const { database } = world
    const replaced = await replaceProductSegments(database, [product.siteId], path.productId, body.segmentIds, change)
    if ('refused' in replaced) throw refuse(replaced.refused)
    return { status: 200, body: { segments: replaced.segments } }
  },
  createVariant: async ({ world, path, body, change, now, refuse }) => {
    const created = await transactionUnlessRefused(world.database, (tx) =>
      createVariant(tx, path.productId, body, change),
    )
    if ('refused' in created) throw refuse(created.refused, 'detail' in created ? created.detail : undefined)
    return { status: 201, body: (await productDetail(world, path.productId, now))! }
  },
  changeVariant: async ({ world, path, body, change, now, refuse }) => {
    const edited = await transactionUnlessRefused(world.database, (tx) =>
      editVariant(tx, path.productId, path.variantId, body, change),
    )
    if ('refused' in edited) throw refuse(edited.refused, 'detail' in edited ? edited.detail : undefined)
    return { status: 200, body: (await productDetail(world, path.productId, now))! }
  },
  adjustStock: async ({ world, path, body, change, refuse }) => {
    const move = body.pieces === undefined ? { counted: body.counted! } : { pieces: body.pieces }
    const adjusted = await transactionUnlessRefused(world.database, (tx) =>
      adjustStock(tx, path.productId, path.variantId, move, body.reason, change),
    )
    if ('refused' in adjusted) throw refuse(adjusted.refused)
    return { status: 200, body: adjusted }
  },
}
