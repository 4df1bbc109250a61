import type { Static } from 'typebox'
import type { WeightUnit } from '../../vocabulary/product-kinds.ts'
import type { Variant } from './contract.ts'

/** A variant as read inside its product's row, its decimals and instants as JSON leaves them. */
export type VariantRow = {
  variantId: number
  sku: string | null
  attribute1Choice: string | null
  attribute2Choice: string | null
  attribute3Choice: string | null
  location: string | null
  weight: string | null
  weightUnit: WeightUnit | null
  stockQuantity: number | null
  backorderable: boolean
  active: boolean
  createdOn: string
  updatedOn: string
}

export function variantView(
  row: VariantRow,
  product: { productId: string; attributeNames: readonly string[] },
): Static<typeof Variant> {
  const [name1 = null, name2 = null, name3 = null] = product.attributeNames
  return {
    variantId: row.variantId,
    productId: product.productId,
    sku: row.sku,
    attribute1Name: name1,
    attribute1Choice: row.attribute1Choice,
    attribute2Name: name2,
    attribute2Choice: row.attribute2Choice,
    attribute3Name: name3,
    attribute3Choice: row.attribute3Choice,
    location: row.location,
    weight: row.weight,
    weightUnit: row.weightUnit,
    // below zero are pieces owed to back orders
    availableQuantity: row.stockQuantity === null ? null : Math.max(row.stockQuantity, 0),
    backorderable: row.backorderable,
    active: row.active,
    createdOn: new Date(row.createdOn).toISOString(),
    updatedOn: new Date(row.updatedOn).toISOString(),
  }
}
