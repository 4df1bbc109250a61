import type { Samples } from '../samples.ts'

let count = 0

export function newSite() {
  return {
    name: `Sample ${++count}`,
    url: `https://sample-${count}.example`,
    currency: 'USD',
    countryCode: 'US',
    timeZone: 'America/Chicago',
    supplierCode: 'SAMPLE',
  }
}

export const siteSamples: Samples = {
  listSites: () => ({}),
  createSite: () => ({ body: newSite() }),
  readSite: () => ({}),
  changeSite: () => ({ body: { name: 'Renamed' } }),
  setOrderingUser: ({ service }) => ({ body: { userId: service.manifest.fixtures.users.plain } }),
}
