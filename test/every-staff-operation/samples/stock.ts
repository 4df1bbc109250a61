import type { Samples, SampleWorld } from '../samples.ts'
import { product } from './catalog.ts'

async function counted(world: SampleWorld) {
  const sample = await product(world, 'STOCK')
  const at = `/staff/v1/production/products/${sample.path.productId}/variants/${sample.path.variantId}`
  await world.admin.post(`${at}/stock`, { counted: 480, reason: 'Count of shelf 14 on Monday' })
  await world.admin.post(`${at}/receive`, { pieces: 120, shelf: 'B-14-2', reason: 'Delivery note 2026-0311' })
  return sample
}

async function sheet(world: SampleWorld) {
  const { variantId } = (await counted(world)).path
  const begun = await world.admin.post('/staff/v1/production/stock-counts', { variantIds: [variantId] })
  return { variantId, path: { stockCountId: begun.body.stockCountId } }
}

export const stockSamples: Samples = {
  listStock: ({ service: { manifest } }) => ({ query: `productId=${manifest.fixtures.products.stock}&limit=2` }),
  listStockMovements: (world) => counted(world),
  checkStock: ({ service: { manifest } }) => ({ query: `siteId=${manifest.sites.main}` }),
  receiveStock: async (world) => ({
    ...(await counted(world)),
    body: { pieces: 250, shelf: 'B-14-2', reason: 'Delivery note 2026-0312' },
  }),
  scrapStock: async (world) => ({
    ...(await counted(world)),
    body: { pieces: 3, shelf: 'B-14-2', reason: 'Water damage' },
  }),
  moveStock: async (world) => ({
    ...(await counted(world)),
    body: { pieces: 60, from: 'B-14-2', to: 'A-02-1', reason: 'Nearer to packing' },
  }),
  beginStockCount: async (world) => ({
    body: { variantIds: [(await counted(world)).path.variantId], note: 'Month end' },
  }),
  listStockCounts: async (world) => {
    await sheet(world)
    return { query: 'limit=2' }
  },
  readStockCount: async (world) => ({ path: (await sheet(world)).path }),
  enterStockCount: async (world) => {
    const { path, variantId } = await sheet(world)
    return { path, body: { entries: [{ variantId, shelf: 'B-14-2', counted: 118 }] } }
  },
  closeStockCount: async (world) => {
    const { path, variantId } = await sheet(world)
    await world.admin.post(`/staff/v1/production/stock-counts/${path.stockCountId}/entries`, {
      entries: [{ variantId, shelf: 'B-14-2', counted: 118 }],
    })
    return { path }
  },
}
