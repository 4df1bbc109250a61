import type { Static } from 'typebox'
import type { Call, Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { columns } from '../../database/view.ts'
import { numberOf } from '../../platform/catalog/product-record.ts'
import { serviceTypes } from '../../vocabulary/product-kinds.ts'
import type { Product, ProductPage, products } from './contract.ts'
import { productSources, productView } from './product-view.ts'
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
): Promise<Static<typeof ProductPage>> {
  const { q, serviceType, limit } = call.query
  if (q === undefined) return productPage(database, call)
  if (!searchAvailable) throw call.refuse('search_not_available')
  // A search names its site, in the path or as a filter: it is the one the call speaks of.
  const found = await searchProducts(database.longReads, { siteId: call.siteIds[0]!, q, serviceType, limit })
  return { products: found, nextCursor: null }
}

/**
 * Each granted site gives its own next products of each type, in the order of product_by_service_type; only as many as a
 * page needs are then sorted together. However many sites and products there are, nothing else is read.
 */
async function productPage(
  database: Database,
  { siteIds, query, after, page }: ListCall,
): Promise<Static<typeof ProductPage>> {
  const { serviceType, limit } = query
  const found = await database.reads.rows<Static<typeof Product>>(sql`
    with next_product as (
      select listed.product_number
      from unnest(${siteIds}::int[]) as granted (site_id)
      cross join unnest(${serviceType ? [serviceType] : serviceTypes}::text[]) as wanted (service_type)
      cross join lateral (
        select product.product_number from product
        where product.site_id = granted.site_id and product.service_type = wanted.service_type
          and product.product_number > ${after?.[0] ?? 0}
        order by product.product_number
        limit ${limit + 1}
      ) listed
      order by listed.product_number
      limit ${limit + 1}
    )
    select ${columns(productView)}
    from next_product
    join product on product.product_number = next_product.product_number
    ${productSources}
    order by product.product_number`)
  const { rows, nextCursor } = page(found, (product) => [numberOf(product)])
  return { products: rows, nextCursor }
}
