import type { Sample, Samples, SampleWorld } from '../samples.ts'

let count = 0

export function newService() {
  return {
    kind: 'CUSTOM',
    provider: 'Sample',
    serviceName: `Sample ${++count}`,
    transitBusinessDaysMin: 1,
    transitBusinessDaysMax: 2,
  }
}

const newCenter = {
  name: 'Sample center',
  countryCode: 'US',
  stateCode: 'TX',
  postalCode: '73301',
  timeZone: 'America/Chicago',
}

async function service({ service: { manifest }, admin }: SampleWorld): Promise<Sample> {
  const at = `/staff/v1/production/sites/${manifest.sites.main}/shipping-services`
  const created = await admin.post(at, newService())
  return { path: { shippingServiceId: created.body.shippingServiceId } }
}

async function center({ admin }: SampleWorld): Promise<Sample> {
  const created = await admin.post('/staff/v1/production/fulfilment-centers', newCenter)
  return { path: { fulfilmentCenterId: created.body.fulfilmentCenterId } }
}

export const shippingSamples: Samples = {
  listFulfilmentCenters: () => ({}),
  createFulfilmentCenter: () => ({ body: newCenter }),
  changeFulfilmentCenter: async (world) => ({ ...(await center(world)), body: { priceable: false } }),
  replaceClosedDays: async (world) => ({ ...(await center(world)), body: { closedDays: ['2031-12-24'] } }),
  readShippingZones: () => ({}),
  replaceShippingZones: async (world) => ({
    ...(await center(world)),
    body: { zones: [{ countryCode: 'US', zone: 4 }] },
  }),
  listShippingServices: () => ({}),
  createShippingService: () => ({ body: newService() }),
  changeShippingService: async (world) => ({ ...(await service(world)), body: { enabled: false } }),
  readShippingRates: () => ({}),
  replaceShippingRates: async (world) => ({
    ...(await service(world)),
    body: { rates: [{ upToOunces: '100', price: '5.00' }] },
  }),
}

export const taxSamples: Samples = {
  readTaxes: () => ({}),
  replaceTaxes: ({ service: { manifest } }) => ({
    path: { siteId: manifest.sites.second },
    body: { taxes: [{ countryCode: 'US', stateCode: 'CA', percent: '7.25' }] },
  }),
}
