import { type Money, money, roundTo, sum } from '../../vocabulary/money.ts'
import type { PricedLine } from './price-line.ts'

/**
 * The totals of an order and its tax. The caller passes the lines and shipments that count, without cancelled ones.
 * Lines may go to different addresses, so each has the percents of its own.
 */

export type LineToTotal = Pick<PricedLine, 'lineListTotal' | 'lineTotal' | 'handlingTotal'> & {
  /** 0 = untaxed */
  taxPercent: Money
  handlingTaxPercent: Money
}

/** taxPercent is on what it costs to send; 0 = untaxed */
export type ShipmentToTotal = { shippingTotal: Money; taxPercent: Money }

/**
 * totalPrice = itemTotal − discountTotal + handlingTotal + shippingTotal + taxTotal, exactly. discountTotal is the
 * whole difference between list and final amounts, so the sum stays correct with adjusted lines (which may make it
 * negative).
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
  const itemTotal = sum(lines.map((line) => line.lineListTotal))
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
    itemTotal,
    discountTotal: itemTotal.minus(lineTotals),
    handlingTotal,
    shippingTotal,
    taxTotal,
    totalPrice: lineTotals.plus(handlingTotal).plus(shippingTotal).plus(taxTotal),
  }
}
