import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import type { ImageLinks } from '../../platform/catalog/image-links.ts'
import { settingsChangeProblem } from '../../platform/catalog/product-settings.ts'
import { updateProduct as update } from '../../platform/catalog/update-products.ts'
import type { products } from './contract.ts'
import { linkedProduct } from './linked-product.ts'
import { readProduct } from './read-product.ts'

export function updateProduct(database: Database, links: ImageLinks): Handler<typeof products.updateProduct> {
  return async ({ siteIds, path, body, change, guarded, refuse }) => {
    const wrong = settingsChangeProblem(path.productId.kind, body)
    switch (wrong?.problem) {
      case 'override_without_master':
        throw refuse('invalid_product_patch', 'The field overrideDisplay can only be set on a shared product (SLS_…).')
      case 'null_on_share':
        throw refuse(
          'sls_null_backfills_master',
          `The field ${wrong.field} cannot be null on a shared product. Send overrideDisplay false to show the master's text again.`,
        )
      case 'text_beside_inheritance':
        throw refuse(
          'invalid_product_patch',
          `The field ${wrong.field} cannot be set together with overrideDisplay false.`,
        )
      case undefined:
    }
    const updated = await database.change(guarded((tx) => update(tx, change, siteIds, path.productId, body)))
    if ('refused' in updated) {
      switch (updated.refused) {
        case 'product_not_found':
          throw refuse(updated.refused)
        case 'limits_crossed':
          throw refuse('monolith_rejected', 'The field maxQuantity must not be less than minQuantity.')
        default:
          throw refuse('monolith_rejected', 'detail' in updated ? updated.detail : undefined)
      }
    }
    const product = await readProduct(database.reads, siteIds, path.productId)
    if (!product) throw refuse('monolith_target_missing')
    return { status: 200, ...(await linkedProduct(links, product)) }
  }
}
