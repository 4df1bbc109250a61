import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Change } from '../../vocabulary/change.ts'
import { hasPublishedId } from './published-id.ts'

/** What a site decides about the variants of its STOCK products. How many lie on the shelf is ordering's and staff's matter. */

/** What may be changed; null clears. */
export type VariantFields = {
  attribute1Choice: string | null
  attribute2Choice: string | null
  attribute3Choice: string | null
  location: string | null
  /** of one piece, in the variant's unit; exact decimal */
  weight: string | null
}

type StoredVariant = VariantFields & { variantId: number; siteId: number; weightUnit: string | null }

/**
 * Changes the given fields of a variant of a product on one of the sites. A share's variant is its own row, never its
 * master's. Which variants a product has is not told to whom it is not for: a missing one, another product's and any of a
 * print-on-demand product are the same refusal (CAT-29).
 */
export async function updateVariant(
  database: Database,
  siteIds: readonly number[],
  productId: ProductId,
  variantId: number,
  wish: Partial<VariantFields>,
  change: Change,
): Promise<{ variantId: number } | { refused: 'product_not_found' | 'variant_not_addressable' }> {
  return database.transaction(async (tx) => {
    // Served by product's primary key.
    const product = await tx.row<{ productNumber: number; siteId: number; serviceType: string }>(sql`
      select product.product_number, product.site_id, product.service_type from product
      where ${hasPublishedId(productId)} and product.site_id = any(${siteIds}::int[])`)
    if (!product) return { refused: 'product_not_found' }
    // Served by variant's primary key. The unit a weight is in where the variant tells none: its master's, or ounces.
    const variant =
      product.serviceType === 'STOCK'
        ? await tx.row<StoredVariant>(sql`
            select variant.variant_id, variant.site_id,
              variant.attribute1_choice as "attribute1Choice", variant.attribute2_choice as "attribute2Choice",
              variant.attribute3_choice as "attribute3Choice", variant.location, variant.weight::text,
              coalesce(variant.weight_unit, counted.weight_unit, 'OZ') as weight_unit
            from variant
            left join variant counted on counted.variant_id = variant.master_variant_id
            where variant.variant_id = ${variantId} and variant.product_number = ${product.productNumber}
              and variant.site_id = ${product.siteId}
            for no key update of variant`)
        : undefined
    if (!variant) return { refused: 'variant_not_addressable' }
    const before = fieldsOf(variant)
    const next = { ...before, ...wish }
    await Promise.all([
      tx.rows(sql`
        update variant
        set attribute1_choice = ${next.attribute1Choice}, attribute2_choice = ${next.attribute2Choice},
          attribute3_choice = ${next.attribute3Choice}, location = ${next.location}, weight = ${next.weight},
          weight_unit = case when ${next.weight}::numeric is null then weight_unit else ${variant.weightUnit} end,
          updated_on = ${change.now}
        where variant_id = ${variantId} and site_id = ${variant.siteId}`),
      recordAudit(tx, change, {
        action: 'variant.updated',
        subject: { kind: 'variant', id: variantId },
        siteId: variant.siteId,
        detail: { before, after: next },
      }),
    ])
    return { variantId }
  })
}

function fieldsOf(variant: VariantFields): VariantFields {
  const { attribute1Choice, attribute2Choice, attribute3Choice, location, weight } = variant
  return { attribute1Choice, attribute2Choice, attribute3Choice, location, weight }
}
