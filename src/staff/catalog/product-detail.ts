import { sql } from '../../database/sql.ts'
import { priceRows, pricesStart } from '../../platform/catalog/price-tables.ts'
import { productDiscounts } from '../../platform/catalog/product-discounts.ts'
import { imageLink } from '../../platform/catalog/product-image-files.ts'
import { ownProductImages } from '../../platform/catalog/product-images.ts'
import { numberOf, readProductRecord } from '../../platform/catalog/product-record.ts'
import { productWarnings } from '../../platform/catalog/product-warnings.ts'
import { variantsOf } from '../../platform/catalog/variants.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import type { StaffEnvironment } from '../environment.ts'

/** A product with all that belongs to it; undefined where there is none. */
export async function productDetail({ database, objectStore }: StaffEnvironment, productId: ProductId, now: Date) {
  const { reads } = database
  const product = await readProductRecord(reads, productId)
  if (!product) return undefined
  const productNumber = numberOf(product)
  const [variants, priceBreaks, discounts, images, segments, shares, pricedFrom] = await Promise.all([
    variantsOf(reads, productId),
    priceRows(reads, productId),
    productDiscounts(reads, productId),
    ownProductImages(reads, [product.siteId], productId),
    reads.rows<{ segmentId: number; name: string }>(sql`
      select segment_id, segment.name
      from product_segment join segment using (site_id, segment_id)
      where product_segment.product_number = ${productNumber}
      order by segment_id`),
    reads.rows<{ productId: string; siteId: number; active: boolean }>(sql`
      select 'SLS_' || product_number as product_id, site_id, active
      from product where master_number = ${productNumber} order by product_number`),
    pricesStart(reads, [productNumber]),
  ])
  const linked = (images ?? []).map(async (image) => ({
    ...image,
    url: await imageLink(objectStore, image.imagePath, now),
  }))
  const warnings = productWarnings(product, segments.length, pricedFrom.get(productNumber))
  const shown = { shares, variants, priceBreaks, discounts, segments, images: await Promise.all(linked), warnings }
  return { ...product, ...shown }
}
