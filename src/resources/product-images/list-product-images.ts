import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import type { ImageLinks } from '../../platform/catalog/image-links.ts'
import { productImages } from '../../platform/catalog/product-images.ts'
import type { productImages as operations } from './contract.ts'
import { imageList } from './image-view.ts'

export function listProductImages(database: Database, links: ImageLinks): Handler<typeof operations.listProductImages> {
  return async ({ siteIds, path, refuse }) => {
    const images = await productImages(database.lists, siteIds, path.productId)
    if (!images) throw refuse('product_not_found')
    return { status: 200, ...(await imageList(links, images)) }
  }
}
