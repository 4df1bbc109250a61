import { requestsAboutOrder } from '../../gateway/request-log/read-request-log.ts'
import { approveOrder } from '../../platform/orders/approve-order.ts'
import { cancelOrder } from '../../platform/orders/cancel-order.ts'
import { completeOrder } from '../../platform/orders/complete-order.ts'
import { holdOrder, releaseOrder } from '../../platform/orders/hold-order.ts'
import { permissionsOf } from '../../vocabulary/staff-roles.ts'
import { listDeliveriesOfOrder } from '../../webhooks/deliveries.ts'
import type { StaffHandlers } from '../operation.ts'
import { orderVerb } from './change-order.ts'
import type { orders } from './contract.ts'
import { historyKinds } from './history-records.ts'
import { listOrders } from './list-orders.ts'
import { keyOfEntry, orderExists, readHistory, shownEntry } from './read-history.ts'
import { readOrder } from './read-order.ts'
import { requestIdsOfOrder } from './subjects-of-order.ts'

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
    const found = await listDeliveriesOfOrder(environment.database.longReads, {
      orderNumber: path.orderNumber,
      after: after && Number(after[0]),
      limit: query.limit + 1,
    })
    if (!found) throw refuse('order_not_found')
    const { rows, nextCursor } = page(found, ({ deliveryId }) => [deliveryId])
    return { status: 200, body: { deliveries: rows, nextCursor } }
  },
  readOrderHistory: async ({ environment, path, query, session, after, page, refuse }) => {
    const may = permissionsOf(session.roles)
    const found = await readHistory(environment.database.longReads, {
      orderNumber: path.orderNumber,
      kinds: query.kind ?? historyKinds,
      may: (permission) => may.has(permission),
      after,
      limit: query.limit + 1,
    })
    if (!found) throw refuse('order_not_found')
    const { rows, nextCursor } = page(found, keyOfEntry)
    return { status: 200, body: { entries: rows.map(shownEntry), nextCursor } }
  },
  listOrderRequests: async ({ environment, path, query, after, page, refuse }) => {
    const { reads, longReads } = environment.database
    const { orderNumber } = path
    if (!(await orderExists(reads, orderNumber))) throw refuse('order_not_found')
    const found = await requestsAboutOrder(longReads, {
      orderNumber,
      requestIds: await requestIdsOfOrder(longReads, orderNumber),
      after: after && { recordedOn: String(after[0]), entryId: Number(after[1]) },
      limit: query.limit + 1,
    })
    const { rows, nextCursor } = page(found, ({ recordedOn, entryId }) => [recordedOn, entryId])
    return { status: 200, body: { requests: rows.map(({ entryId: _entryId, ...request }) => request), nextCursor } }
  },
  approveOrder: orderVerb(approveOrder),
  holdOrder: orderVerb(holdOrder, (why) => why),
  releaseOrder: orderVerb(releaseOrder),
  completeOrder: orderVerb(completeOrder),
  cancelOrder: orderVerb(cancelOrder, (why) => why),
}
