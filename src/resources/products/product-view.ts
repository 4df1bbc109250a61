import type { Static } from 'typebox'
import { sqlText } from '../../database/sql.ts'
import type { ArtworkSource, ServiceType, Visibility } from '../../vocabulary/product-kinds.ts'
import type { Product } from './contract.ts'

/**
 * A product as its site's partners see it. `product` is the site's own row, `source` the one that tells what a share
 * takes from its master: the master's, or the same row on products the site owns.
 */
export const productColumns = sqlText`
  product.product_number, product.kind, product.site_id, source.name, source.code, product.service_type,
  source.artwork_source, product.visibility, product.requires_approval, product.override_display,
  product.min_quantity, product.max_quantity, source.turnaround_business_days, image.image_path as primary_image_path,
  product.active and source.active as active, product.created_on, product.updated_on,
  array(
    select product_segment.segment_id from product_segment
    where product_segment.product_number = product.product_number
    order by product_segment.segment_id
  ) as segment_ids`

/** What productColumns need beside `product`; served by product's primary key and product_image_one_primary. */
export const productSources = sqlText`
  join product source on source.product_number = coalesce(product.master_number, product.product_number)
  left join product_image image on image.product_number = product.product_number and image.is_primary`

export type ProductRow = {
  productNumber: number
  kind: 'SLO' | 'SLS'
  siteId: number
  name: string
  code: string
  serviceType: ServiceType
  artworkSource: ArtworkSource
  visibility: Visibility
  requiresApproval: boolean
  overrideDisplay: boolean | null
  minQuantity: number | null
  maxQuantity: number | null
  turnaroundBusinessDays: number | null
  primaryImagePath: string | null
  active: boolean
  createdOn: string
  updatedOn: string
  segmentIds: number[]
}

export function productView(row: ProductRow): Static<typeof Product> {
  return {
    productId: `${row.kind}_${row.productNumber}`,
    siteId: row.siteId,
    name: row.name,
    code: row.code,
    serviceType: row.serviceType,
    artworkSource: row.artworkSource,
    visibility: row.visibility,
    requiresApproval: row.requiresApproval,
    overrideDisplay: row.overrideDisplay,
    minQuantity: row.minQuantity,
    maxQuantity: row.maxQuantity,
    turnaroundBusinessDays: row.turnaroundBusinessDays,
    primaryImagePath: row.primaryImagePath,
    segmentIds: row.segmentIds,
    active: row.active,
    createdOn: row.createdOn,
    updatedOn: row.updatedOn,
  }
}
