import { archiveProduct, deleteProduct, deleteVariant } from '../../platform/catalog/delete-products.ts'
import { createProduct, shareProduct } from '../../platform/catalog/create-products.ts'
import {
  differing,
  listProductRecords,
  numberOf,
  productRecordsOf,
  readProductRecord,
} from '../../platform/catalog/product-record.ts'
import { replacePrices } from '../../platform/catalog/price-tables.ts'
import { productWarnings } from '../../platform/catalog/product-warnings.ts'
import { replaceProductSegments } from '../../platform/catalog/product-segments.ts'
import { adjustStock } from '../../platform/catalog/stock-verbs.ts'
import { updateProduct } from '../../platform/catalog/update-products.ts'
import { createVariant, updateVariant } from '../../platform/catalog/variants.ts'
import { searchProducts } from '../../resources/products/search-products.ts'
import { permissionsOf } from '../../vocabulary/staff-roles.ts'
import type { Refusal } from '../../contract/refusal.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import type { StaffEnvironment } from '../environment.ts'
import { makeChange } from '../make-change.ts'
import type { StaffHandlers } from '../operation.ts'
import type { catalog } from './contract.ts'
import { findProducts } from './find-products.ts'
import { productDetail } from './product-detail.ts'

export const catalogHandlers: StaffHandlers<typeof catalog> = {
  listProducts: async ({ environment, query, after, page, refuse }) => {
    const { q, siteId, active, archived, serviceType, cursor, limit } = query
    const { reads, longReads } = environment.database
    if (q !== undefined) {
      if (cursor !== undefined) throw refuse('invalid_request', 'A search is one page: send q without cursor.')
      if (siteId === undefined || active !== undefined || archived !== undefined) {
        const filter = { siteId, serviceType, active, archived, limit }
        return { status: 200, body: { products: await findProducts(longReads, q, filter), nextCursor: null } }
      }
      const found = await searchProducts(longReads, { siteId, q, serviceType, limit })
      const products = await productRecordsOf(
        reads,
        found.map(({ productNumber }) => productNumber),
      )
      return { status: 200, body: { products, nextCursor: null } }
    }
    const found = await listProductRecords(longReads, {
      siteId,
      serviceType,
      active,
      archived: archived ?? false,
      after: Number(after?.[0] ?? 0),
      limit: limit + 1,
    })
    const { rows, nextCursor } = page(found, (row) => [numberOf(row)])
    return { status: 200, body: { products: rows, nextCursor } }
  },
  createProduct: async ({ environment, path, body, change, session, now, refuse }) => {
    const { variants = [], priceBreaks, ...product } = body
    if (priceBreaks && !permissionsOf(session.roles).has('prices:write')) {
      throw refuse('not_permitted', 'Prices need the permission prices:write.')
    }
    const created = await environment.database.change(async (tx) => {
      const made = await createProduct(tx, change, path.siteId, product)
      if ('refused' in made) return made
      const { productId } = made.done
      for (const { counted, ...variant } of variants) {
        const added = await createVariant(tx, change, productId, variant)
        if ('refused' in added) return added
        if (counted === undefined) continue
        const reason = 'Counted when the product was created'
        const adjusted = await adjustStock(tx, change, productId, added.done.variantId, { counted }, reason)
        if ('refused' in adjusted) throw new Error(`a new variant refused its first count: ${adjusted.refused}`)
      }
      if (!priceBreaks) return made
      const priced = await replacePrices(
        tx,
        change,
        productId,
        priceBreaks.map((row) => ({ ...row, variantId: null })),
      )
      return 'refused' in priced ? priced : made
    })
    if ('refused' in created) {
      if (created.refused === 'product_not_found' || created.refused === 'variants_of_master') throw new Error('unseen')
      const detail = 'detail' in created ? created.detail : undefined
      throw refuse(created.refused, 'row' in created ? `In priceBreaks[${created.row}]: ${detail}` : detail)
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
  deleteProduct: async (call) => {
    const { productId } = call.path
    await makeChange(call, (tx, change) => deleteProduct(tx, change, productId))
    return { status: 200, body: { productId: `${productId.kind}_${productId.number}` } }
  },
  archiveProduct: async (call) => {
    await makeChange(call, (tx, change) => archiveProduct(tx, change, call.path.productId, true))
    return { status: 200, body: await changed(call) }
  },
  restoreProduct: async (call) => {
    await makeChange(call, (tx, change) => archiveProduct(tx, change, call.path.productId, false))
    return { status: 200, body: await changed(call) }
  },
  deleteVariant: async (call) => {
    const { productId, variantId } = call.path
    await makeChange(call, (tx, change) => deleteVariant(tx, change, productId, variantId))
    return { status: 200, body: await changed(call) }
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
    const move =
      body.pieces === undefined ? { counted: body.counted! } : { pieces: body.pieces, shelf: body.shelf ?? null }
    const adjusted = await environment.database.change((tx) =>
      adjustStock(tx, change, path.productId, path.variantId, move, body.reason),
    )
    if ('refused' in adjusted) throw refuse(adjusted.refused)
    return { status: 200, body: adjusted.done }
  },
}

type ProductCall = {
  environment: StaffEnvironment
  path: { productId: ProductId }
  now: Date
  refuse: (code: 'product_not_found') => Refusal<string>
}

/** The product after a change; it may have been deleted since. */
async function changed({ environment, path, now, refuse }: ProductCall) {
  const product = await productDetail(environment, path.productId, now)
  if (!product) throw refuse('product_not_found')
  return product
}
