import { sql } from '../../../src/database/sql.ts'
import type { Sample, Samples, SampleWorld } from '../samples.ts'
import { placedOrder, untilPacked } from './placed-order.ts'

async function order(world: SampleWorld): Promise<Sample & { path: { orderNumber: number } }> {
  return { path: { orderNumber: (await placedOrder(world)).orderNumber } }
}

export const orderSamples: Samples = {
  listOrders: ({ service }) => ({ query: `siteId=${service.manifest.sites.main}&limit=5` }),
  readOrder: () => ({}),
  listOrderDeliveries: () => ({}),
  readOrderHistory: async (world) => {
    const { orderNumber, line } = await placedOrder(world)
    await world.admin.post(`${line}/hold`, { comment: 'Dana Reyes asks for another paper.' })
    return { path: { orderNumber }, query: 'kind=change' }
  },
  listOrderRequests: async (world) => ({ ...(await order(world)), query: 'limit=5' }),
  approveOrder: async (world) => {
    const { orderNumber } = await placedOrder(world)
    await world.service.production.database.statements.rows(sql`
      update orders set status = 'PENDING_APPROVAL' where order_number = ${orderNumber}`)
    return { path: { orderNumber } }
  },
  holdOrder: async (world) => ({
    ...(await order(world)),
    body: { reason: 'ADDRESS_UNCLEAR', comment: 'The suite number is missing; Dana Reyes will call back.' },
  }),
  releaseOrder: async (world) => {
    const { orderNumber, at } = await placedOrder(world)
    await world.admin.post(`${at}/hold`)
    return { path: { orderNumber } }
  },
  completeOrder: async (world) => {
    const { orderNumber, at } = await placedOrder(world, ...untilPacked)
    const { body } = await world.admin.get(at)
    const packages = [{ trackingNumber: null, weightOunces: null }]
    await world.admin.post(`${at}/shipments/${body.shipments[0].shipmentNumber}/ship`, { packages })
    return { path: { orderNumber } }
  },
  cancelOrder: async (world) => ({
    ...(await order(world)),
    body: { reason: 'DUPLICATE', comment: 'Submitted twice under two partner order ids.' },
  }),
}
