import { type Money, money, roundTo, sum, zero } from '../../vocabulary/money.ts'
import type { PricedLine } from './price-line.ts'

/**
 * What an order adds up to. It owns the sums and the tax; which lines and deliveries count (not the cancelled ones) is
 * the caller's. Lines may go to different places, so each carries the percents in force at its own.
 */

export type TaxPercents = {
  onLine: Money
  onHandling: Money
  onDelivery: Money
}

export type LineToTotal = Pick<PricedLine, 'lineListTotal' | 'lineTotal' | 'handlingTotal'> & {
  /** 0 = untaxed */
  taxPercent: Money
  handlingTaxPercent: Money
}

export type DeliveryToTotal = { shippingTotal: Money; taxPercent: Money }

/**
 * totalPrice = itemTotal − discountTotal + handlingTotal + shippingTotal + taxTotal, exactly. discountTotal is all that
 * lies between list and final amounts, so adjusted lines keep the sum true (and may make it negative).
 */
export type OrderTotals = {
  itemTotal: Money
  discountTotal: Money
  handlingTotal: Money
  shippingTotal: Money
  taxTotal: Money
  totalPrice: Money
}

const hundredth = money('0.01')

/** Tax is computed on the whole order and rounded once: rounding line by line would drift from the rate. */
export function totalOrder(order: {
  lines: readonly LineToTotal[]
  deliveries: readonly DeliveryToTotal[]
  currencyScale: number
}): OrderTotals {
  const { lines, deliveries, currencyScale } = order
  const itemTotal = sum(lines.map((line) => line.lineListTotal))
  const lineTotals = sum(lines.map((line) => line.lineTotal))
  const handlingTotal = sum(lines.map((line) => line.handlingTotal))
  const shippingTotal = sum(deliveries.map((delivery) => delivery.shippingTotal))
  const hundredfoldTax = sum([
    ...lines.map((line) => line.lineTotal.times(line.taxPercent)),
    ...lines.map((line) => line.handlingTotal.times(line.handlingTaxPercent)),
    ...deliveries.map((delivery) => delivery.shippingTotal.times(delivery.taxPercent)),
  ])
  const taxTotal = roundTo(hundredfoldTax.times(hundredth), currencyScale)
  return {
    itemTotal,
    discountTotal: itemTotal.minus(lineTotals),
    handlingTotal,
    shippingTotal,
    taxTotal,
    totalPrice: lineTotals.plus(handlingTotal).plus(shippingTotal).plus(taxTotal),
  }
}

/** A site's tax in a state. */
export type TaxRate = { percent: Money; shippingTaxed: boolean; handlingTaxed: boolean }

/** The percents to keep with a line and its delivery: the place's, unless it levies none, the goods or the buyer are free of it. */
export function taxPercents(rate: TaxRate | null, free: { taxable: boolean; buyerExempt: boolean }): TaxPercents {
  if (!rate || free.buyerExempt) return { onLine: zero, onHandling: zero, onDelivery: zero }
  return {
    onLine: free.taxable ? rate.percent : zero,
    onHandling: rate.handlingTaxed ? rate.percent : zero,
    onDelivery: rate.shippingTaxed ? rate.percent : zero,
  }
}
