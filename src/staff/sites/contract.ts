import { Type } from 'typebox'
import {
  bodyObject,
  described,
  flag,
  idInBody,
  instant,
  int32,
  nullable,
  oneOf,
  pageOf,
  patchBody,
  record,
  text,
  textUpTo,
} from '../../contract/fields.ts'
import { paged } from '../../contract/parameters.ts'
import { taxSources } from '../../platform/sites/site-settings.ts'
import { staffOperation, staffSubject } from '../operation.ts'
import { rateRows, serviceFields, shipping } from '../shipping/contract.ts'
import { tax, taxRows } from '../tax/contract.ts'

const taxBy = described(
  oneOf(taxSources),
  'TABLES = the tax tables of the site; SERVICE = the tax service that the operator has set up',
)

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
  taxBy,
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
    user_not_usable: [422, 'A field of the user is not usable.'],
    tax_service_not_set_up: [409, 'The operator has set up no tax service, so only tables tax the site.'],
    carriers_not_set_up: shipping.problems.carriers_not_set_up,
    taxes_not_usable: tax.problems.taxes_not_usable,
    service_name_taken: shipping.problems.service_name_taken,
    service_not_usable: shipping.problems.service_not_usable,
    default_disabled: shipping.problems.default_disabled,
    rates_not_usable: shipping.problems.rates_not_usable,
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
      body: {
        schema: bodyObject({
          ...given,
          storesDivisionAddresses: Type.Optional(flag),
          taxBy: Type.Optional(taxBy),
          orderingUser: Type.Optional(
            described(
              bodyObject({
                username: textUpTo(100),
                email: textUpTo(254),
                firstName: textUpTo(100),
                lastName: textUpTo(100),
              }),
              'the user for whom partners order; it is created',
            ),
          ),
          taxes: Type.Optional(taxRows),
          shippingServices: Type.Optional(
            Type.Array(bodyObject({ ...serviceFields, rates: Type.Optional(rateRows) }), { maxItems: 50 }),
          ),
        }),
        bytesMax: 4_194_304,
      },
      answers: { 201: SiteView },
      refuses: [
        'tax_service_not_set_up',
        'carriers_not_set_up',
        'site_not_usable',
        'user_not_usable',
        'taxes_not_usable',
        'service_not_usable',
        'service_name_taken',
        'default_disabled',
        'rates_not_usable',
        'not_permitted',
      ],
      says: 'Creates an active site, with its ordering user, taxes and delivery services if they are sent: all of it, or nothing. Taxes and services take the permissions that their own operations take. Grant the site to partners under Partners.',
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
          taxBy: Type.Optional(taxBy),
        }),
      },
      answers: { 200: SiteView },
      refuses: ['tax_service_not_set_up', 'site_not_found', 'site_not_usable', 'currency_fixed'],
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
