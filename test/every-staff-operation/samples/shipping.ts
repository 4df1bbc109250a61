import { unique } from '../plain-names.ts'
import type { Sample, Samples, SampleWorld } from '../samples.ts'

export function newService() {
  return {
    kind: 'CUSTOM',
    provider: 'Parcelway',
    serviceName: unique('Parcelway Two Day', ' '),
    transitBusinessDaysMin: 1,
    transitBusinessDaysMax: 2,
  }
}

const newCenter = {
  name: 'Austin plant',
  countryCode: 'US',
  stateCode: 'TX',
  postalCode: '73301',
  timeZone: 'America/Chicago',
  address: { address1: '4100 Smith School Rd', address2: 'Building 6', city: 'Austin', phone: '+1 512 555 0118' },
}

async function service({ service: { manifest }, admin }: SampleWorld): Promise<Sample> {
  const at = `/staff/v1/production/sites/${manifest.sites.main}/shipping-services`
  const created = await admin.post(at, newService())
  return { path: { shippingServiceId: created.body.shippingServiceId } }
}

export async function center({ admin }: SampleWorld): Promise<Sample> {
  const created = await admin.post('/staff/v1/production/fulfilment-centers', newCenter)
  return { path: { fulfilmentCenterId: created.body.fulfilmentCenterId } }
}

export const shippingSamples: Samples = {
  listFulfilmentCenters: () => ({}),
  createFulfilmentCenter: () => ({ body: newCenter }),
  changeFulfilmentCenter: async (world) => ({ ...(await center(world)), body: { priceable: false } }),
  replaceClosedDays: async (world) => ({ ...(await center(world)), body: { closedDays: ['2031-12-24'] } }),
  deleteFulfilmentCenter: (world) => center(world),
  archiveFulfilmentCenter: (world) => center(world),
  restoreFulfilmentCenter: async (world) => {
    const { fulfilmentCenterId, ...rest } = (await center(world)).path!
    await world.admin.post(`/staff/v1/production/fulfilment-centers/${fulfilmentCenterId}/archive`)
    return { path: { ...rest, fulfilmentCenterId: fulfilmentCenterId! } }
  },
  deleteShippingService: (world) => service(world),
  archiveShippingService: (world) => service(world),
  restoreShippingService: async (world) => {
    const sample = await service(world)
    const at = `/staff/v1/production/sites/${world.service.manifest.sites.main}/shipping-services`
    await world.admin.post(`${at}/${sample.path!.shippingServiceId}/archive`)
    return sample
  },
  replaceWorkingDays: async (world) => ({
    ...(await center(world)),
    body: { workingDays: ['2031-12-20', '2031-12-26'] },
  }),
  readWorkingCalendar: () => ({ path: { fulfilmentCenterId: 1 }, query: 'from=2026-12-24&to=2026-12-28' }),
  readShippingZones: () => ({}),
  replaceShippingZones: async (world) => ({
    ...(await center(world)),
    body: { zones: [{ countryCode: 'US', zone: 4 }] },
  }),
  listShippingServices: () => ({}),
  testAddress: (world) => ({
    query: `productId=${world.service.manifest.fixtures.products.pod}&quantity=250&country=US&state=WA&postalCode=98101&city=Seattle&address1=1301%20Second%20Ave`,
  }),
  createShippingService: () => ({ body: newService() }),
  changeShippingService: async (world) => ({ ...(await service(world)), body: { enabled: false } }),
  readShippingRates: () => ({}),
  replaceShippingRates: async (world) => ({
    ...(await service(world)),
    body: {
      rates: [
        { upToOunces: '16', price: '8.40' },
        { upToOunces: '100', price: '14.90' },
      ],
    },
  }),
}

export const taxSamples: Samples = {
  readTaxes: () => ({}),
  replaceTaxes: ({ service: { manifest } }) => ({
    path: { siteId: manifest.sites.second },
    body: { taxes: [{ countryCode: 'US', stateCode: 'CA', percent: '7.25' }] },
  }),
}
