import type { Static } from 'typebox'
import type { WeightUnit } from '../../vocabulary/product-kinds.ts'
import type { Variant } from './contract.ts'

/** A variant as read inside its product's row, its decimals and instants as JSON leaves them. */
export type VariantRow = {
  variant_id: number
  sku: string | null
  attribute1_choice: string | null
  attribute2_choice: string | null
  attribute3_choice: string | null
  location: string | null
  weight: string | null
  weight_unit: WeightUnit | null
  stock_quantity: number | null
  backorderable: boolean
  active: boolean
  created_on: string
  updated_on: string
}

export function variantView(
  row: VariantRow,
  product: { productId: string; attributeNames: readonly string[] },
): Static<typeof Variant> {
  const [name1 = null, name2 = null, name3 = null] = product.attributeNames
  return {
    variantId: row.variant_id,
    productId: product.productId,
    sku: row.sku,
    attribute1Name: name1,
    attribute1Choice: row.attribute1_choice,
    attribute2Name: name2,
    attribute2Choice: row.attribute2_choice,
    attribute3Name: name3,
    attribute3Choice: row.attribute3_choice,
    location: row.location,
    weight: row.weight,
    weightUnit: row.weight_unit,
    // below zero are pieces owed to back orders
    availableQuantity: row.stock_quantity === null ? null : Math.max(row.stock_quantity, 0),
    backorderable: row.backorderable,
    active: row.active,
    createdOn: new Date(row.created_on).toISOString(),
    updatedOn: new Date(row.updated_on).toISOString(),
  }
}
