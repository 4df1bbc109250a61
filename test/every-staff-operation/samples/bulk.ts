import { sql } from '../../../src/database/sql.ts'
import type { Sample, Samples, SampleWorld } from '../samples.ts'
import { placedOrder, untilPacked, type PlacedOrder } from './placed-order.ts'

/** Two new orders with one line each, after the given steps. */
async function two(world: SampleWorld, ...steps: string[]): Promise<PlacedOrder[]> {
  return [await placedOrder(world, ...steps), await placedOrder(world, ...steps)]
}

const named = (placed: readonly PlacedOrder[]) =>
  placed.map(({ orderNumber, lineNumber }) => ({ orderNumber, lineNumber }))

/** A sample on the lines of two new orders. */
function lines(body: object = {}, ...steps: string[]) {
  return async (world: SampleWorld): Promise<Sample> => ({
    body: { lines: named(await two(world, ...steps)), ...body },
  })
}

/** A sample on two new orders. */
function orders(body: object = {}, prepare?: (world: SampleWorld, order: PlacedOrder) => Promise<unknown>) {
  return async (world: SampleWorld): Promise<Sample> => {
    const both = await two(world)
    for (const order of both) await prepare?.(world, order)
    return { body: { orderNumbers: both.map(({ orderNumber }) => orderNumber), ...body } }
  }
}

async function shipped(world: SampleWorld): Promise<PlacedOrder> {
  const order = await placedOrder(world, ...untilPacked)
  await world.admin.post('/staff/v1/production/bulk/ship-lines', { lines: named([order]) })
  return order
}

export const bulkSamples: Samples = {
  advanceLines: async (world) => ({
    body: { lines: named(await two(world)).map((line) => ({ ...line, expects: null })), to: 'PREPRESS' },
  }),
  holdLines: lines({ reason: 'MATERIAL_MISSING', comment: 'The 350 g board comes on Tuesday.' }),
  overrideLines: lines({ reason: 'ARTWORK_AT_THE_WORKS', comment: 'Plates of last month.' }, 'advance'),
  releaseLines: lines({}, 'hold'),
  assignLines: async (world) => {
    const { staffId } = (await world.admin.get('/staff/v1/session')).body
    return { body: { lines: named(await two(world)), staffId } }
  },
  setPriorities: lines({ priority: 'RUSH' }),
  setDatesOfLines: lines({ shipBy: '2030-01-31T17:00:00Z' }),
  reportProblems: lines({ problem: 'The cutter has nicked the upper edge.' }),
  clearProblems: async (world) => {
    const both = named(await two(world))
    await world.admin.post('/staff/v1/production/bulk/report-problem', { lines: both, reason: 'FINISHING' })
    return { body: { lines: both } }
  },
  putLinesInProofing: lines(),
  publishProofs: lines({}, 'proof/enter'),
  shipLines: async (world) => {
    const both = await two(world, ...untilPacked)
    const { shipmentNumber } = (await world.admin.get(both[0]!.at)).body.shipments[0]
    return {
      body: {
        lines: named(both),
        shipments: [{ shipmentNumber, trackingNumber: '1Z12345E0205271688', weightOunces: '38.5' }],
      },
    }
  },
  approveOrders: orders({}, ({ service }, { orderNumber }) =>
    service.production.database.statements.rows(sql`
      update orders set status = 'PENDING_APPROVAL' where order_number = ${orderNumber}`),
  ),
  completeOrders: async (world) => ({
    body: { orderNumbers: [(await shipped(world)).orderNumber, (await shipped(world)).orderNumber] },
  }),
  holdOrders: orders({ reason: 'PAYMENT', comment: 'The invoice of September is open.' }),
  releaseOrders: orders({}, ({ admin }, { at }) => admin.post(`${at}/hold`)),
  cancelOrders: orders({ reason: 'DUPLICATE' }),
}
