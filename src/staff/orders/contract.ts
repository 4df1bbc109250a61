import { pageOf } from '../../contract/fields.ts'
import { instantFilter, paged, pathParameters, siteIdFilter, wordFilter } from '../../contract/parameters.ts'
import { orderStatuses } from '../../vocabulary/statuses.ts'
import { staffOperation, staffSubject } from '../operation.ts'
import { partnerFilter } from '../parameters.ts'
import { DeliveryView } from '../webhooks/contract.ts'
import { OrderDetail, OrderView } from './order-records.ts'
import { orderProblems, orderRefuses } from './refusals.ts'

export const orders = staffSubject({
  name: 'Orders',
  says: 'Orders of partners and storefronts, and what is decided about a whole one. Every change answers the order.',
  problems: {
    ...orderProblems,
    order_shipped: [409, 'Something of the order has left already.'],
    lines_not_finished: [409, 'Some lines have not shipped yet, or are not made.'],
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
      says: 'Shows an order: its lines with their proofs and print files, its shipments, and what it moved of credit.',
    }),
    listOrderDeliveries: staffOperation({
      id: 'listOrderDeliveries',
      at: 'GET /staff/v1/{environment}/orders/{orderNumber}/webhook-deliveries',
      permission: 'webhooks:read',
      query: paged({ default: 50, max: 200 }),
      collection: 'deliveries',
      answers: { 200: pageOf('OrderDeliveryPage', 'deliveries', DeliveryView) },
      refuses: ['order_not_found'],
      says: 'Lists what receivers were told of an order in the last 30 days, newest first.',
    }),
    approveOrder: staffOperation({
      id: 'approveOrder',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/approve',
      permission: 'orders:write',
      answers: { 200: OrderDetail },
      refuses: orderRefuses('approve'),
      says: 'Lets an order that waits for approval proceed.',
    }),
    holdOrder: staffOperation({
      id: 'holdOrder',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/hold',
      permission: 'orders:write',
      answers: { 200: OrderDetail },
      refuses: orderRefuses('hold'),
      says: 'Stops production and shipping of a whole order; its lines stay where they are.',
    }),
    releaseOrder: staffOperation({
      id: 'releaseOrder',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/release',
      permission: 'orders:write',
      answers: { 200: OrderDetail },
      refuses: orderRefuses('release'),
      says: 'Lets a held order go on.',
    }),
    completeOrder: staffOperation({
      id: 'completeOrder',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/complete',
      permission: 'orders:write',
      answers: { 200: OrderDetail },
      refuses: [...orderRefuses('complete'), 'lines_not_finished'],
      says: 'Closes an order for good, once all that was bought has shipped, or is made where it never ships.',
    }),
    cancelOrder: staffOperation({
      id: 'cancelOrder',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/cancel',
      permission: 'orders:write',
      answers: { 200: OrderDetail },
      refuses: [...orderRefuses('cancel'), 'order_shipped'],
      says: 'Cancels an order nothing of which has left: every line, every shipment, and all that was charged.',
    }),
  },
})
