import { Type } from 'typebox'
import {
  described,
  flag,
  instant,
  int32,
  longNumber,
  nullable,
  openEnum,
  pageOf,
  record,
  text,
  uuid,
  whole,
} from '../../contract/fields.ts'
import { operation } from '../../contract/operation.ts'
import { orderTotals } from '../../contract/order-totals.ts'
import {
  divisionIdFilter,
  flagFilter,
  instantFilter,
  paged,
  siteIdFilter,
  textFilter,
  userIdFilter,
  wordsFilter,
} from '../../contract/parameters.ts'
import { Place, ShipTo } from '../../contract/ship-to.ts'
import { orderStatuses } from '../../vocabulary/statuses.ts'

export const Order = record('Order', {
  orderNumber: longNumber,
  siteId: int32,
  status: openEnum(orderStatuses),
  partnerOrderId: nullable(described(text, 'only on orders you submitted yourself')),
  submissionId: nullable(described(uuid, 'only on orders you submitted yourself')),
  projectId: nullable(longNumber),
  userId: nullable(described(int32, 'the storefront user who ordered')),
  divisionId: nullable(int32),
  purchaseOrderNumber: nullable(text),
  placedOn: instant,
  updatedOn: described(instant, 'for information only: not a watermark for polling changes'),
  cancelledOn: nullable(instant),
  completedOn: nullable(instant),
  currency: described(text, 'ISO 4217 code'),
  ...orderTotals,
  itemCount: described(whole, 'visible lines'),
  shippedItemCount: whole,
  cancelledItemCount: whole,
  awaitingProof: described(
    flag,
    'the order waits for someone: it has a line, not cancelled, with the proof status PENDING_REVIEW or DECLINED',
  ),
})

export const notesShown = 50

const OrderNote = record('OrderNote', {
  itemNumber: nullable(described(longNumber, 'the line it is about; null = the whole order')),
  text,
  writtenOn: instant,
})

export const OrderDetail = record('OrderDetail', {
  ...Order.properties,
  shipTo: nullable(ShipTo),
  billTo: nullable(Place),
  shippingProvider: nullable(described(text, 'the chosen carrier')),
  shippingMethod: nullable(described(text, 'the chosen service or option')),
  notes: Type.Array(OrderNote, {
    maxItems: notesShown,
    description: `what the people at the works tell you about the order: the ${notesShown} newest at most, oldest first`,
  }),
})

export const orders = {
  listOrders: operation({
    id: 'listOrders',
    at: 'GET /v1/orders',
    scope: 'orders:read',
    query: {
      siteId: siteIdFilter,
      status: wordsFilter(orderStatuses, 'invalid_request', 'only orders with any of these statuses'),
      awaitingProof: flagFilter('invalid_request', 'only orders that wait for someone (true) or do not (false)'),
      partnerOrderId: textFilter(
        { lengthMax: 100, pattern: /^[\x20-\x7e]+$/, form: 'printable ASCII', malformed: 'invalid_request' },
        'only the order you submitted under this partnerOrderId',
      ),
      userId: userIdFilter,
      divisionId: divisionIdFilter,
      placedFrom: instantFilter('only orders placed at this instant or later'),
      placedTo: instantFilter('only orders placed before this instant'),
      ...paged({ default: 50, max: 200 }),
    },
    collection: 'orders',
    answers: { 200: pageOf('OrderPage', 'orders', Order) },
    refuses: [],
    says: 'Lists orders on your sites, newest first.',
  }),
  getOrder: operation({
    id: 'getOrder',
    at: 'GET /v1/orders/{orderNumber}',
    scope: 'orders:read',
    answers: { 200: OrderDetail },
    refuses: ['order_not_found'],
    says: 'Shows one order.',
  }),
}
