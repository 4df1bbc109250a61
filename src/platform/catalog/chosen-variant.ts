import { type Money, money } from '../../vocabulary/money.ts'
import type { WeightUnit } from '../../vocabulary/product-kinds.ts'
import type { PriceBreak } from '../pricing/price-line.ts'
import type { OrderableProduct, OrderableVariant } from './orderable-products.ts'

/** What choosing a variant of a product decides: its price breaks and the weight of one piece. */

/**
 * The variant's own breaks if it has any, else the product's. A share without breaks of its own has its master's, which
 * name the master's variant, where the stock is counted.
 */
export function priceBreaksOf(product: OrderableProduct, variant: OrderableVariant | null): readonly PriceBreak[] {
  const own = product.priceBreaks.filter(
    ({ variantId }) =>
      variantId !== null && (variantId === variant?.variantId || variantId === variant?.stockVariantId),
  )
  return own.length > 0 ? own : product.priceBreaks.filter(({ variantId }) => variantId === null)
}

/** The international avoirdupois ounce is 28.349523125 g exactly. */
const ouncesPer: Readonly<Record<WeightUnit, Money>> = {
  OZ: money(1),
  LB: money(16),
  G: money(1).div('28.349523125'),
  KG: money(1000).div('28.349523125'),
}

/**
 * Weight of one piece in ounces: the variant's, else the product's; null = unknown. A variant's weight without a unit
 * means nothing, so the product's applies.
 */
export function pieceWeightOunces(product: OrderableProduct, variant: OrderableVariant | null): Money | null {
  if (!variant?.weight || !variant.weightUnit) return product.unitWeightOunces
  return variant.weight.times(ouncesPer[variant.weightUnit])
}
