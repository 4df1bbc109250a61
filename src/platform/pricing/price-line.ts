import { type Money, money, roundTo, zero } from '../../vocabulary/money.ts'

/**
 * Prices a line, before shipping and tax. Only this file makes prices, so a quote and the order line that follows it
 * agree to the cent. The caller passes breaks, discounts and fees; the catalog leaves out those that do not apply (of
 * another variant, or not in force).
 */

/** The price of one piece from a quantity on. */
export type PriceBreak = { fromQuantity: number; unitPrice: Money }

/** Percent off, more than 0 and at most 100. */
export type Discount = { name: string | null; percent: Money }

/** A discount and what it took off the whole line. */
export type AppliedDiscount = { name: string | null; percent: Money; amount: Money }

/** Money of one line, each amount in the currency's scale. */
export type PricedLine = {
  /** price of one piece times quantity, before discounts (ORD-12) */
  lineListTotal: Money
  productDiscount: AppliedDiscount | null
  userDiscount: AppliedDiscount | null
  /** after discounts; the price of the line when it was placed (SUB-06) */
  lineTotalBeforeAdjustments: Money
  /** the same until staff adjust the line (ORD-13) */
  lineTotal: Money
  /** charged once a line and no part of lineTotal (ORD-20); zero where there is no fee */
  handlingTotal: Money
}

export type LineToPrice = {
  quantity: number
  breaks: readonly PriceBreak[]
  /** those in force; only the best applies */
  productDiscounts: readonly Discount[]
  userDiscount: Discount | null
  /** null = none */
  handlingFee: Money | null
  currencyScale: number
}

/** Null where the quantity has no price: there are no breaks, or it is below the first. */
export function priceLine(line: LineToPrice): PricedLine | null {
  const lineListTotal = listTotal(line.breaks, line.quantity, line.currencyScale)
  if (lineListTotal === null) return null
  const productDiscount = applied(best(line.productDiscounts), lineListTotal, line.currencyScale)
  const afterProductDiscount = lineListTotal.minus(productDiscount?.amount ?? zero)
  const userDiscount = applied(line.userDiscount, afterProductDiscount, line.currencyScale)
  const lineTotal = afterProductDiscount.minus(userDiscount?.amount ?? zero)
  return {
    lineListTotal,
    productDiscount,
    userDiscount,
    lineTotalBeforeAdjustments: lineTotal,
    lineTotal,
    handlingTotal: roundTo(line.handlingFee ?? zero, line.currencyScale),
  }
}

/** List amount of the whole line; null = no price. */
export function listTotal(breaks: readonly PriceBreak[], quantity: number, currencyScale: number): Money | null {
  const chosen = breakAt(breaks, quantity)
  return chosen ? roundTo(chosen.unitPrice.times(quantity), currencyScale) : null
}

/** The break with the greatest quantity not above the line's; undefined = no price. */
export function breakAt(breaks: readonly PriceBreak[], quantity: number): PriceBreak | undefined {
  let chosen: PriceBreak | undefined
  for (const candidate of breaks) {
    if (candidate.fromQuantity > quantity) continue
    if (!chosen || candidate.fromQuantity > chosen.fromQuantity) chosen = candidate
  }
  return chosen
}

/** Greatest percent; the first of equals. */
function best(discounts: readonly Discount[]): Discount | null {
  let chosen: Discount | null = null
  for (const candidate of discounts) if (!chosen || candidate.percent.gt(chosen.percent)) chosen = candidate
  return chosen
}

const hundredth = money('0.01')

function applied(discount: Discount | null, amount: Money, scale: number): AppliedDiscount | null {
  if (!discount) return null
  return { ...discount, amount: roundTo(amount.times(discount.percent).times(hundredth), scale) }
}
