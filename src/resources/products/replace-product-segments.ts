import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { replaceProductSegments as replace } from '../../platform/catalog/product-segments.ts'
import type { products } from './contract.ts'

export function replaceProductSegments(database: Database): Handler<typeof products.replaceProductSegments> {
  return async ({ siteIds, path, body, change, refuse }) => {
    const replaced = await database.change((tx) => replace(tx, change, siteIds, path.productId, body.segmentIds))
    if ('refused' in replaced) {
      throw refuse(replaced.refused === 'segment_not_on_site' ? 'invalid_segment_ids' : replaced.refused)
    }
    const { kind, number } = path.productId
    return { status: 200, body: { productId: `${kind}_${number}`, segments: replaced.done.segments } }
  }
}
