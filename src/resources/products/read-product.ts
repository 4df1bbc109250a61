import type { Static } from 'typebox'
import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { hasPublishedId } from '../../platform/catalog/published-id.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import type { ProductDetail } from './contract.ts'
import { productColumns, type ProductRow, productSources, productView } from './product-view.ts'
import { type VariantRow, variantView } from './variant-view.ts'

type Row = ProductRow & {
  description: string | null
  metaDescription: string | null
  metaKeywords: string | null
  attributeNames: string[]
  variants: VariantRow[] | null
}

/** The product on one of the sites with its variants, in one round trip; undefined where there is none to be seen. */
export async function readProduct(
  queries: Queries,
  siteIds: readonly number[],
  productId: ProductId,
): Promise<Static<typeof ProductDetail> | undefined> {
  // Served by the primary keys of product and variant and by variant_by_product.
  const row = await queries.row<Row>(sql`
    select ${productColumns}, source.attribute_names,
      case when product.override_display then product.description else source.description end as description,
      case when product.override_display then product.meta_description else source.meta_description end
        as meta_description,
      case when product.override_display then product.meta_keywords else source.meta_keywords end as meta_keywords,
      (
        select json_agg(json_build_object(
          'variantId', own.variant_id, 'sku', coalesce(own.sku, counted.sku),
          'attribute1Choice', own.attribute1_choice, 'attribute2Choice', own.attribute2_choice,
          'attribute3Choice', own.attribute3_choice, 'location', own.location,
          'weight', own.weight::text, 'weightUnit', own.weight_unit,
          'stockQuantity', counted.stock_quantity, 'backorderable', counted.backorderable,
          'active', own.active and counted.active, 'createdOn', own.created_on, 'updatedOn', own.updated_on
        ) order by own.variant_id)
        from variant own
        join variant counted on counted.variant_id = coalesce(own.master_variant_id, own.variant_id)
        where own.site_id = product.site_id and own.product_number = product.product_number
      ) as variants
    from product
    ${productSources}
    where ${hasPublishedId(productId)} and product.site_id = any(${siteIds}::int[])`)
  if (!row) return undefined
  const product = productView(row)
  const shown = { productId: product.productId, attributeNames: row.attributeNames }
  return {
    ...product,
    description: row.description,
    metaDescription: row.metaDescription,
    metaKeywords: row.metaKeywords,
    attributeNames: row.attributeNames,
    variants: (row.variants ?? []).map((variant) => variantView(variant, shown)),
  }
}
