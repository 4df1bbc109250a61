import { until } from '../../world/webhooks.ts'
import type { Sample, Samples, SampleWorld } from '../samples.ts'

// Nothing listens on port 9, so a delivery there fails at once.
const target = { url: 'https://hooks.northwind.example/orders' }

async function endpoint({ service, admin }: SampleWorld): Promise<Sample & { path: { endpointId: string } }> {
  const { partnerId } = service.manifest.partners.neighbour
  const at = `/staff/v1/production/partners/${partnerId}/webhook-endpoints`
  const registered = await admin.post(at, { ...target, signed: true })
  return { path: { endpointId: registered.body.endpoint.endpointId } }
}

export const webhookSamples: Samples = {
  listEndpoints: () => ({}),
  registerEndpoint: () => ({ body: { ...target, signed: false } }),
  readEndpoint: endpoint,
  setSubscription: async (world) => ({ ...(await endpoint(world)), body: { types: ['shipment.shipped'] } }),
  setTarget: async (world) => ({
    ...(await endpoint(world)),
    body: { url: 'https://hooks.northwind.example/v2/orders' },
  }),
  disableEndpoint: endpoint,
  enableEndpoint: async (world) => {
    const sample = await endpoint(world)
    await world.admin.post(`/staff/v1/production/webhook-endpoints/${sample.path.endpointId}/disable`)
    return sample
  },
  rotateSecret: endpoint,
  removeSecret: endpoint,
  sendTestPing: endpoint,
  listDeliveries: endpoint,
  listFailedDeliveries: async (world) => {
    const { path } = await endpoint(world)
    await world.admin.post(`/staff/v1/production/webhook-endpoints/${path.endpointId}/test-ping`)
    const query = 'limit=1'
    await until(async () => {
      const { body } = await world.admin.get(`/staff/v1/production/failed-deliveries?${query}`)
      return body.deliveries.length > 0
    })
    return { query }
  },
  readDelivery: async (world) => {
    const { path } = await endpoint(world)
    const ping = await world.admin.post(`/staff/v1/production/webhook-endpoints/${path.endpointId}/test-ping`)
    return { path: { deliveryId: ping.body.deliveryId } }
  },
}
