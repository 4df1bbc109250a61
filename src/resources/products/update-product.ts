import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { productChangeProblem, updateProduct as update } from '../../platform/catalog/products.ts'
import type { products } from './contract.ts'
import { readProduct } from './read-product.ts'

export function updateProduct(database: Database): Handler<typeof products.updateProduct> {
  return async ({ caller, siteIds, path, body, now, requestId, refuse }) => {
    const wrong = productChangeProblem(path.productId.kind, body)
    switch (wrong?.problem) {
      case 'override_without_master':
        throw refuse('invalid_product_patch', 'overrideDisplay can only be set on a shared product (SLS_…).')
      case 'null_on_share':
        throw refuse(
          'sls_null_backfills_master',
          `${wrong.field} cannot be null on a shared product: send overrideDisplay false to inherit the texts again.`,
        )
      case 'text_beside_inheritance':
        throw refuse('invalid_product_patch', `${wrong.field} cannot be set together with overrideDisplay false.`)
      case undefined:
    }
    const change = { actor: { kind: 'PARTNER', id: caller.partnerId }, now, requestId } as const
    const updated = await update(database, siteIds, path.productId, body, change)
    if ('refused' in updated) {
      throw updated.refused === 'limits_crossed'
        ? refuse('monolith_rejected', 'maxQuantity cannot be below minQuantity.')
        : refuse(updated.refused)
    }
    const product = await readProduct(database.reads, siteIds, path.productId)
    if (!product) throw refuse('monolith_target_missing')
    return { status: 200, body: product }
  }
}
