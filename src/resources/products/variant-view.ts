import type { Static } from 'typebox'
import { isoText, type View } from '../../database/view.ts'
import type { Variant } from './contract.ts'

/** A variant, inside its product's JSON: `own` is its row, `counted` the one whose pieces are counted, a master's on a share. */
export const variantView: View<Static<typeof Variant>> = {
  variantId: 'own.variant_id',
  productId: "product.kind || '_' || product.product_number",
  sku: 'coalesce(own.sku, counted.sku)',
  attribute1Name: 'source.attribute_names[1]',
  attribute1Choice: 'own.attribute1_choice',
  attribute2Name: 'source.attribute_names[2]',
  attribute2Choice: 'own.attribute2_choice',
  attribute3Name: 'source.attribute_names[3]',
  attribute3Choice: 'own.attribute3_choice',
  location: 'own.location',
  weight: 'own.weight::text',
  weightUnit: 'own.weight_unit',
  // Below zero are pieces owed to back orders.
  availableQuantity: 'case when counted.stock_quantity < 0 then 0 else counted.stock_quantity end',
  backorderable: 'counted.backorderable',
  active: 'own.active and counted.active',
  createdOn: isoText('own.created_on'),
  updatedOn: isoText('own.updated_on'),
}

/** The variants of `product`; served by variant_by_product and variant's primary key. */
export const variantSources = `from variant own
  join variant counted on counted.variant_id = coalesce(own.master_variant_id, own.variant_id)
  where own.site_id = product.site_id and own.product_number = product.product_number`
