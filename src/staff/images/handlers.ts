import { addProductImage, imageLink, removeProductImage } from '../../platform/catalog/product-image-files.ts'
import { ownProductImages, updateProductImage } from '../../platform/catalog/product-images.ts'
import { readProductRecord } from '../../platform/catalog/product-record.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import type { StaffEnvironment } from '../environment.ts'
import type { StaffHandlers } from '../operation.ts'
import type { images } from './contract.ts'

export const imageHandlers: StaffHandlers<typeof images> = {
  listImages: async ({ environment, path, now, refuse }) => {
    const shown = await imagesShown(environment, path.productId, now)
    if (!shown) throw refuse('product_not_found')
    return { status: 200, body: shown, links: shown.images.map(({ url }) => url) }
  },
  addImage: async ({ environment, path, upload, change, now, refuse }) => {
    const added = await addProductImage(environment, change, path.productId, upload)
    if ('refused' in added) throw refuse(added.refused)
    return { status: 201, body: (await imagesShown(environment, path.productId, now))! }
  },
  changeImage: async ({ environment, path, body, change, now, refuse }) => {
    const product = await readProductRecord(environment.database.reads, path.productId)
    if (!product) throw refuse('product_not_found')
    const changed = await environment.database.change((tx) =>
      updateProductImage(tx, change, [product.siteId], path.productId, path.imageId, body),
    )
    if ('refused' in changed) throw refuse(changed.refused)
    return { status: 200, body: (await imagesShown(environment, path.productId, now))! }
  },
  removeImage: async ({ environment, path, change, now, refuse }) => {
    const removed = await removeProductImage(environment, change, path.productId, path.imageId)
    if ('refused' in removed) throw refuse(removed.refused)
    return { status: 200, body: (await imagesShown(environment, path.productId, now))! }
  },
}

async function imagesShown({ database, objectStore }: StaffEnvironment, productId: ProductId, now: Date) {
  const product = await readProductRecord(database.reads, productId)
  const images = product && (await ownProductImages(database.reads, [product.siteId], productId))
  if (!images) return undefined
  const linked = images.map(async (image) => ({ ...image, url: await imageLink(objectStore, image.imagePath, now) }))
  return { images: await Promise.all(linked) }
}
