import type { Static } from 'typebox'
import type { Call, Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { serviceTypes } from '../../vocabulary/product-kinds.ts'
import type { Product, products } from './contract.ts'
import { productColumns, type ProductRow, productSources, productView } from './product-view.ts'

export function listProducts(database: Database): Handler<typeof products.listProducts> {
  return async (call) => ({ status: 200, body: await productPage(database, call) })
}

/** What both list routes have in common: the sites they speak of are in the call already. */
type ListCall = Pick<Call<typeof products.listSiteProducts>, 'siteIds' | 'query' | 'after' | 'page' | 'refuse'>

/**
 * Each granted site gives its own next products of each type, in the order of product_by_service_type; only as many as a
 * page needs are then sorted together. However many sites and products there are, nothing else is read.
 */
export async function productPage(
  database: Database,
  { siteIds, query, after, page, refuse }: ListCall,
): Promise<{ products: Static<typeof Product>[]; nextCursor: string | null }> {
  const { serviceType, q, limit } = query
  if (q !== undefined) throw refuse('search_not_available')
  const found = await database.reads.rows<ProductRow>(sql`
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
    select ${productColumns}
    from next_product
    join product on product.product_number = next_product.product_number
    ${productSources}
    order by product.product_number`)
  const { rows, nextCursor } = page(found, (row) => [row.product_number])
  return { products: rows.map(productView), nextCursor }
}
