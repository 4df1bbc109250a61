import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { updateProductImage as update } from '../../platform/catalog/product-images.ts'
import type { productImages as operations } from './contract.ts'
import { imageView } from './image-view.ts'

export function updateProductImage(database: Database): Handler<typeof operations.updateProductImage> {
  return async ({ caller, siteIds, path, body, now, requestId, refuse }) => {
    const change = { actor: { kind: 'PARTNER', id: caller.partnerId }, now, requestId } as const
    const updated = await update(database, siteIds, path.productId, path.imageId, body, change)
    if ('refused' in updated) throw refuse(updated.refused)
    return { status: 200, body: { images: updated.images.map(imageView) } }
  }
}
