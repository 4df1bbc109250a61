import type { Queries } from '../../database/database.ts'
import { nothing, sql, type SqlPart, sqlText } from '../../database/sql.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import type { ServiceType } from '../../vocabulary/product-kinds.ts'
import type { ProductDefinition } from './product-definition.ts'
import type { ProductFields } from './products.ts'
import { hasPublishedId } from './published-id.ts'

/**
 * A product as staff keep it: its definition (a share's is its master's) and what its own row decides. The texts are its
 * own: those of a share that shows its master's are null.
 */
export type ProductRecord = ProductDefinition &
  Omit<ProductFields, 'overrideDisplay'> & {
    productId: string
    siteId: number
    /** of a share: the product it was shared from */
    masterId: string | null
    serviceType: ServiceType
    /** null on products the site owns */
    overrideDisplay: boolean | null
    /** of its own row; a share sells only while its master is active too */
    active: boolean
    createdOn: string
    updatedOn: string
  }

/** Needs `product` and `source`, the row that tells the definition. */
export const recordColumns = sqlText`
  product.kind || '_' || product.product_number as product_id, product.site_id,
  'SLO_' || product.master_number as master_id, product.service_type, source.name, source.code,
  source.artwork_source, source.attribute_names,
  source.handling_fee, source.taxable, source.shippable,
  source.digital_delivery, source.requires_proof,
  source.unit_weight_ounces, source.turnaround_business_days,
  source.fulfilment_center_id, source.template_vendor,
  source.template_id, product.visibility, product.requires_approval,
  product.override_display, product.min_quantity,
  product.max_quantity, product.description, product.meta_description,
  product.meta_keywords, product.active, product.created_on,
  product.updated_on`

export const recordSource = sqlText`
  join product source on source.product_number = coalesce(product.master_number, product.product_number)`

export function readProductRecord(queries: Queries, productId: ProductId): Promise<ProductRecord | undefined> {
  return queries.row<ProductRecord>(sql`
    select ${recordColumns} from product ${recordSource} where ${hasPublishedId(productId)}`)
}

export type RecordFilter = {
  siteId?: number | undefined
  serviceType?: ServiceType | undefined
  active?: boolean | undefined
  /** the product number to start behind */
  after: number
  limit: number
}

/** By product number. */
export function listProductRecords(queries: Queries, filter: RecordFilter): Promise<ProductRecord[]> {
  const conditions = [
    filter.siteId === undefined ? nothing : sqlText`and product.site_id = ${filter.siteId}`,
    filter.serviceType === undefined ? nothing : sqlText`and product.service_type = ${filter.serviceType}`,
    filter.active === undefined ? nothing : sqlText`and product.active = ${filter.active}`,
  ] satisfies SqlPart[]
  return queries.rows<ProductRecord>(sql`
    select ${recordColumns} from product ${recordSource}
    where product.product_number > ${filter.after}::bigint ${conditions[0]} ${conditions[1]} ${conditions[2]}
    order by product.product_number
    limit ${filter.limit}::int`)
}

/** Those of the numbers, in their order. */
export function productRecordsOf(
  queries: Queries,
  productNumbers: readonly (number | string)[],
): Promise<ProductRecord[]> {
  return queries.rows<ProductRecord>(sql`
    select ${recordColumns}
    from unnest(${productNumbers}::bigint[]) with ordinality as wanted (product_number, place)
    join product using (product_number) ${recordSource}
    order by wanted.place`)
}

export function numberOf({ productId }: { productId: string }): number {
  return Number(productId.slice('SLO_'.length))
}
