import type { Static } from 'typebox'
import type { ImageLinks } from '../../platform/catalog/image-links.ts'
import type { ProductImage } from '../../platform/catalog/product-images.ts'
import type { ImageList } from './contract.ts'

/** The images of a product as an answer, with their links. */
export async function imageList(
  links: ImageLinks,
  images: readonly ProductImage[],
): Promise<{ body: Static<typeof ImageList>; links: (string | null)[] }> {
  const shown = await Promise.all(
    images.map(async (image) => {
      const link = await links(image.imagePath)
      return {
        imageId: image.imageId,
        imagePath: image.imagePath,
        imageUrl: link && link.url,
        imageUrlExpiresOn: link && link.expiresOn.toISOString(),
        sequence: image.sequence ?? 0,
        primary: image.primary,
        imageAlt: image.imageAlt,
        attribution: image.attribution,
        imageWidth: image.imageWidth,
        imageHeight: image.imageHeight,
      }
    }),
  )
  return { body: { images: shown }, links: shown.flatMap((image) => [image.imageUrl, image.imageUrlExpiresOn]) }
}
