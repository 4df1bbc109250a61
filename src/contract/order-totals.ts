import { decimal, described, nullable } from './fields.ts'

const amount = (says: string) => nullable(described(decimal, `${says}; null = a line or a shipment has no price yet`))

/** The totals of an order, in its currency. Each tells how adjustments and cancellations of lines show in it. */
export const orderTotals = {
  itemTotal: amount(
    "goods before discounts and after adjustments: each line's lineTotal and its part of discountTotal. An adjustment " +
      'raises or lowers it; a cancelled line is not in it. What is charged for goods made anew, which no line shows, is in it',
  ),
  discountTotal: amount(
    'what product and user discounts took off the list amounts of the lines when they were ordered. Never negative; ' +
      'adjustments do not change it, a cancelled line is not in it',
  ),
  handlingTotal: amount("the lines' handlingTotal; adjustments do not change it, a cancelled line is not in it"),
  shippingTotal: amount('delivery, for every shipment that is not cancelled; adjustments of lines do not change it'),
  taxTotal: amount(
    'tax on the lines after discounts and adjustments and, where they are taxed, on handling and delivery, at the ' +
      'percents that applied when the order was placed',
  ),
  creditApplied: amount(
    'the part of totalPrice that credit accounts pay; totalPrice includes it, and the rest is invoiced. Credit is drawn ' +
      'for goods, delivery, handling and tax, each by itself. When an adjustment or cancellation makes one of the four ' +
      'cheaper than what was drawn for it, the excess goes back; otherwise nothing does. A dearer order draws no more',
  ),
  totalPrice: amount(
    'itemTotal − discountTotal + handlingTotal + shippingTotal + taxTotal: what the order costs, after adjustments and ' +
      'without cancelled lines. creditApplied is not subtracted',
  ),
}
