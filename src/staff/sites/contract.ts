import { Type } from 'typebox'
import {
  bodyObject,
  described,
  flag,
  idInBody,
  instant,
  int32,
  nullable,
  pageOf,
  patchBody,
  record,
  text,
  textUpTo,
} from '../../contract/fields.ts'
import { paged } from '../../contract/parameters.ts'
import { staffOperation, staffSubject } from '../operation.ts'

export const SiteView = record('StaffSite', {
  siteId: int32,
  name: text,
  url: text,
  currency: described(text, 'ISO 4217 code'),
  countryCode: described(text, 'ISO 3166-1 alpha-2 code'),
  timeZone: described(text, 'IANA name'),
  supplierCode: text,
  active: flag,
  storesDivisionAddresses: described(flag, 'true = partners cannot create its divisions'),
  orderingUserId: nullable(described(int32, 'the user for whom partners order; null = their orders are refused')),
  orderingUser: nullable(
    record('OrderingUser', {
      userId: int32,
      username: nullable(text),
      email: nullable(text),
      firstName: nullable(text),
      lastName: nullable(text),
      divisionId: nullable(described(int32, 'the division whose credit pays for their orders, after the own credit')),
    }),
  ),
  createdOn: instant,
  updatedOn: instant,
})

const given = {
  name: textUpTo(400),
  url: described(textUpTo(500), 'http or https and a host'),
  currency: described(textUpTo(3), 'ISO 4217 code'),
  countryCode: described(textUpTo(2), 'ISO 3166-1 alpha-2 code'),
  timeZone: described(textUpTo(100), 'IANA name'),
  supplierCode: textUpTo(50),
}

export const sites = staffSubject({
  name: 'Sites',
  says: 'Storefront sites, and the user for whom partners order there.',
  problems: {
    site_not_found: [404, 'No such site.'],
    currency_fixed: [409, 'The currency cannot change: the site has products, delivery services or credit in it.'],
    user_inactive: [409, 'The user is not active.'],
    site_not_usable: [422, 'A setting of the site is not usable.'],
    user_not_on_site: [422, 'The site has no such user.'],
  },
  operations: {
    listSites: staffOperation({
      id: 'listSites',
      at: 'GET /staff/v1/{environment}/sites',
      permission: 'sites:read',
      query: paged({ default: 50, max: 200 }),
      collection: 'sites',
      answers: { 200: pageOf('StaffSitePage', 'sites', SiteView) },
      refuses: [],
      says: 'Lists all sites by id.',
    }),
    createSite: staffOperation({
      id: 'createSite',
      at: 'POST /staff/v1/{environment}/sites',
      permission: 'sites:write',
      body: { schema: bodyObject({ ...given, storesDivisionAddresses: Type.Optional(flag) }) },
      answers: { 201: SiteView },
      refuses: ['site_not_usable'],
      says: 'Creates an active site without an ordering user. Grant it to partners under Partners.',
    }),
    readSite: staffOperation({
      id: 'readSite',
      at: 'GET /staff/v1/{environment}/sites/{siteId}',
      permission: 'sites:read',
      answers: { 200: SiteView },
      refuses: ['site_not_found'],
      says: 'Shows a site.',
    }),
    changeSite: staffOperation({
      id: 'changeSite',
      at: 'PATCH /staff/v1/{environment}/sites/{siteId}',
      revises: 'readSite',
      permission: 'sites:write',
      body: {
        schema: patchBody({
          name: Type.Optional(given.name),
          url: Type.Optional(given.url),
          currency: Type.Optional(given.currency),
          countryCode: Type.Optional(given.countryCode),
          timeZone: Type.Optional(given.timeZone),
          supplierCode: Type.Optional(given.supplierCode),
          active: Type.Optional(flag),
          storesDivisionAddresses: Type.Optional(flag),
        }),
      },
      answers: { 200: SiteView },
      refuses: ['site_not_found', 'site_not_usable', 'currency_fixed'],
      says: 'Changes some settings of a site. Its currency can change only while it has no products, services or credit.',
    }),
    setOrderingUser: staffOperation({
      id: 'setOrderingUser',
      at: 'PUT /staff/v1/{environment}/sites/{siteId}/ordering-user',
      revises: 'readSite',
      permission: 'sites:write',
      body: {
        schema: bodyObject({
          userId: nullable(described(idInBody, 'an active user of the site; null = partners cannot order there')),
        }),
      },
      answers: { 200: SiteView },
      refuses: ['site_not_found', 'user_not_on_site', 'user_inactive'],
      says: 'Sets the user for whom partners order on a site, or none.',
    }),
  },
})
