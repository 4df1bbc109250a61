import { Type } from 'typebox'
import {
  bodyObject,
  decimal,
  described,
  flag,
  int32,
  nullable,
  oneOf,
  patchBody,
  record,
  text,
  textUpTo,
  whole,
} from '../../contract/fields.ts'
import { closedDaysMax } from '../../platform/shipping/fulfilment-centers.ts'
import { ratesMax } from '../../platform/shipping/rate-tables.ts'
import { zoneNumberMax, zonesMax } from '../../platform/shipping/zone-tables.ts'
import { staffOperation, staffSubject } from '../operation.ts'

const cutOffSays =
  "hour of the local day by which that day's goods have left; orders from then on count as the next day's"
const closedDaysSays = 'days on which it does not work, beside weekends and public holidays, such as 2026-12-24'

const CenterView = record('FulfilmentCenter', {
  fulfilmentCenterId: int32,
  name: text,
  countryCode: text,
  stateCode: described(text, 'empty where the country has no states'),
  postalCode: text,
  priceable: described(flag, 'false = shipments from here cannot be priced'),
  timeZone: described(text, 'IANA name'),
  cutOffHour: described(whole, cutOffSays),
  closedDays: Type.Array(text, { description: closedDaysSays }),
})

const ServiceView = record('ShippingService', {
  shippingServiceId: int32,
  siteId: int32,
  kind: oneOf(['CARRIER', 'CUSTOM']),
  provider: text,
  serviceName: text,
  enabled: flag,
  isDefault: flag,
  markupPercent: decimal,
  transitBusinessDaysMin: whole,
  transitBusinessDaysMax: whole,
  sequence: Type.Integer(),
  trackingUrlForm: nullable(text),
})

const zoneNumber = Type.Integer({ minimum: 1, maximum: zoneNumberMax })
const Zones = record('ShippingZones', {
  zones: Type.Array(
    record('ShippingZone', {
      countryCode: text,
      stateCode: nullable(text),
      postalPrefix: nullable(text),
      zone: whole,
    }),
  ),
})
const Rates = record('ShippingRates', {
  rates: Type.Array(record('ShippingRate', { zone: nullable(whole), upToOunces: decimal, price: decimal })),
})

const center = {
  name: textUpTo(200),
  countryCode: textUpTo(2),
  stateCode: described(textUpTo(50), 'empty where the country has no states'),
  postalCode: textUpTo(20),
  priceable: flag,
  timeZone: described(textUpTo(100), 'IANA name'),
}
const cutOffHour = Type.Optional(described(Type.Integer({ minimum: 1, maximum: 23 }), `${cutOffSays}; default 14`))
const days = Type.Integer({ minimum: 0, maximum: 365 })
const service = {
  kind: oneOf(['CARRIER', 'CUSTOM']),
  provider: textUpTo(100),
  serviceName: described(textUpTo(100), 'unique for the provider on the site'),
  transitBusinessDaysMin: days,
  transitBusinessDaysMax: days,
}
const serviceOptions = {
  enabled: Type.Optional(flag),
  isDefault: Type.Optional(described(flag, 'true = replaces the former default')),
  markupPercent: Type.Optional(Type.String({ maxLength: 20, description: 'added to the rate' })),
  sequence: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  trackingUrlForm: Type.Optional(nullable(described(textUpTo(500), 'https, with {trackingNumber} in it'))),
}
const largeTable = 4_194_304

