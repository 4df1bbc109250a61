import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { supportedVendor } from '../../outside/template-vendor/template-vendor.ts'
import type { ArtworkSource } from '../../vocabulary/product-kinds.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import { hasPublishedId } from './published-id.ts'

/** The template vendor's document that a product is made from. Only the vendor knows its content. */

type Templated = { artworkSource: ArtworkSource; templateVendor: string | null; templateId: string | null }

/** null = the product has no template, its vendor is no longer supported, or no document is configured. */
export function usableTemplateId({ artworkSource, templateVendor, templateId }: Templated): string | null {
  return artworkSource === 'TEMPLATE' && templateVendor === supportedVendor ? templateId || null : null
}

/** The document of the product on one of the sites; undefined where there is no such product. */
export async function templateOf(
  queries: Queries,
  siteIds: readonly number[],
  productId: ProductId,
): Promise<{ templateId: string | null } | undefined> {
  // Served by product's primary key.
  const product = await queries.row<Templated>(sql`
    select source.artwork_source, source.template_vendor,
      source.template_id
    from product
    join product source on source.product_number = coalesce(product.master_number, product.product_number)
    where ${hasPublishedId(productId)} and product.site_id = any(${siteIds}::int[])`)
  return product && { templateId: usableTemplateId(product) }
}
