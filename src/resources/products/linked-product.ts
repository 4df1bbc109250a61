import type { Static } from 'typebox'
import type { ImageLinks } from '../../platform/catalog/image-links.ts'
import type { ProductDetail } from './contract.ts'
import type { StoredProductDetail } from './product-view.ts'

/** A product as an answer, with the link to its primary image. */
export async function linkedProduct(
  links: ImageLinks,
  product: StoredProductDetail,
): Promise<{ body: Static<typeof ProductDetail>; links: (string | null)[] }> {
  const link = await links(product.primaryImagePath)
  const [url, expiresOn] = link ? [link.url, link.expiresOn.toISOString()] : [null, null]
  return {
    body: { ...product, primaryImageUrl: url, primaryImageUrlExpiresOn: expiresOn },
    links: [url, expiresOn],
  }
}
