import type { Samples, SampleWorld } from '../samples.ts'
import { placedOrder, untilPacked } from './placed-order.ts'

export const afterSaleSamples: Samples = {
  readOrderMoney: async (world) => {
    const { orderNumber, at } = await placedOrder(world)
    await world.admin.post(`${at}/refunds`, {
      lines: [{ lineNumber: 1, quantity: 25 }],
      to: 'OUTSIDE',
      outsideReference: 'stripe-re_3Qk1',
      reason: 'DAMAGED',
      reference: 'case-2041',
    })
    return { path: { orderNumber } }
  },
  refundOrder: async (world) => {
    const { orderNumber } = await placedOrder(world)
    return {
      path: { orderNumber },
      body: {
        lines: [{ lineNumber: 1, quantity: 25 }],
        shipping: 'ALL',
        to: 'OUTSIDE',
        outsideReference: 'stripe-re_3Qk2',
        reason: 'DAMAGED',
        comment: 'One box of cards got wet on the way; Dana sent pictures.',
        reference: 'case-2042',
      },
    }
  },
  previewRefund: async (world) => {
    const { orderNumber } = await placedOrder(world)
    return {
      path: { orderNumber },
      body: {
        lines: [{ lineNumber: 1, quantity: 25 }],
        shipping: 'ALL',
        to: 'OUTSIDE',
        outsideReference: 'stripe-re_3Qk2',
        reason: 'DAMAGED',
        comment: 'One box of cards got wet on the way; Dana sent pictures.',
        reference: 'case-2042',
      },
    }
  },
  reprintLine: async (world) => {
    const { orderNumber } = await shippedOrder(world)
    return {
      path: { orderNumber, lineNumber: 1 },
      body: {
        quantity: 100,
        proof: 'NONE',
        charge: '10.50',
        reason: 'DAMAGED',
        comment: 'One box of cards got wet on the way; Dana Reyes sent pictures.',
        reference: 'case-2045',
      },
    }
  },
  listReturns: async (world) => {
    await announced(world)
    return { query: 'status=ANNOUNCED&limit=5' }
  },
  readReturn: async (world) => {
    const { path } = await announced(world)
    return { path: { returnNumber: path.returnNumber } }
  },
  announceReturn: async (world) => {
    const { orderNumber } = await shippedOrder(world)
    return {
      path: { orderNumber },
      body: {
        lines: [{ lineNumber: 1, pieces: 100 }],
        reason: 'DAMAGED',
        comment: 'Dana Reyes sends the wet boxes back.',
        reference: 'case-2044',
      },
    }
  },
  receiveReturn: async (world) => ({ path: (await announced(world)).path, body: { received } }),
  closeReturn: async (world) => {
    const { path, at } = await announced(world)
    await world.admin.post(`${at}/receive`, { received })
    return { path }
  },
  cancelReturn: async (world) => ({ path: (await announced(world)).path }),
}

/** An order of cards that have shipped, with a return of some of them. */
async function announced(world: SampleWorld) {
  const { orderNumber, at } = await shippedOrder(world)
  const { body } = await world.admin.post(`${at}/returns`, {
    lines: [{ lineNumber: 1, pieces: 50 }],
    reason: 'NOT_AS_ORDERED',
    reference: 'case-2043',
  })
  return { path: { orderNumber, returnNumber: body.returnNumber as number }, at: `${at}/returns/${body.returnNumber}` }
}

async function shippedOrder(world: SampleWorld) {
  const order = await placedOrder(world, ...untilPacked)
  const { body } = await world.admin.get(order.at)
  const packages = [{ trackingNumber: '1Z0004', weightOunces: '18' }]
  await world.admin.post(`${order.at}/shipments/${body.shipments[0].shipmentNumber}/ship`, { packages })
  return order
}

const received = [{ lineNumber: 1, condition: 'DAMAGED', pieces: 50, restock: false }]
