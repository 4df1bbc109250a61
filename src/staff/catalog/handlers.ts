import { createProduct, shareProduct } from '../../platform/catalog/create-products.ts'
import {
  differing,
  listProductRecords,
  numberOf,
  productRecordsOf,
  readProductRecord,
} from '../../platform/catalog/product-record.ts'
import { productWarnings } from '../../platform/catalog/product-warnings.ts'
import { replaceProductSegments } from '../../platform/catalog/product-segments.ts'
import { adjustStock } from '../../platform/catalog/stock-counts.ts'
import { updateProduct } from '../../platform/catalog/update-products.ts'
import { createVariant, updateVariant } from '../../platform/catalog/variants.ts'
import { searchProducts } from '../../resources/products/search-products.ts'
import type { StaffHandlers } from '../operation.ts'
import type { catalog } from './contract.ts'
import { productDetail } from './product-detail.ts'

export const catalogHandlers: StaffHandlers<typeof catalog> = {
  listProducts: async ({ environment, query, after, page, refuse }) => {
    const { q, siteId, active, serviceType, cursor, limit } = query
    const { reads, longReads } = environment.database
    if (q !== undefined) {
      if (siteId === undefined || active !== undefined || cursor !== undefined) {
        throw refuse('invalid_request', 'A search needs a site: send siteId with q, and neither active nor cursor.')
      }
      const found = await searchProducts(longReads, { siteId, q, serviceType, limit })
      const products = await productRecordsOf(reads, found.map(numberOf))
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
  createProduct: async ({ environment, path, body, change, now, refuse }) => {
    const { variants = [], ...product } = body
    const created = await environment.database.change(async (tx) => {
      const made = await createProduct(tx, change, path.siteId, product)
      if ('refused' in made) return made
      for (const variant of variants) {
        const added = await createVariant(tx, change, made.done.productId, variant)
        if ('refused' in added) return added
      }
      return made
    })
    if ('refused' in created) {
      if (created.refused === 'product_not_found' || created.refused === 'variants_of_master') throw new Error('unseen')
      throw refuse(created.refused, 'detail' in created ? created.detail : undefined)
    }
    return { status: 201, body: (await productDetail(environment, created.done.productId, now))! }
  },
  readProduct: async ({ environment, path, now, refuse }) => {
    const product = await productDetail(environment, path.productId, now)
    if (!product) throw refuse('product_not_found')
    return { status: 200, body: product, links: product.images.map(({ url }) => url) }
  },
  changeProduct: async ({ environment, path, body, change, now, refuse }) => {
    const product = await readProductRecord(environment.database.reads, path.productId)
    if (!product) throw refuse('product_not_found')
    const wish = differing(product, body)
    if (Object.keys(wish).length > 0) {
      const updated = await environment.database.change((tx) =>
        updateProduct(tx, change, [product.siteId], path.productId, wish),
      )
      if ('refused' in updated) throw refuse(updated.refused, 'detail' in updated ? updated.detail : undefined)
    }
    return { status: 200, body: (await productDetail(environment, path.productId, now))! }
  },
  shareProduct: async ({ environment, path, body, change, now, refuse }) => {
    const shared = await environment.database.change((tx) => shareProduct(tx, change, path.productId, body.siteId))
    if ('refused' in shared) throw refuse(shared.refused)
    return { status: 201, body: (await productDetail(environment, shared.done.productId, now))! }
  },
  setProductSegments: async ({ environment, path, body, change, refuse }) => {
    const product = await readProductRecord(environment.database.reads, path.productId)
    if (!product) throw refuse('product_not_found')
    const replaced = await environment.database.change((tx) =>
      replaceProductSegments(tx, change, [product.siteId], path.productId, body.segmentIds),
    )
    if ('segmentIds' in replaced) {
      throw refuse(replaced.refused, `Not on the product's site: ${replaced.segmentIds.join(', ')}.`)
    }
    if ('refused' in replaced) throw refuse(replaced.refused)
    const { segments } = replaced.done
    return { status: 200, body: { segments, warnings: productWarnings(product, segments.length, undefined) } }
  },
  createVariant: async ({ environment, path, body, change, now, refuse }) => {
    const created = await environment.database.change((tx) => createVariant(tx, change, path.productId, body))
    if ('refused' in created) throw refuse(created.refused, 'detail' in created ? created.detail : undefined)
    return { status: 201, body: (await productDetail(environment, path.productId, now))! }
  },
  changeVariant: async ({ environment, path, body, change, now, refuse }) => {
    const product = await readProductRecord(environment.database.reads, path.productId)
    if (!product) throw refuse('product_not_found')
    const updated = await environment.database.change((tx) =>
      updateVariant(tx, change, [product.siteId], path.productId, path.variantId, body),
    )
    if ('refused' in updated) throw refuse(updated.refused, 'detail' in updated ? updated.detail : undefined)
    return { status: 200, body: (await productDetail(environment, path.productId, now))! }
  },
  adjustStock: async ({ environment, path, body, change, refuse }) => {
    const move = body.pieces === undefined ? { counted: body.counted! } : { pieces: body.pieces }
    const adjusted = await environment.database.change((tx) =>
      adjustStock(tx, change, path.productId, path.variantId, move, body.reason),
    )
    if ('refused' in adjusted) throw refuse(adjusted.refused)
    return { status: 200, body: adjusted.done }
  },
}
