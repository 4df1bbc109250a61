import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { replaceProductSegments as replace } from '../../platform/catalog/product-segments.ts'
import type { products } from './contract.ts'

export function replaceProductSegments(database: Database): Handler<typeof products.replaceProductSegments> {
  return async ({ caller, siteIds, path, body, now, requestId, refuse }) => {
    const change = { actor: { kind: 'PARTNER', id: caller.partnerId }, now, requestId } as const
    const replaced = await replace(database, siteIds, path.productId, body.segmentIds, change)
    if ('refused' in replaced) {
      throw refuse(replaced.refused === 'segment_not_on_site' ? 'invalid_segment_ids' : replaced.refused)
    }
    const { kind, number } = path.productId
    return { status: 200, body: { productId: `${kind}_${number}`, segments: replaced.segments } }
  }
}