export const shipping = staffSubject({
  name: 'Shipping',
  says:
    'Fulfilment centers, the zones around them, and the delivery services of sites with their rates. ' +
    'A change applies to the next quote and order.',
  problems: {
    site_not_found: [404, 'No such site.'],
    fulfilment_center_not_found: [404, 'No such fulfilment center.'],
    service_not_found: [404, 'The site has no such service.'],
    service_name_taken: [409, 'The site already has a service of this provider with this name.'],
    closed_days_not_usable: [422, 'A closed day is not usable.'],
    fulfilment_center_not_usable: [422, 'A field of the fulfilment center is not usable.'],
    zones_not_usable: [422, 'A zone is not usable.'],
    service_not_usable: [422, 'A field of the service is not usable.'],
    default_disabled: [422, 'A disabled service cannot be the default.'],
    rates_not_usable: [422, 'A rate is not usable.'],
  },
  operations: {
    listFulfilmentCenters: staffOperation({
      id: 'listFulfilmentCenters',
      at: 'GET /staff/v1/{environment}/fulfilment-centers',
      permission: 'shipping:read',
      answers: { 200: record('FulfilmentCenters', { fulfilmentCenters: Type.Array(CenterView) }) },
      refuses: [],
      says: 'Lists the fulfilment centers.',
    }),
    createFulfilmentCenter: staffOperation({
      id: 'createFulfilmentCenter',
      at: 'POST /staff/v1/{environment}/fulfilment-centers',
      permission: 'shipping:write',
      body: { schema: bodyObject({ ...center, priceable: Type.Optional(flag), cutOffHour }) },
      answers: { 201: CenterView },
      refuses: ['fulfilment_center_not_usable'],
      says: 'Adds a fulfilment center. It serves no region until it has zones.',
    }),
    changeFulfilmentCenter: staffOperation({
      id: 'changeFulfilmentCenter',
      at: 'PATCH /staff/v1/{environment}/fulfilment-centers/{fulfilmentCenterId}',
      revises: 'listFulfilmentCenters',
      permission: 'shipping:write',
      body: {
        schema: patchBody({
          name: Type.Optional(center.name),
          countryCode: Type.Optional(center.countryCode),
          stateCode: Type.Optional(center.stateCode),
          postalCode: Type.Optional(center.postalCode),
          priceable: Type.Optional(flag),
          timeZone: Type.Optional(center.timeZone),
          cutOffHour,
        }),
      },
      answers: { 200: CenterView },
      refuses: ['fulfilment_center_not_found', 'fulfilment_center_not_usable'],
      says: 'Changes some fields of a fulfilment center.',
    }),
    replaceClosedDays: staffOperation({
      id: 'replaceClosedDays',
      at: 'PUT /staff/v1/{environment}/fulfilment-centers/{fulfilmentCenterId}/closed-days',
      revises: 'listFulfilmentCenters',
      permission: 'shipping:write',
      body: {
        schema: bodyObject({
          closedDays: Type.Array(textUpTo(10), { maxItems: closedDaysMax, description: closedDaysSays }),
        }),
        example: { closedDays: ['2026-12-24', '2026-12-31'] },
      },
      answers: { 200: CenterView },
      refuses: ['fulfilment_center_not_found', 'closed_days_not_usable'],
      says: 'Replaces the days on which a fulfilment center does not work. The dates of later orders count without them.',
    }),
    readShippingZones: staffOperation({
      id: 'readShippingZones',
      at: 'GET /staff/v1/{environment}/fulfilment-centers/{fulfilmentCenterId}/zones',
      permission: 'shipping:read',
      answers: { 200: Zones },
      refuses: ['fulfilment_center_not_found'],
      says: 'Shows the zones around a fulfilment center.',
    }),
    replaceShippingZones: staffOperation({
      id: 'replaceShippingZones',
      at: 'PUT /staff/v1/{environment}/fulfilment-centers/{fulfilmentCenterId}/zones',
      revises: 'readShippingZones',
      permission: 'shipping:write',
      body: {
        schema: bodyObject({
          zones: Type.Array(
            bodyObject({
              countryCode: textUpTo(2),
              stateCode: Type.Optional(nullable(textUpTo(50))),
              postalPrefix: Type.Optional(nullable(textUpTo(20))),
              zone: zoneNumber,
            }),
            { maxItems: zonesMax, description: 'the most specific region wins; regions without a zone are not served' },
          ),
        }),
        bytesMax: largeTable,
      },
      answers: { 200: Zones },
      refuses: ['zones_not_usable', 'fulfilment_center_not_found'],
      says: 'Replaces all zones around a fulfilment center.',
    }),
    listShippingServices: staffOperation({
      id: 'listShippingServices',
      at: 'GET /staff/v1/{environment}/sites/{siteId}/shipping-services',
      permission: 'shipping:read',
      answers: { 200: record('ShippingServices', { services: Type.Array(ServiceView) }) },
      refuses: ['site_not_found'],
      says: 'Lists the delivery services of a site in their sequence.',
    }),
    createShippingService: staffOperation({
      id: 'createShippingService',
      at: 'POST /staff/v1/{environment}/sites/{siteId}/shipping-services',
      permission: 'shipping:write',
      body: { schema: bodyObject({ ...service, ...serviceOptions }) },
      answers: { 201: ServiceView },
      refuses: ['site_not_found', 'service_not_usable', 'default_disabled', 'service_name_taken'],
      says: 'Adds a service to a site. It cannot be priced until it has rates.',
    }),
    changeShippingService: staffOperation({
      id: 'changeShippingService',
      at: 'PATCH /staff/v1/{environment}/sites/{siteId}/shipping-services/{shippingServiceId}',
      revises: 'listShippingServices',
      permission: 'shipping:write',
      body: {
        schema: patchBody({
          kind: Type.Optional(service.kind),
          provider: Type.Optional(service.provider),
          serviceName: Type.Optional(service.serviceName),
          transitBusinessDaysMin: Type.Optional(days),
          transitBusinessDaysMax: Type.Optional(days),
          ...serviceOptions,
        }),
      },
      answers: { 200: ServiceView },
      refuses: ['site_not_found', 'service_not_found', 'service_not_usable', 'default_disabled', 'service_name_taken'],
      says: 'Changes some fields of a service. A disabled service is not offered.',
    }),
    readShippingRates: staffOperation({
      id: 'readShippingRates',
      at: 'GET /staff/v1/{environment}/sites/{siteId}/shipping-services/{shippingServiceId}/rates',
      permission: 'shipping:read',
      answers: { 200: Rates },
      refuses: ['service_not_found'],
      says: 'Shows the rates of a service by zone and weight.',
    }),
    replaceShippingRates: staffOperation({
      id: 'replaceShippingRates',
      at: 'PUT /staff/v1/{environment}/sites/{siteId}/shipping-services/{shippingServiceId}/rates',
      revises: 'readShippingRates',
      permission: 'shipping:write',
      body: {
        schema: bodyObject({
          rates: Type.Array(
            bodyObject({
              zone: Type.Optional(nullable(described(zoneNumber, 'left out = for zones without rates of their own'))),
              upToOunces: Type.String({ maxLength: 20 }),
              price: Type.String({ maxLength: 20, description: "in the site's currency" }),
            }),
            { maxItems: ratesMax, description: 'weights ascending within each zone' },
          ),
        }),
        bytesMax: largeTable,
      },
      answers: { 200: Rates },
      refuses: ['service_not_found', 'rates_not_usable'],
      says: 'Replaces the whole rate table of a service.',
    }),
  },
})
