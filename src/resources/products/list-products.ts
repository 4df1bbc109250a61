import type { Static } from 'typebox'
import type { Call, Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { nothing, sql, type SqlPart, sqlText } from '../../database/sql.ts'
import { jsonPage, type RecordRow } from '../../database/view.ts'
import type { JsonText } from '../../vocabulary/json-text.ts'
import { serviceTypes } from '../../vocabulary/product-kinds.ts'
import type { ProductPage, products } from './contract.ts'
import { productSources, productRecord } from './product-view.ts'
import { searchProducts } from './search-products.ts'

export function listProducts(database: Database, searchAvailable: boolean): Handler<typeof products.listProducts> {
  return async (call) => ({ status: 200, body: await productsAsked(database, searchAvailable, call) })
}

/** What both list routes have in common: the sites they speak of are in the call already. */
type ListCall = Pick<Call<typeof products.listSiteProducts>, 'siteIds' | 'query' | 'after' | 'page' | 'refuse'>

/** The page of the catalog a call asks for, or the ranked set its search finds, which is one page always (CAT-12). */
export async function productsAsked(
  database: Database,
  searchAvailable: boolean,
  call: ListCall,
): Promise<JsonText<Static<typeof ProductPage>>> {
  const { q, serviceType, limit } = call.query
  if (q === undefined) return productPage(database, call)
  if (!searchAvailable) throw call.refuse('search_not_available')
  // A search names its site, in the path or as a filter: it is the one the call speaks of.
  const found = await searchProducts(database.longReads, { siteId: call.siteIds[0]!, q, serviceType, limit })
  return jsonPage('products', productRecord, found, null)
}

/**
 * Each granted site gives its own next products of each type, in the order of product_by_service_type; only as many as a
 * page needs are then sorted together. However many sites and products there are, nothing else is read. Products with a
 * code or SKU are few, and are found by it first.
 */
async function productPage(
  database: Database,
  { siteIds, query, after, page }: ListCall,
): Promise<JsonText<Static<typeof ProductPage>>> {
  const { serviceType, code, sku, limit } = query
  const afterNumber = after?.[0] ?? 0
  const next =
    code === undefined && sku === undefined
      ? sqlText`
      select listed.product_number
      from unnest(${siteIds}::int[]) as granted (site_id)
      cross join unnest(${serviceType ? [serviceType] : serviceTypes}::text[]) as wanted (service_type)
      cross join lateral (
        select product.product_number from product
        where product.site_id = granted.site_id and product.service_type = wanted.service_type
          and product.product_number > ${afterNumber}
        order by product.product_number
        limit ${limit + 1}
      ) listed
      order by listed.product_number
      limit ${limit + 1}`
      : sqlText`
      select product.product_number from product
      where product.site_id = any(${siteIds}::int[]) and product.product_number > ${afterNumber}
        ${serviceType ? sqlText`and product.service_type = ${serviceType}` : nothing}
        ${code === undefined ? nothing : sqlText`and product.product_number = any(array(${withCode(code)}))`}
        ${sku === undefined ? nothing : sqlText`and product.product_number = any(array(${withSku(sku)}))`}
      order by product.product_number
      limit ${limit + 1}`
  const found = await database.lists.rows<RecordRow & { productNumber: number }>(sql`
    with next_product as (${next})
    select ${productRecord.column}, product.product_number
    from next_product
    join product on product.product_number = next_product.product_number
    ${productSources}
    order by product.product_number`)
  const { rows, nextCursor } = page(found, (product) => [product.productNumber])
  return jsonPage('products', productRecord, rows, nextCursor)
}

/** A share has its master's code; product_by_code and product_by_master. */
function withCode(code: string): SqlPart {
  return sqlText`
    select source.product_number from product source where source.code = ${code} and source.master_number is null
    union all
    select share.product_number from product source
    join product share on share.master_number = source.product_number
    where source.code = ${code}`
}

/** A share's variant without a SKU of its own has its master's; variant_by_sku and variant_by_master. */
function withSku(sku: string): SqlPart {
  return sqlText`
    select own.product_number from variant own where own.sku = ${sku}
    union all
    select own.product_number from variant counted
    join variant own on own.master_variant_id = counted.variant_id and own.sku is null
    where counted.sku = ${sku}`
}
