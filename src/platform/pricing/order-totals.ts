import { type Money, money, roundTo, sum, zero } from '../../vocabulary/money.ts'
import type { PricedLine } from './price-line.ts'

/**
 * The totals of an order and its tax. The caller passes the lines and shipments that count, without cancelled ones.
 * Lines may go to different addresses, so each has the percents of its own.
 */

export type LineToTotal = Pick<
  PricedLine,
  'lineListTotal' | 'lineTotalBeforeAdjustments' | 'lineTotal' | 'handlingTotal'
> & {
  /** 0 = untaxed */
  taxPercent: Money
  handlingTaxPercent: Money
}

/** taxPercent is on what it costs to send; 0 = untaxed */
export type ShipmentToTotal = { shippingTotal: Money; taxPercent: Money }

/**
 * totalPrice = itemTotal − discountTotal + handlingTotal + shippingTotal + taxTotal, exactly. discountTotal is what the
 * discounts took off when the lines were ordered, never negative. An adjustment of a line is part of itemTotal, which it
 * raises or lowers by as much as lineTotal.
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
  shipments: readonly ShipmentToTotal[]
  scale: number
}): OrderTotals {
  const { lines, shipments, scale } = order
  const discountTotal = sum(lines.map(discountOf))
  const lineTotals = sum(lines.map((line) => line.lineTotal))
  const handlingTotal = sum(lines.map((line) => line.handlingTotal))
  const shippingTotal = sum(shipments.map((shipment) => shipment.shippingTotal))
  const hundredfoldTax = sum([
    ...lines.map((line) => line.lineTotal.times(line.taxPercent)),
    ...lines.map((line) => line.handlingTotal.times(line.handlingTaxPercent)),
    ...shipments.map((shipment) => shipment.shippingTotal.times(shipment.taxPercent)),
  ])
  const taxTotal = roundTo(hundredfoldTax.times(hundredth), scale)
  return {
    itemTotal: lineTotals.plus(discountTotal),
    discountTotal,
    handlingTotal,
    shippingTotal,
    taxTotal,
    totalPrice: lineTotals.plus(handlingTotal).plus(shippingTotal).plus(taxTotal),
  }
}

/** A line that was charged more than its list amount from the start has no discount. */
function discountOf({ lineListTotal, lineTotalBeforeAdjustments }: LineToTotal): Money {
  const discount = lineListTotal.minus(lineTotalBeforeAdjustments)
  return discount.gt(zero) ? discount : zero
}
