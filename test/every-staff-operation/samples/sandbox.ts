import { partner } from '../../world/partner.ts'
import { orderBuilder } from '../../world/order-builder.ts'
import { sandboxPartner } from '../../world/sandbox.ts'
import { placed } from '../../world/production.ts'
import { unique } from '../plain-names.ts'
import type { Sample, Samples, SampleWorld } from '../samples.ts'

const environment = 'sandbox'

/** A partner that only these samples change. */
async function newPartner({ admin }: SampleWorld): Promise<Sample> {
  const made = await admin.post('/staff/v1/sandbox/partners', { name: 'Larkspur Print Co', machineMethod: 'BEARER' })
  return { path: { environment, partnerId: made.body.partnerId } }
}

export const sandboxSamples: Samples = {
  listSandboxPartners: () => ({ path: { environment }, query: 'limit=2' }),
  readSandboxClock: newPartner,
  advancePartnerClock: async (world) => ({ ...(await newPartner(world)), body: { days: 2, hours: 6 } }),
  readSandboxScenarios: () => ({ path: { environment } }),
  takeSandboxStep: async ({ service }) => {
    const build = orderBuilder(service.manifest)
    const order = build.order({ partnerOrderId: unique('NW-2026-0318') })
    const { orderNumber } = await placed(await partner(service, 'sandbox'), order)
    return { path: { environment, orderNumber }, body: { step: 'hold_order' } }
  },
  getGoLive: async ({ service }) => {
    const integration = await sandboxPartner(service)
    const { orderNumber } = await placed(integration, orderBuilder(service.manifest).order())
    for (const step of ['ship_all', 'complete']) {
      await integration.post(`/sandbox/orders/${orderNumber}/steps`, { step })
    }
    return { path: { environment, partnerId: integration.partnerId } }
  },
  resetSandboxPartner: newPartner,
}
