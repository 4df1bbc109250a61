import type { OrderableProduct, OrderableVariant } from './orderable-products.ts'
import { priceBreaksOf } from './chosen-variant.ts'

/**
 * Decides whether a quantity of a product may be ordered. Quotes and orders use the same rules: a quote answers
 * `quote_invalid`, an order one `order_rejected` for each problem. The rules set no price and take no stock, so two
 * orders may both pass them although only one of them gets the last pieces.
 */

type Rule =
  | 'product_inactive'
  | 'product_not_offered'
  | 'variant_required'
  | 'variant_not_accepted'
  | 'variant_unknown'
  | 'variant_inactive'
  | 'quantity_below_minimum'
  | 'quantity_above_maximum'
  | 'not_priced'
  | 'out_of_stock'

export type GoodsProblem = {
  rule: Rule
  /** the field of the order line or quote that the problem is about */
  field: 'productId' | 'variantId' | 'quantity'
  /** a sentence for the partner */
  message: string
}

/** The site's ordering user: the segments and the discount that apply. */
export type Buyer = {
  allSegmentsVisible: boolean
  segmentIds: readonly number[]
}

/** How the sentence ends where no limit of the product, but its prices decide. */
export const wherePricesStart = ', where its prices start.'

export type AskedGoods = {
  product: OrderableProduct
  variantId: number | undefined
  quantity: number
  /** null = the site has no ordering user, so no segments narrow what it offers */
  buyer: Buyer | null
}

/**
 * The limit of every line, ordered or adjusted, whatever the product allows: far above any real order. Prices have no
 * breaks beyond it.
 */
export const lineQuantityMax = 999_999_999

/** Every reason not to accept the order of the goods, most fundamental first; empty = they can be ordered. */
export function goodsProblems({ product, variantId, quantity, buyer }: AskedGoods): GoodsProblem[] {
  const problems: GoodsProblem[] = []
  const report = (rule: Rule, field: GoodsProblem['field'], message: string): void => {
    problems.push({ rule, field, message })
  }
  const variant = product.variants.find((candidate) => candidate.variantId === variantId)

  if (!product.active) report('product_inactive', 'productId', 'The product is not active.')
  else if (!isOffered(product, buyer)) {
    report('product_not_offered', 'productId', "The product is not offered to the site's ordering user.")
  }

  if (product.serviceType === 'POD') {
    if (variantId !== undefined) {
      report('variant_not_accepted', 'variantId', 'A print-on-demand product has no variants: leave variantId out.')
    }
  } else if (variantId === undefined) {
    report('variant_required', 'variantId', 'A stock product needs a variantId.')
  } else if (!variant) {
    report('variant_unknown', 'variantId', 'The product has no such variant.')
  } else if (!variant.active) {
    report('variant_inactive', 'variantId', 'The variant is not active.')
  }

  const { minQuantity } = product
  const maxQuantity = Math.min(product.maxQuantity ?? lineQuantityMax, lineQuantityMax)
  // Until a variant is chosen, any price of the product may apply.
  const variantIsSettled = variant !== undefined || product.serviceType === 'POD'
  const breaks = variantIsSettled ? priceBreaksOf(product, variant ?? null) : product.priceBreaks
  const quantityPriced = Math.min(...breaks.map(({ fromQuantity }) => fromQuantity))
  if (minQuantity !== null && quantity < minQuantity) {
    report('quantity_below_minimum', 'quantity', `The quantity must be at least ${minQuantity}.`)
  } else if (quantity > maxQuantity) {
    report('quantity_above_maximum', 'quantity', `The quantity must be at most ${maxQuantity}.`)
  } else if (breaks.length === 0) {
    report('not_priced', 'productId', 'The product has no price.')
  } else if (quantity < quantityPriced) {
    report('quantity_below_minimum', 'quantity', `The quantity must be at least ${quantityPriced}${wherePricesStart}`)
  }

  if (variant && piecesShort(variant, quantity) > 0 && !variant.backorderable) {
    report('out_of_stock', 'quantity', `Only ${Math.max(variant.availableQuantity ?? 0, 0)} are in stock.`)
  }
  return problems
}

/** How many of the pieces are not in stock; 0 where stock is not tracked. */
export function piecesShort(variant: OrderableVariant, quantity: number): number {
  if (variant.availableQuantity === null) return 0
  return Math.max(quantity - Math.max(variant.availableQuantity, 0), 0)
}

/** HIDDEN products are listed to partners but not for sale. */
function isOffered(product: OrderableProduct, buyer: Buyer | null): boolean {
  if (product.visibility === 'HIDDEN') return false
  if (product.visibility === 'PUBLIC' || buyer === null || buyer.allSegmentsVisible) return true
  return product.segmentIds.some((segmentId) => buyer.segmentIds.includes(segmentId))
}
