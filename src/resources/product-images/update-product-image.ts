import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import type { ImageLinks } from '../../platform/catalog/image-links.ts'
import { updateProductImage as update } from '../../platform/catalog/product-images.ts'
import type { productImages as operations } from './contract.ts'
import { imageList } from './image-view.ts'

export function updateProductImage(
  database: Database,
  links: ImageLinks,
): Handler<typeof operations.updateProductImage> {
  return async ({ siteIds, path, body, change, guarded, refuse }) => {
    const { productId, imageId } = path
    const updated = await database.change(guarded((tx) => update(tx, change, siteIds, productId, imageId, body)))
    if ('refused' in updated) throw refuse(updated.refused)
    return { status: 200, ...(await imageList(links, updated.done.images)) }
  }
}
