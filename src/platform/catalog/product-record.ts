import { isDeepStrictEqual } from 'node:util'
import type { Queries } from '../../database/database.ts'
import { columnList, pick, type Row } from '../../database/rows.ts'
import { nothing, sql, type SqlPart, sqlText } from '../../database/sql.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import type { ServiceType } from '../../vocabulary/product-kinds.ts'
import { type ProductDefinition, startingDefinition } from './product-definition.ts'
import type { ProductWish } from './product-rules.ts'
import { startingSettings, type StoredSettings } from './product-settings.ts'
import { hasPublishedId } from './published-id.ts'

/**
 * A product as staff see it: its definition (a share has its master's) and the settings of its own row. The texts are
 * its own, so they are null on a share that shows its master's.
 */
export type ProductRecord = ProductDefinition &
  StoredSettings & {
    productId: string
    siteId: number
    /** of a share: the product it was shared from */
    masterId: string | null
    serviceType: ServiceType
    /** null = it is not archived */
    archivedOn: string | null
    createdOn: string
    updatedOn: string
  }

export const definitionFields = Object.keys(startingDefinition) as readonly (keyof ProductDefinition)[]
export const settingsFields = Object.keys(startingSettings) as readonly (keyof StoredSettings)[]

/** Needs `product` and `source`, the row with the definition. */
export const recordColumns = sqlText`
  product.kind || '_' || product.product_number as product_id, product.site_id,
  'SLO_' || product.master_number as master_id, product.service_type,
  ${columnList(definitionFields, 'source')}, ${columnList(settingsFields, 'product')},
  product.archived_on, product.created_on, product.updated_on`

export const recordSource = sqlText`
  join product source on source.product_number = coalesce(product.master_number, product.product_number)`

/** The changeable columns of a product's row. A share's row has a definition too, which nothing reads. */
export function productRow(product: ProductDefinition & StoredSettings): Row {
  return pick(product, [...definitionFields, ...settingsFields])
}

export function readProductRecord(queries: Queries, productId: ProductId): Promise<ProductRecord | undefined> {
  return queries.row<ProductRecord>(sql`
    select ${recordColumns} from product ${recordSource} where ${hasPublishedId(productId)}`)
}

export type RecordFilter = {
  siteId?: number | undefined
  serviceType?: ServiceType | undefined
  active?: boolean | undefined
  /** undefined = both */
  archived?: boolean | undefined
  /** the product number to start after */
  after: number
  limit: number
}

/** By product number. */
export function listProductRecords(queries: Queries, filter: RecordFilter): Promise<ProductRecord[]> {
  const conditions = [
    filter.siteId === undefined ? nothing : sqlText`and product.site_id = ${filter.siteId}`,
    filter.serviceType === undefined ? nothing : sqlText`and product.service_type = ${filter.serviceType}`,
    filter.active === undefined ? nothing : sqlText`and product.active = ${filter.active}`,
    filter.archived === undefined ? nothing : sqlText`and (product.archived_on is not null) = ${filter.archived}`,
  ] satisfies SqlPart[]
  return queries.rows<ProductRecord>(sql`
    select ${recordColumns} from product ${recordSource}
    where product.product_number > ${filter.after}::bigint ${conditions[0]} ${conditions[1]} ${conditions[2]} ${conditions[3]}
    order by product.product_number
    limit ${filter.limit}::int`)
}

/** The products with these numbers, in their order. */
export function productRecordsOf(
  queries: Queries,
  productNumbers: readonly (number | string)[],
): Promise<ProductRecord[]> {
  return queries.rows<ProductRecord>(sql`
    select ${recordColumns}
    from unnest(${productNumbers}::bigint[]) with ordinality as wanted (product_number, position)
    join product using (product_number) ${recordSource}
    order by wanted.position`)
}

export function numberOf({ productId }: { productId: string }): number {
  return Number(productId.slice('SLO_'.length))
}

/** The fields of a wish that differ from the product. */
export function differing(current: ProductRecord, wish: ProductWish): ProductWish {
  return Object.fromEntries(
    [...definitionFields, ...settingsFields]
      .filter((field) => wish[field] !== undefined && !isDeepStrictEqual(wish[field], current[field]))
      .map((field) => [field, wish[field]]),
  )
}
