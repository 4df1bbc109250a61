import { pageOf } from '../../contract/fields.ts'
import { instantFilter, paged, pathParameters, siteIdFilter, wordFilter } from '../../contract/parameters.ts'
import { orderStatuses } from '../../vocabulary/statuses.ts'
import { staffOperation, staffSubject } from '../operation.ts'
import { partnerFilter } from '../parameters.ts'
import { LoggedRequestView } from '../requests/contract.ts'
import { DeliveryView } from '../webhooks/contract.ts'
import { historyKindFilter, HistoryPage } from './history-records.ts'
import { OrderDetail, OrderView } from './order-records.ts'
import { orderProblems, orderRefuses } from './refusals.ts'
import { whyBody } from './why.ts'

export const orders = staffSubject({
  name: 'Orders',
  says: 'Orders of partners and storefronts, and decisions about whole orders. Every change answers with the order. Fields marked x-shown-with are null, or empty, for whoever lacks that permission.',
  problems: {
    ...orderProblems,
    order_shipped: [409, 'Part of the order has already shipped.'],
    lines_not_finished: [409, 'Some lines have not shipped or are not made yet.'],
  },
  operations: {
    listOrders: staffOperation({
      id: 'listOrders',
      at: 'GET /staff/v1/{environment}/orders',
      permission: 'orders:read',
      query: {
        siteId: siteIdFilter,
        status: wordFilter(orderStatuses, 'invalid_request', 'only orders with this status'),
        partnerId: partnerFilter,
        userId: { ...pathParameters.userId, says: 'only orders of this user' },
        orderNumber: { ...pathParameters.orderNumber, says: 'only this order' },
        placedFrom: instantFilter('only orders placed at this instant or later'),
        placedTo: instantFilter('only orders placed before this instant'),
        ...paged({ default: 50, max: 200 }),
      },
      collection: 'orders',
      answers: { 200: pageOf('OrderPage', 'orders', OrderView) },
      refuses: [],
      says: 'Lists orders, newest first.',
    }),
    readOrder: staffOperation({
      id: 'readOrder',
      at: 'GET /staff/v1/{environment}/orders/{orderNumber}',
      permission: 'orders:read',
      answers: { 200: OrderDetail },
      refuses: ['order_not_found'],
      says: 'Shows an order: its lines with their proofs and print files, its shipments and its credit movements.',
    }),
    listOrderDeliveries: staffOperation({
      id: 'listOrderDeliveries',
      at: 'GET /staff/v1/{environment}/orders/{orderNumber}/webhook-deliveries',
      permission: 'webhooks:read',
      query: paged({ default: 50, max: 200 }),
      collection: 'deliveries',
      answers: { 200: pageOf('OrderDeliveryPage', 'deliveries', DeliveryView) },
      refuses: ['order_not_found'],
      says: 'Lists the webhook deliveries about an order in the last 30 days, newest first.',
    }),
    readOrderHistory: staffOperation({
      id: 'readOrderHistory',
      at: 'GET /staff/v1/{environment}/orders/{orderNumber}/history',
      permission: 'orders:read',
      query: { kind: historyKindFilter, ...paged({ default: 50, max: 200 }) },
      collection: 'entries',
      answers: { 200: HistoryPage },
      refuses: ['order_not_found'],
      says: 'Shows all that happened to an order, its lines, shipments and returns, newest first.',
      agentNote:
        'Mails are only shown with `mail:read`, deliveries with `webhooks:read`, requests with `requests:read`, refunds and invoices with `orders:money`.',
    }),
    listOrderRequests: staffOperation({
      id: 'listOrderRequests',
      at: 'GET /staff/v1/{environment}/orders/{orderNumber}/requests',
      permission: 'requests:read',
      query: paged({ default: 50, max: 200 }),
      collection: 'requests',
      answers: { 200: pageOf('OrderRequestPage', 'requests', LoggedRequestView) },
      refuses: ['order_not_found'],
      says: 'Lists the calls of partners in the last 14 days that submitted or changed an order, or named it in their path, newest first.',
    }),
    approveOrder: staffOperation({
      id: 'approveOrder',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/approve',
      permission: 'orders:write',
      answers: { 200: OrderDetail },
      refuses: orderRefuses('approve'),
      says: 'Approves an order that waits for approval, so that it proceeds.',
    }),
    holdOrder: staffOperation({
      id: 'holdOrder',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/hold',
      permission: 'orders:write',
      body: whyBody('hold'),
      answers: { 200: OrderDetail },
      refuses: [...orderRefuses('hold'), 'reason_not_usable'],
      says: 'Stops production and shipping of a whole order; its lines stay where they are.',
    }),
    releaseOrder: staffOperation({
      id: 'releaseOrder',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/release',
      permission: 'orders:write',
      answers: { 200: OrderDetail },
      refuses: orderRefuses('release'),
      says: 'Releases a held order.',
    }),
    completeOrder: staffOperation({
      id: 'completeOrder',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/complete',
      permission: 'orders:write',
      answers: { 200: OrderDetail },
      refuses: [...orderRefuses('complete'), 'lines_not_finished'],
      says: 'Completes an order for good. Every line that was bought has shipped, or is made if it is never shipped.',
    }),
    cancelOrder: staffOperation({
      id: 'cancelOrder',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/cancel',
      permission: 'orders:write',
      body: whyBody('cancel'),
      answers: { 200: OrderDetail },
      refuses: [...orderRefuses('cancel'), 'order_shipped', 'reason_not_usable'],
      says: 'Cancels an order of which nothing has shipped: every line, every shipment and every charge.',
    }),
  },
})
