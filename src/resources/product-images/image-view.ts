import type { Static } from 'typebox'
import type { ProductImage } from '../../platform/catalog/product-images.ts'
import type { Image } from './contract.ts'

export function imageView(image: ProductImage): Static<typeof Image> {
  return {
    imageId: image.imageId,
    imagePath: image.imagePath,
    sequence: image.sequence ?? 0,
    primary: image.primary,
    imageAlt: image.imageAlt,
    attribution: image.attribution,
    imageWidth: image.imageWidth,
    imageHeight: image.imageHeight,
  }
}
