import { Type } from 'typebox'
import {
  bodyObject,
  decimal,
  described,
  flag,
  formedText,
  idInBody,
  instant,
  int32,
  longNumber,
  nullable,
  oneOf,
  pageOf,
  record,
  text,
  textUpTo,
  whole,
} from '../../contract/fields.ts'
import { paged, pathParameters, siteIdFilter, wordFilter } from '../../contract/parameters.ts'
import type { BodyFault } from '../../contract/refusal.ts'
import { isJsonObject, type JsonObject } from '../../vocabulary/json.ts'
import { lineRefuses, orderProblems } from '../orders/refusals.ts'
import { commentOfDecision, reasonOf } from '../orders/why.ts'
import { conditions } from '../../platform/after-sale/returns.ts'
import { reprintProofs } from '../../platform/after-sale/reprint.ts'
import { returnStatuses } from '../../platform/after-sale/return-states.ts'
import { staffOperation, staffSubject } from '../operation.ts'
import { shownWith } from '../shown-with.ts'

const money = (says: string) => described(decimal, `${says}, in the order's currency`)
const ifPriced = (says: string) => nullable(money(`${says}; null = a line or a shipment has no price yet`))
const signed = nullable(
  described(decimal, 'positive = the order costs more, negative = less; null = the order was placed without a price'),
)

const refundAmounts = {
  items: money('of lines, after discounts'),
  handling: money('of handling'),
  shipping: money('of shipping'),
  tax: money('the tax on the other three'),
  total: money('the whole'),
  toCredit: money('what went to credit accounts'),
  paidOutside: money('what is noted as paid in another way'),
}

export const Refund = record('Refund', {
  refundId: whole,
  orderNumber: longNumber,
  reference: described(text, 'the reference that staff sent'),
  ...refundAmounts,
  lines: Type.Array(
    record('RefundedLine', {
      lineNumber: whole,
      amount: money('of the line, without tax'),
      pieces: described(whole, 'for which it is; 0 = staff named no pieces'),
    }),
    { description: 'the lines of which something was refunded, by number' },
  ),
  creditAccountId: nullable(described(whole, 'the account staff named; null = those the order drew on')),
  outsideReference: nullable(described(text, 'how it was paid in another way')),
  returnNumber: nullable(described(longNumber, 'the return for which it was made')),
  reason: nullable(described(text, 'a code of the list of reasons refund')),
  comment: nullable(text),
  refundedOn: instant,
})

const RefundPreview = record('RefundPreview', { orderNumber: longNumber, ...refundAmounts })

export const Return = record('Return', {
  returnNumber: longNumber,
  rmaNumber: described(text, 'what the customer writes on the parcel'),
  orderNumber: longNumber,
  siteId: int32,
  status: described(oneOf(returnStatuses), 'ANNOUNCED = on its way'),
  reference: described(text, 'the reference that staff sent'),
  reason: nullable(described(text, 'a code of the list of reasons return')),
  comment: nullable(text),
  lines: Type.Array(record('ReturnLine', { lineNumber: whole, announced: described(whole, 'pieces') })),
  received: Type.Array(
    record('ReturnReceipt', {
      lineNumber: whole,
      condition: oneOf(conditions),
      pieces: described(whole, 'how many pieces came in this condition'),
      restocked: described(flag, 'the pieces are back in stock'),
      shelf: nullable(text),
    }),
  ),
  announcedOn: instant,
  receivedOn: nullable(instant),
  endedOn: nullable(described(instant, 'closed or cancelled')),
})

export const Reprint = record('Reprint', {
  orderNumber: longNumber,
  lineNumber: described(whole, 'the line that was added'),
  reprintOf: described(whole, 'the line that was bought'),
  quantity: whole,
  proof: described(oneOf(reprintProofs), 'NONE = it took over the approved proof, if there was one'),
  charge: shownWith('orders:money', nullable(money('what it costs, without tax'))),
  shipmentNumber: nullable(described(longNumber, 'the shipment that carries it; null = it is not shipped')),
  estimatedShipBy: nullable(instant),
  reference: described(text, 'the reference that staff sent'),
  reason: nullable(described(text, 'a code of the list of reasons reprint')),
  comment: nullable(text),
  orderedOn: instant,
})

