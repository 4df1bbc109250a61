import { approveOrder } from '../../platform/orders/approve-order.ts'
import { cancelOrder } from '../../platform/orders/cancel-order.ts'
import { completeOrder } from '../../platform/orders/complete-order.ts'
import { holdOrder, releaseOrder } from '../../platform/orders/hold-order.ts'
import { listDeliveriesOfOrder } from '../../webhooks/deliveries.ts'
import type { StaffHandlers } from '../operation.ts'
import { orderVerb } from './change-order.ts'
import type { orders } from './contract.ts'
import { listOrders } from './list-orders.ts'
import { readOrder } from './read-order.ts'

export const orderHandlers: StaffHandlers<typeof orders> = {
  listOrders: async ({ environment, query, after, page }) => {
    const found = await listOrders(environment.database.longReads, query, { after, limit: query.limit + 1 })
    const { rows, nextCursor } = page(found, ({ placedOn, orderNumber }) => [placedOn, orderNumber])
    return { status: 200, body: { orders: rows, nextCursor } }
  },
  readOrder: async ({ environment, path, now, refuse }) => {
    const order = await readOrder(environment, path.orderNumber, now)
    if (!order) throw refuse('order_not_found')
    const links = order.lines.flatMap(({ proofs, printFiles }) => [
      ...proofs.flatMap(({ link, previewLink }) => [link, previewLink]),
      ...printFiles.map(({ link }) => link),
    ])
    return { status: 200, body: order, links }
  },
  listOrderDeliveries: async ({ environment, path, query, after, page, refuse }) => {
    const found = await listDeliveriesOfOrder(environment.database.reads, {
      orderNumber: path.orderNumber,
      after: after && Number(after[0]),
      limit: query.limit + 1,
    })
    if (!found) throw refuse('order_not_found')
    const { rows, nextCursor } = page(found, ({ deliveryId }) => [deliveryId])
    return { status: 200, body: { deliveries: rows, nextCursor } }
  },
  approveOrder: orderVerb(approveOrder),
  holdOrder: orderVerb(holdOrder, (why) => why),
  releaseOrder: orderVerb(releaseOrder),
  completeOrder: orderVerb(completeOrder),
  cancelOrder: orderVerb(cancelOrder, (why) => why),
}
