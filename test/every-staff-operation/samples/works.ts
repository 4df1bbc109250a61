import type { Sample, Samples, SampleWorld } from '../samples.ts'
import { placedOrder } from './placed-order.ts'

/** The staffId of the person who asks. */
async function myself({ admin }: SampleWorld): Promise<string> {
  return (await admin.get('/staff/v1/session')).body.staffId
}

async function line(world: SampleWorld): Promise<Sample & { path: { orderNumber: number; lineNumber: number } }> {
  const { orderNumber, lineNumber } = await placedOrder(world)
  return { path: { orderNumber, lineNumber } }
}

export const workSamples: Samples = {
  listLines: ({ service }) => ({
    query: `siteId=${service.manifest.sites.main}&productionStatus=PREPRESS,QUEUED&limit=3`,
  }),
  readToday: ({ service }) => ({ query: `siteId=${service.manifest.sites.main}` }),
  assignLine: async (world) => ({ ...(await line(world)), body: { staffId: await myself(world) } }),
  setPriority: async (world) => ({ ...(await line(world)), body: { priority: 'RUSH' } }),
  setOrderPriority: async (world) => ({ ...(await line(world)), body: { priority: 'HIGH' } }),
}