export const OrderMovement = record('OrderMovement', {
  movementId: nullable(described(whole, 'null = the order as placed, while nothing changed since')),
  kind: described(
    oneOf(['PLACED', 'CHANGED', 'REFUNDED', 'REFUND_COUNTED']),
    'PLACED and CHANGED add up to the totals of the order. REFUND_COUNTED: what a fall of the charge contains of earlier refunds',
  ),
  cause: described(text, 'the action of the audit record, such as line.adjusted'),
  items: signed,
  discount: nullable(described(decimal, 'a discount is negative')),
  handling: signed,
  shipping: signed,
  tax: signed,
  total: nullable(described(decimal, 'the sum of these five')),
  credit: nullable(described(decimal, 'how much of it is credit: positive = drawn, negative = given back')),
  actorKind: nullable(described(text, 'such as STAFF; null for the order as placed')),
  actorId: nullable(text),
  recordedOn: instant,
  refund: nullable(Refund),
})

export const OrderMoney = record('OrderMoney', {
  orderNumber: longNumber,
  currency: described(text, 'ISO 4217 code'),
  charged: ifPriced('what the order costs, before refunds: the sum of PLACED and CHANGED'),
  creditApplied: ifPriced('what of it was drawn from credit'),
  paidOutside: ifPriced('what of it is paid in another way'),
  refunded: money('what was refunded of it and still counts'),
  refundedToCredit: money('what of that returned to the credit drawn'),
  refundedOutside: money('what of that was granted or paid in another way'),
  owedOutside: ifPriced(
    'by how much the order has fallen since the most that was to be paid in another way, less what was refunded of the fall: ' +
      'the customer gets it back, if it was paid',
  ),
  left: ifPriced('charged less refunded: the most that can still be refunded'),
  movements: Type.Array(OrderMovement, { description: 'oldest first' }),
  nextCursor: described(
    nullable(Type.String()),
    'send it back as `cursor` for the next page; null = this is the last page',
  ),
})

const amountAsked = formedText('^(ALL|\\d{1,12}(\\.\\d{1,4})?)$', 'a decimal such as "12.50", or ALL', {
  description: 'without tax, which follows in proportion; ALL = what is left of it to refund',
})

const reference = described(
  textUpTo(200),
  'chosen by you, 1 to 100 visible characters; the same reference does it only once',
)
function checkRefund(body: JsonObject): BodyFault[] {
  const parts = ['lines', 'handling', 'shipping'].filter((name) => body[name] !== undefined)
  const fault = (path: string, detail: string): BodyFault => ({ path, rule: 'refund', detail })
  const faults: BodyFault[] = []
  if (body.everything === undefined && parts.length === 0) {
    faults.push(fault('everything', 'Say what to refund: everything, or some of lines, handling and shipping.'))
  }
  if (body.everything !== undefined && parts.length > 0) {
    faults.push(fault('everything', 'Send either everything, or some of lines, handling and shipping.'))
  }
  if (Array.isArray(body.lines)) {
    body.lines.forEach((line: unknown, index) => {
      if (isJsonObject(line) && line.amount !== undefined && line.quantity !== undefined) {
        faults.push(fault(`lines[${index}]`, 'Send either the amount of a line or its quantity.'))
      }
    })
  }
  if (body.to === 'OUTSIDE' && body.outsideReference === undefined) {
    faults.push(fault('outsideReference', 'Say by which reference the refund is paid.'))
  }
  if (body.creditAccountId !== undefined && (body.to === 'OUTSIDE' || body.outsideReference !== undefined)) {
    faults.push(fault('creditAccountId', 'A refund to a named credit account is not paid outside.'))
  }
  return faults
}

