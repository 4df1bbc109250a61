import { unique } from '../plain-names.ts'
import type { Sample, Samples, SampleWorld } from '../samples.ts'

const view = (name: string) => ({
  page: 'orders',
  name: unique(name),
  query: 'status=ON_HOLD&placedFrom=2026-03-01',
  shared: true,
})

async function saved({ admin }: SampleWorld): Promise<Sample> {
  const { body } = await admin.post('/staff/v1/views', view('Held this month'))
  return { path: { viewId: body.viewId } }
}

export const viewSamples: Samples = {
  listViews: async (world) => {
    await saved(world)
    return { query: 'page=orders&limit=2' }
  },
  readView: saved,
  saveView: () => ({ body: view('Waiting for an address') }),
  changeView: async (world) => ({ ...(await saved(world)), body: { ...view('Held since March'), shared: false } }),
  removeView: saved,
}
