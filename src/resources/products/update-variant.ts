import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { updateVariant as update } from '../../platform/catalog/variants.ts'
import type { products } from './contract.ts'
import { readProduct } from './read-product.ts'

export function updateVariant(database: Database): Handler<typeof products.updateVariant> {
  return async ({ caller, siteIds, path, body, now, requestId, refuse }) => {
    const change = { actor: { kind: 'PARTNER', id: caller.partnerId }, now, requestId } as const
    const updated = await update(database, siteIds, path.productId, path.variantId, body, change)
    if ('refused' in updated) {
      throw refuse(updated.refused === 'variant_not_addressable' ? 'variant_not_site_addressable' : updated.refused)
    }
    const product = await readProduct(database.reads, siteIds, path.productId)
    const variant = product?.variants.find((each) => each.variantId === path.variantId)
    if (!variant) throw refuse('monolith_target_missing')
    return { status: 200, body: variant }
  }
}
