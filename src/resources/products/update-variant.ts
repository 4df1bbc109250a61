import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { updatePartnerVariant } from '../../platform/catalog/variants.ts'
import type { products } from './contract.ts'
import { readProduct } from './read-product.ts'

export function updateVariant(database: Database): Handler<typeof products.updateVariant> {
  return async ({ siteIds, path, body, change, guarded, refuse }) => {
    const { productId, variantId } = path
    const updated = await database.change(
      guarded((tx) => updatePartnerVariant(tx, change, siteIds, productId, variantId, body)),
    )
    if ('refused' in updated) {
      if (updated.refused === 'variant_not_usable') throw refuse('monolith_rejected', updated.detail)
      throw refuse(updated.refused === 'variant_not_found' ? 'variant_not_site_addressable' : updated.refused)
    }
    const product = await readProduct(database.reads, siteIds, productId)
    const variant = product?.variants.find((each) => each.variantId === variantId)
    if (!variant) throw refuse('monolith_target_missing')
    return { status: 200, body: variant }
  }
}