const refundBody = {
  schema: bodyObject({
    everything: Type.Optional(Type.Literal(true, { description: 'all that is left of the order' })),
    lines: Type.Optional(
      Type.Array(
        bodyObject({
          lineNumber: whole,
          amount: Type.Optional(amountAsked),
          quantity: Type.Optional(described(whole, 'pieces, refunded in proportion to the price of the line')),
        }),
        {
          minItems: 1,
          maxItems: 1_000,
          description: 'with neither amount nor quantity, what is left of the line',
        },
      ),
    ),
    handling: Type.Optional(amountAsked),
    shipping: Type.Optional(amountAsked),
    to: described(
      oneOf(['CREDIT', 'OUTSIDE']),
      'CREDIT = to the credit accounts the order drew on, or the one named; OUTSIDE = you pay it in another way',
    ),
    creditAccountId: Type.Optional(described(idInBody, 'another account of the user or division of the order')),
    outsideReference: Type.Optional(
      described(textUpTo(200), 'of the payment; with CREDIT, of what the order did not draw from credit'),
    ),
    returnNumber: Type.Optional(described(idInBody, 'the return for which it is made')),
    reason: reasonOf('refund'),
    comment: commentOfDecision,
    reference,
  }),
  check: checkRefund,
}

const refundRefuses = [
  'order_not_found',
  'line_not_found',
  'order_not_priced',
  'reason_not_usable',
  'refund_not_usable',
  'pieces_not_refundable',
  'nothing_to_refund',
  'refund_exceeds_charge',
  'credit_not_drawn',
  'refund_exceeds_paid_outside',
  'credit_account_not_found',
  'credit_account_expired',
  'credit_account_inactive',
  'credit_account_not_of_customer',
  'return_not_found',
  'return_cancelled',
] as const

function checkShelves({ received }: JsonObject): BodyFault[] {
  if (!Array.isArray(received)) return []
  return received.flatMap((sent: unknown, index) => {
    if (!isJsonObject(sent) || sent.shelf === undefined || sent.restock !== false) return []
    const path = `received[${index}].shelf`
    return [{ path, rule: 'shelf', detail: `The field ${path} is only for pieces that go back into stock.` }]
  })
}

