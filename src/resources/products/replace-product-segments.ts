import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { replaceProductSegments as replace } from '../../platform/catalog/product-segments.ts'
import type { products } from './contract.ts'

export function replaceProductSegments(database: Database): Handler<typeof products.replaceProductSegments> {
  return async ({ siteIds, path, body, change, guarded, refuse }) => {
    const replaced = await database.change(
      guarded((tx) => replace(tx, change, siteIds, path.productId, body.segmentIds)),
    )
    if ('refused' in replaced) {
      if (replaced.refused === 'product_not_found') throw refuse(replaced.refused)
      throw refuse('invalid_segment_ids', `Not on the product's site: ${replaced.segmentIds.join(', ')}.`)
    }
    const { kind, number } = path.productId
    return { status: 200, body: { productId: `${kind}_${number}`, segments: replaced.done.segments } }
  }
}
