import { type Money, money, roundTo, sum, zero } from '../../vocabulary/money.ts'
import type { PricedLine } from './price-line.ts'

/** What an order adds up to. It owns the sums and the tax; which lines count (not the cancelled ones) is the caller's. */

export type LineToTotal = Pick<PricedLine, 'lineListTotal' | 'lineTotal' | 'handlingTotal'> & { taxable: boolean }

export type OrderToTotal = {
  lines: readonly LineToTotal[]
  shippingTotal: Money
  /** in the state the goods go to; 0 where none is levied */
  taxPercent: Money
  taxOnShipping: boolean
  taxOnHandling: boolean
  /** the buyer pays no tax, whatever the place */
  exempt: boolean
  scale: number
}

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

/** Tax is computed on the sum of what is taxed and rounded once: rounding line by line would drift from the rate. */
export function totalOrder(order: OrderToTotal): OrderTotals {
  const itemTotal = sum(order.lines.map((line) => line.lineListTotal))
  const lineTotals = sum(order.lines.map((line) => line.lineTotal))
  const handlingTotal = sum(order.lines.map((line) => line.handlingTotal))
  const shippingTotal = roundTo(order.shippingTotal, order.scale)
  const taxed = sum([
    ...order.lines.filter((line) => line.taxable).map((line) => line.lineTotal),
    order.taxOnShipping ? shippingTotal : zero,
    order.taxOnHandling ? handlingTotal : zero,
  ])
  const taxTotal = order.exempt ? zero : roundTo(taxed.times(order.taxPercent).times(hundredth), order.scale)
  return {
    itemTotal,
    discountTotal: itemTotal.minus(lineTotals),
    handlingTotal,
    shippingTotal,
    taxTotal,
    totalPrice: lineTotals.plus(handlingTotal).plus(shippingTotal).plus(taxTotal),
  }
}
