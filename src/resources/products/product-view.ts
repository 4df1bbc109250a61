import type { Static } from 'typebox'
import { sqlText } from '../../database/sql.ts'
import { jsonList, listedRecord, type View } from '../../database/view.ts'
import { Product, type ProductDetail } from './contract.ts'
import { variantSources, variantView } from './variant-view.ts'

/**
 * A product as its site's partners see it. `product` is the site's own row, `source` the one that tells what a share
 * takes from its master: the master's, or the same row on products the site owns.
 */
export const productView: View<Static<typeof Product>> = {
  productId: "product.kind || '_' || product.product_number",
  siteId: 'product.site_id',
  name: 'source.name',
  code: 'source.code',
  serviceType: 'product.service_type',
  artworkSource: 'source.artwork_source',
  visibility: 'product.visibility',
  requiresApproval: 'product.requires_approval',
  overrideDisplay: 'product.override_display',
  minQuantity: 'product.min_quantity',
  maxQuantity: 'product.max_quantity',
  turnaroundBusinessDays: 'source.turnaround_business_days',
  primaryImagePath: 'coalesce(image.image_path, master_image.image_path)',
  segmentIds: `array_to_json(array(
    select product_segment.segment_id from product_segment
    where product_segment.product_number = product.product_number
    order by product_segment.segment_id
  ))`,
  active: 'product.active and source.active',
  createdOn: 'product.created_on',
  updatedOn: 'product.updated_on',
}

export const productRecord = listedRecord(productView, Product)

/** What a product's views need beside `product`; served by product's primary key and product_image_one_primary. */
export const productSources = sqlText`
  join product source on source.product_number = coalesce(product.master_number, product.product_number)
  left join product_image image on image.product_number = product.product_number and image.is_primary
  left join product_image master_image on master_image.product_number = product.master_number
    and master_image.is_primary and image.image_id is null`

/** A product as the database tells it; `linked-product.ts` adds the link. */
export type StoredProductDetail = Omit<Static<typeof ProductDetail>, 'primaryImageUrl' | 'primaryImageUrlExpiresOn'>

export const productDetailView: View<StoredProductDetail> = {
  ...productView,
  description: displayed('description'),
  metaDescription: displayed('meta_description'),
  metaKeywords: displayed('meta_keywords'),
  artworkTypes: 'source.artwork_types',
  attributeNames: 'source.attribute_names',
  variants: jsonList(variantView, variantSources, 'own.variant_id'),
}

/** A share shows its master's texts unless it has its own. */
function displayed(column: string): string {
  return `case when product.override_display then product.${column} else source.${column} end`
}
