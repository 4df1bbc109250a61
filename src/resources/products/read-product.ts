import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { columns } from '../../database/view.ts'
import { hasPublishedId } from '../../platform/catalog/published-id.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import { productDetailView, productSources, type StoredProductDetail } from './product-view.ts'

/** The product on one of the sites with its variants, in one round trip; undefined where there is none to be seen. */
export function readProduct(
  queries: Queries,
  siteIds: readonly number[],
  productId: ProductId,
): Promise<StoredProductDetail | undefined> {
  // Served by product's primary key.
  return queries.row(sql`
    select ${columns(productDetailView)}
    from product
    ${productSources}
    where ${hasPublishedId(productId)} and product.site_id = any(${siteIds}::int[])`)
}
