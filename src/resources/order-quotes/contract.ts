import { Type, type TString } from 'typebox'
import { Discount } from '../../contract/discount.ts'
import {
  decimal,
  described,
  flag,
  instant,
  int32,
  nullable,
  productId,
  record,
  text,
  whole,
} from '../../contract/fields.ts'
import { operation } from '../../contract/operation.ts'
import { checkOrder, orderBodyToQuote, orderExample } from '../../contract/order-body.ts'
import { Place } from '../../contract/ship-to.ts'

const amount = (says: string): TString => described(decimal, says)
const estimate = (says: string) => nullable(described(instant, `${says}, if the order were placed now; null = unknown`))

const QuotedLine = record('QuotedLine', {
  partnerLineId: described(text, 'as you sent it'),
  productId,
  productName: text,
  variantId: nullable(int32),
  quantity: whole,
  lineListTotal: amount('for the whole line, before discounts'),
  productDiscount: nullable(Discount),
  userDiscount: nullable(Discount),
  lineTotal: amount('for the whole line, after discounts, without handling'),
  handlingTotal: amount('charged in addition to lineTotal'),
  backorderQuantity: nullable(described(whole, 'the pieces that stock lacks now; null = its stock is not counted')),
  turnaroundBusinessDays: nullable(whole),
  estimatedShipBy: described(instant, 'when it would leave, if the order were placed now'),
})

const QuotedShipment = record('QuotedShipment', {
  partnerLineIds: Type.Array(text, { description: 'the lines in it' }),
  shipTo: Place,
  shippingTotal: amount('delivery of this shipment'),
  estimatedShipBy: estimate('when it would leave'),
  estimatedDeliveryFrom: estimate('when it would arrive at the earliest'),
  estimatedDeliveryTo: estimate('when it would arrive at the latest'),
})

export const OrderQuote = record('OrderQuote', {
  siteId: int32,
  currency: described(text, 'ISO 4217 code'),
  itemTotal: amount('goods before discounts'),
  discountTotal: amount('what product and user discounts take off; never negative'),
  handlingTotal: amount("the lines' handlingTotal"),
  shippingTotal: amount('delivery, for every shipment'),
  taxTotal: amount('tax on the lines after discounts and, where they are taxed, on handling and delivery'),
  creditApplied: nullable(
    amount(
      'the part of totalPrice that credit accounts would pay; the rest would be invoiced. null = the credential lacks the scope credit:read',
    ),
  ),
  totalPrice: amount(
    'itemTotal − discountTotal + handlingTotal + shippingTotal + taxTotal; creditApplied is not subtracted',
  ),
  requiresApproval: described(flag, 'the order would wait for approval'),
  shippingProvider: nullable(described(text, 'the carrier that would be chosen; null = nothing is shipped')),
  shippingMethod: nullable(
    described(
      text,
      "the service that would be chosen: what you asked for, or the site's default if that cannot carry the order; null = nothing is shipped",
    ),
  ),
  lines: Type.Array(QuotedLine),
  shipments: Type.Array(QuotedShipment, { description: 'the shipments that would be made; [] = nothing is shipped' }),
  messages: Type.Array(text),
  quotedOn: instant,
})

const { partnerOrderId: _key, ...unnamedOrder } = orderExample

export const orderQuotes = {
  quoteOrder: operation({
    id: 'quoteOrder',
    at: 'POST /v1/orders/quote',
    scope: 'products:read',
    body: {
      schema: orderBodyToQuote,
      malformed: 'invalid_request',
      fieldProblems: { siteId: 'invalid_site_id' },
      check: checkOrder,
      example: unnamedOrder,
    },
    answers: { 200: OrderQuote },
    refuses: ['invalid_site_id', 'ordering_not_provisioned', 'invalid_request', 'quote_invalid'],
    says: 'Prices a whole order as if it were placed now, or lists every problem it has. Nothing is stored or reserved.',
    agentNote:
      'submit_order with the same arguments costs the same now, to the cent. It alone finds out what is behind artworkUrl.',
    agents: { readOnly: true },
  }),
}
