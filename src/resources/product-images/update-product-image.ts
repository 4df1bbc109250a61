import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { updateProductImage as update } from '../../platform/catalog/product-images.ts'
import type { productImages as operations } from './contract.ts'
import { imageView } from './image-view.ts'

export function updateProductImage(database: Database): Handler<typeof operations.updateProductImage> {
  return async ({ siteIds, path, body, change, guarded, refuse }) => {
    const { productId, imageId } = path
    const updated = await database.change(guarded((tx) => update(tx, change, siteIds, productId, imageId, body)))
    if ('refused' in updated) throw refuse(updated.refused)
    return { status: 200, body: { images: updated.done.images.map(imageView) } }
  }
}
