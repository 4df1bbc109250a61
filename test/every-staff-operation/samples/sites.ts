import { unique } from '../plain-names.ts'
import type { Samples } from '../samples.ts'

export function newSite() {
  return {
    name: unique('Larkspur Shop', ' '),
    url: 'https://shop.larkspur.example',
    currency: 'USD',
    countryCode: 'US',
    timeZone: 'America/Chicago',
    supplierCode: 'LARKSPUR',
  }
}

export const siteSamples: Samples = {
  listSites: () => ({}),
  createSite: () => ({
    body: {
      ...newSite(),
      orderingUser: {
        username: 'partner-orders',
        email: 'orders@larkspur.example',
        firstName: 'Partner',
        lastName: 'Orders',
      },
      taxes: [{ countryCode: 'US', stateCode: 'IL', percent: '6.25', shippingTaxed: true }],
      shippingServices: [
        {
          kind: 'CARRIER',
          provider: 'UPS',
          serviceName: 'Ground',
          isDefault: true,
          transitBusinessDaysMin: 2,
          transitBusinessDaysMax: 5,
          rates: [
            { upToOunces: '16', price: '7.90' },
            { upToOunces: '160', price: '14.50' },
          ],
        },
      ],
    },
  }),
  readSite: () => ({}),
  changeSite: () => ({ body: { name: 'Meridian Store' } }),
  setOrderingUser: ({ service }) => ({ body: { userId: service.manifest.fixtures.users.plain } }),
}
