import { orderBuilder } from '../../world/order-builder.ts'
import { partner } from '../../world/partner.ts'
import { until } from '../../world/webhooks.ts'
import type { Samples, SampleWorld } from '../samples.ts'

/** The request of a partner that submitted an order, once the log has it. */
async function submitted({ service, admin }: SampleWorld): Promise<string> {
  const primary = await partner(service, 'primary')
  const answer = await primary.post('/v1/orders', orderBuilder(service.manifest).order())
  const requestId = answer.headers.get('request-id')!
  await until(async () => {
    const found = await admin.get(`/staff/v1/production/requests/${requestId}`)
    return found.status === 200 && found.body.calls.length > 0
  })
  return requestId
}

export const requestSamples: Samples = {
  listRequests: async (world) => {
    await submitted(world)
    const { partnerId } = world.service.manifest.partners.primary!
    return { query: `partnerId=${partnerId}&operation=submitOrder&statusClass=2xx&limit=1` }
  },
  readRequest: async (world) => ({ path: { requestId: await submitted(world) } }),
}
