import { described, flag, int32, pageOf, record, text } from '../../contract/fields.ts'
import { operation } from '../../contract/operation.ts'
import { paged } from '../../contract/parameters.ts'

export const Site = record('Site', {
  siteId: int32,
  name: text,
  url: text,
  currency: described(text, 'ISO 4217 code'),
  countryCode: described(text, 'ISO 3166-1 alpha-2 code'),
  timeZone: described(text, 'IANA name'),
  active: flag,
  orderingProvisioned: described(flag, 'false = orders are refused until staff name the ordering user of the site'),
  storesDivisionAddresses: described(flag, 'true = this API cannot create divisions of the site'),
  searchAvailable: described(flag, 'true = the products can be searched with q'),
})

export const sites = {
  listSites: operation({
    id: 'listSites',
    at: 'GET /v1/sites',
    scope: 'sites:read',
    query: paged({ default: 50, max: 200 }),
    collection: 'sites',
    answers: { 200: pageOf('SitePage', 'sites', Site) },
    refuses: [],
    says: 'Lists the sites granted to you.',
  }),
}
