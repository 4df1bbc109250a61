import { orderBuilder } from '../../world/order-builder.ts'
import { partner } from '../../world/partner.ts'
import { unique } from '../plain-names.ts'
import type { Samples, SampleWorld } from '../samples.ts'
import { newProduct } from './catalog.ts'

/** An order of a product that has no price yet. */
async function rejected({ service, admin }: SampleWorld): Promise<string> {
  const made = await admin.post(`/staff/v1/production/sites/${service.manifest.sites.main}/products`, newProduct())
  const build = orderBuilder(service.manifest)
  const body = build.order({
    partnerOrderId: unique('NW-2026-0299'),
    lines: [build.podLine({ productId: made.body.productId, partnerLineId: 'coasters', quantity: 500 })],
  })
  return (await (await partner(service, 'primary')).post('/v1/orders', body)).body.submissionId
}

export const submissionSamples: Samples = {
  listSubmissions: async (world) => {
    await rejected(world)
    return { query: 'status=failed&limit=5' }
  },
  countSubmissionReasons: async (world) => {
    await rejected(world)
    return {}
  },
  readSubmission: async (world) => ({ path: { submissionId: await rejected(world) } }),
}
