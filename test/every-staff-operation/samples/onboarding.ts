import type { Samples } from '../samples.ts'
import { newSite } from './sites.ts'

export const onboardingSamples: Samples = {
  readSiteReadiness: ({ service }) => ({ path: { siteId: service.manifest.sites.noOrdering } }),
  readProductReadiness: ({ service }) => ({ path: { productId: service.manifest.fixtures.products.unpriceable } }),
  readPartnerReadiness: ({ service }) => ({ path: { partnerId: service.manifest.partners.trial!.partnerId } }),
  copySite: async ({ admin }) => {
    const { body } = await admin.post('/staff/v1/sandbox/sites', newSite())
    return { body: { from: 'sandbox', siteId: body.siteId } }
  },
  mergePartners: async ({ admin, service }) => {
    const at = '/staff/v1/production/partners'
    const partner = { name: 'Larkspur East', machineMethod: 'BEARER', siteIds: [service.manifest.sites.main] }
    const { body: former } = await admin.post(at, { ...partner, client: {} })
    const { body: other } = await admin.post(at, { ...partner, name: 'Larkspur Print Co' })
    await admin.post(`${at}/${former.partnerId}/disable`)
    return { path: { partnerId: former.partnerId }, body: { into: other.partnerId } }
  },
  copyPartner: async ({ admin, service }) => {
    const { body } = await admin.post('/staff/v1/sandbox/partners', {
      name: 'Larkspur Procurement',
      machineMethod: 'BEARER',
      siteIds: [service.manifest.sites.main],
      capabilities: ['orders:read', 'orders:write'],
    })
    return { body: { from: 'sandbox', partnerId: body.partnerId } }
  },
}