export const afterSale = staffSubject({
  name: 'After the sale',
  says: 'What an order costs, movement by movement, and what is put right after it was charged.',
  problems: {
    ...orderProblems,
    line_not_found: [404, 'The order has no such line.'],
    credit_account_not_found: [404, 'No such credit account.'],
    credit_account_expired: [409, 'The credit account has expired.'],
    credit_account_inactive: [409, 'The credit account is closed, so nobody could use the refund.'],
    credit_account_not_of_customer: [
      409,
      'The credit account is neither of the user of the order nor of its division.',
    ],
    reference_taken: [409, 'The reference was used before for something else. Use a new one.'],
    reference_not_usable: [422, 'A reference has 1 to 100 visible ASCII characters and no space.'],
    order_not_priced: [409, 'A line or a shipment of the order has no price yet.'],
    nothing_to_refund: [409, 'Nothing is left to refund.'],
    refund_exceeds_charge: [409, 'That is more than is left to refund.'],
    credit_not_drawn: [409, 'The order did not draw all of this from credit.'],
    refund_exceeds_paid_outside: [409, 'The order drew some of this from credit. Refund that to credit.'],
    refund_not_usable: [
      422,
      'A line is named once. An amount is a positive decimal in the scale of the currency of the order, or ALL.',
    ],
    return_not_found: [404, 'No such return, or not of the order.'],
    return_received: [409, 'The goods of the return have been received.'],
    return_not_received: [409, 'The goods of the return have not been received.'],
    return_closed: [409, 'The return is closed.'],
    return_cancelled: [409, 'The return is cancelled.'],
    more_than_shipped: [409, 'More pieces than have shipped and are not returned yet.'],
    line_not_in_return: [422, 'Name lines of the return.'],
    not_restockable: [422, 'Only resalable pieces of a line that took them from stock go back into stock.'],
    stock_below_zero: [422, 'The stock would fall below zero, and the variant is not backorderable.'],
    stock_out_of_range: [422, 'The stock would be out of range: at most 2,147,483,647 pieces.'],
    shelf_short: [409, 'Fewer pieces than that lie on the shelf.'],
    line_cancelled: [409, 'The line is cancelled.'],
    line_not_reprintable: [409, 'Name a line that the customer bought, or a reprint of one.'],
    proof_not_approved: [409, 'The proof of the line is not approved.'],
    reprint_out_of_range: [422, 'Make 1 piece anew, up to all of the line.'],
    charge_not_usable: [
      422,
      'A charge is a decimal in the scale of the currency of the order, at most what the pieces cost on the line that was bought.',
    ],
    not_in_stock: [409, 'The stock does not have that many more pieces.'],
    pieces_not_refundable: [422, 'That is not a number of pieces of the line that are not refunded yet.'],
  },
  operations: {
    readOrderMoney: staffOperation({
      id: 'readOrderMoney',
      at: 'GET /staff/v1/{environment}/orders/{orderNumber}/money',
      permission: 'orders:money',
      query: paged({ default: 50, max: 200 }),
      collection: 'movements',
      answers: { 200: OrderMoney },
      refuses: ['order_not_found'],
      says: 'Shows what an order costs, how it was paid and what was refunded, with every movement, oldest first.',
    }),
    refundOrder: staffOperation({
      id: 'refundOrder',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/refunds',
      permission: 'orders:refund',
      body: refundBody,
      answers: { 200: Refund, 201: Refund },
      refuses: ['reference_not_usable', 'reference_taken', ...refundRefuses],
      says:
        'Refunds an order, a line, pieces of it, handling or shipping, with the tax in proportion, and answers 201. ' +
        'Repeated with the same reference and amounts, it answers 200 with the refund as it was made.',
    }),
    previewRefund: staffOperation({
      id: 'previewRefund',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/refunds/preview',
      permission: 'orders:refund',
      changesNothing: true,
      body: refundBody,
      answers: { 200: RefundPreview },
      refuses: refundRefuses,
      says:
        'Shows what a refund would pay back, with tax, and where it would go. Nothing changes; what the refund would ' +
        'refuse is refused here, but for its reference.',
    }),
    reprintLine: staffOperation({
      id: 'reprintLine',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/reprint',
      permission: 'orders:claim',
      body: {
        schema: bodyObject({
          quantity: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 1_000_000,
              description: 'left out = all pieces of the line that was bought',
            }),
          ),
          proof: described(
            oneOf(reprintProofs),
            'NONE = the approved proof is taken over; OWN = it gets a proof of its own, which staff decide',
          ),
          charge: Type.Optional(
            formedText('^\\d{1,12}(\\.\\d{1,4})?$', 'a decimal such as "12.50"', {
              description:
                'without tax, which is added; at most what the pieces cost on the line that was bought; left out or 0 = free',
            }),
          ),
          reason: reasonOf('reprint'),
          comment: commentOfDecision,
          reference,
        }),
      },
      answers: { 200: Reprint, 201: Reprint },
      refuses: [
        ...lineRefuses('amend'),
        'order_pending_approval',
        'reference_not_usable',
        'reference_taken',
        'reason_not_usable',
        'line_not_reprintable',
        'proof_not_approved',
        'reprint_out_of_range',
        'order_not_priced',
        'charge_not_usable',
        'not_permitted',
        'not_in_stock',
      ],
      says:
        'Makes a line anew, or pieces of it, free or at a charge: it adds a line with the newest print files and a ' +
        'shipment of its own, also to a completed order, and answers 201. The partner sees neither line nor shipment; a ' +
        'charge shows in the totals of the order. Repeated with the same reference, quantity, proof and charge, it answers ' +
        '200 with the reprint as it is now.',
    }),
    listReturns: staffOperation({
      id: 'listReturns',
      at: 'GET /staff/v1/{environment}/returns',
      permission: 'orders:read',
      query: {
        siteId: siteIdFilter,
        status: wordFilter(returnStatuses, 'invalid_request', 'only returns with this status'),
        orderNumber: { ...pathParameters.orderNumber, says: 'only returns of this order' },
        ...paged({ default: 50, max: 200 }),
      },
      collection: 'returns',
      answers: { 200: pageOf('ReturnPage', 'returns', Return) },
      refuses: [],
      says: 'Lists the returns of all orders, newest first. A page of a site looks at 400 returns, so it may have few or none: go on with its nextCursor.',
    }),
    readReturn: staffOperation({
      id: 'readReturn',
      at: 'GET /staff/v1/{environment}/returns/{returnNumber}',
      permission: 'orders:read',
      answers: { 200: Return },
      refuses: ['return_not_found'],
      says: 'Shows a return.',
    }),
    announceReturn: staffOperation({
      id: 'announceReturn',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/returns',
      permission: 'orders:claim',
      body: {
        schema: bodyObject({
          lines: Type.Array(
            bodyObject({ lineNumber: whole, pieces: Type.Integer({ minimum: 1, maximum: 1_000_000 }) }),
            {
              minItems: 1,
              maxItems: 1_000,
            },
          ),
          reason: reasonOf('return'),
          comment: commentOfDecision,
          reference,
        }),
      },
      answers: { 200: Return, 201: Return },
      refuses: [
        'order_not_found',
        'reference_not_usable',
        'reference_taken',
        'reason_not_usable',
        'line_not_found',
        'more_than_shipped',
      ],
      says:
        'Announces that a customer sends back pieces that have shipped, and answers 201 with the RMA number. Repeated ' +
        'with the same reference and lines, it answers 200 with the return as it is now.',
    }),
    receiveReturn: staffOperation({
      id: 'receiveReturn',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/returns/{returnNumber}/receive',
      permission: 'orders:write',
      body: {
        schema: bodyObject({
          received: Type.Array(
            bodyObject({
              lineNumber: whole,
              condition: oneOf(conditions),
              pieces: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
              restock: described(flag, 'puts the pieces back into stock'),
              shelf: Type.Optional(described(textUpTo(100), 'where they are put; left out = on no shelf')),
            }),
            { minItems: 1, maxItems: 1_000 },
          ),
        }),
        check: checkShelves,
      },
      answers: { 200: Return },
      refuses: [
        'order_not_found',
        'return_not_found',
        'return_received',
        'return_closed',
        'return_cancelled',
        'line_not_in_return',
        'line_not_found',
        'more_than_shipped',
        'not_restockable',
        'stock_below_zero',
        'stock_out_of_range',
        'shelf_short',
      ],
      says: 'Notes what came back in which condition, and puts back into stock what can be sold again.',
    }),
    closeReturn: staffOperation({
      id: 'closeReturn',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/returns/{returnNumber}/close',
      permission: 'orders:claim',
      answers: { 200: Return },
      refuses: ['order_not_found', 'return_not_found', 'return_not_received', 'return_closed', 'return_cancelled'],
      says: 'Closes a return that was received.',
    }),
    cancelReturn: staffOperation({
      id: 'cancelReturn',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/returns/{returnNumber}/cancel',
      permission: 'orders:claim',
      answers: { 200: Return },
      refuses: ['order_not_found', 'return_not_found', 'return_received', 'return_closed', 'return_cancelled'],
      says: 'Cancels a return whose goods will not come.',
    }),
  },
})
