import { makeCertificate } from '../../world/certificates.ts'
import { unique } from '../plain-names.ts'
import type { Sample, Samples, SampleWorld } from '../samples.ts'

type PartnerSample = Sample & { path: { partnerId: string } }

async function partner({ admin }: SampleWorld, machineMethod: 'BEARER' | 'MTLS' = 'BEARER'): Promise<PartnerSample> {
  const created = await admin.post('/staff/v1/production/partners', { name: 'Larkspur Print Co', machineMethod })
  return { path: { partnerId: created.body.partnerId } }
}

async function pem(): Promise<string> {
  return (await makeCertificate({ subject: unique('orders.larkspur.example') })).pem
}

export const partnerSamples: Samples = {
  listPartners: () => ({}),
  createPartner: ({ service }) => ({
    body: {
      name: 'Larkspur Print Co',
      machineMethod: 'BEARER',
      siteIds: [service.manifest.sites.main],
      capabilities: ['orders:read', 'orders:write', 'products:read'],
      tier: 'STANDARD',
      client: { label: 'Order server' },
    },
  }),
  readPartner: () => ({}),
  readPartnerLimits: () => ({}),
  renamePartner: async (world) => ({ ...(await partner(world)), body: { name: 'Larkspur Print Company' } }),
  setGrantedSites: async (world) => ({
    ...(await partner(world)),
    body: { siteIds: [world.service.manifest.sites.main] },
  }),
  setCapabilities: async (world) => ({
    ...(await partner(world)),
    body: { capabilities: ['orders:read', 'orders:write', 'products:read'] },
  }),
  setTier: async (world) => ({ ...(await partner(world)), body: { tier: 'STANDARD' } }),
  disablePartner: (world) => partner(world),
  enablePartner: async (world) => {
    const sample = await partner(world)
    await world.admin.post(`/staff/v1/production/partners/${sample.path.partnerId}/disable`)
    return sample
  },
  listAppClients: () => ({}),
  issueAppClient: async (world) => ({ ...(await partner(world)), body: { label: 'Order server' } }),
  revokeAppClient: async (world) => {
    const { path } = await partner(world)
    const issued = await world.admin.post(`/staff/v1/production/partners/${path.partnerId}/clients`)
    return { path: { ...path, clientId: issued.body.clientId } }
  },
  listCertificates: () => ({}),
  listAllCertificates: async (world) => {
    const { path } = await partner(world, 'MTLS')
    await world.admin.post(`/staff/v1/production/partners/${path.partnerId}/certificates`, { pem: await pem() })
    return { query: 'ending=true&limit=1' }
  },
  registerCertificate: async (world) => ({ ...(await partner(world, 'MTLS')), body: { pem: await pem() } }),
  revokeCertificate: async (world) => {
    const { path } = await partner(world, 'MTLS')
    const registered = await world.admin.post(`/staff/v1/production/partners/${path.partnerId}/certificates`, {
      pem: await pem(),
    })
    return { path: { ...path, certificateId: registered.body.certificateId } }
  },
}
