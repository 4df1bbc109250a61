import { Type, type TInteger, type TOptional } from 'typebox'
import {
  bodyObject,
  decimal,
  described,
  flag,
  instant,
  int32,
  nullable,
  oneOf,
  patchBody,
  record,
  text,
  textUpTo,
  whole,
} from '../../contract/fields.ts'
import { flagFilter, type Parameter } from '../../contract/parameters.ts'
import { daysMax, isDay } from '../../platform/shipping/fulfilment-centers.ts'
import { lineQuantityMax } from '../../platform/catalog/quantity-rules.ts'
import { ratesMax } from '../../platform/shipping/rate-tables.ts'
import { zoneNumberMax, zonesMax } from '../../platform/shipping/zone-tables.ts'
import { type Weekday, weekdays } from '../../vocabulary/weekdays.ts'
import { readWholeNumber } from '../../vocabulary/whole-number.ts'
import { staffPathParameters } from '../parameters.ts'
import { staffOperation, staffSubject } from '../operation.ts'

const cutOffSays =
  "hour of the local day by which that day's goods have left; orders from then on count as the next day's"
const closedDaysSays = 'days on which it does not work, beside free weekdays and public holidays, such as 2026-12-24'
const workingDaysSays = 'days on which it works, though they are a free weekday or a public holiday, such as 2026-12-26'
const workingWeekdays = nullable(
  Type.Array(oneOf(weekdays), {
    maxItems: 7,
    description: 'the weekdays on which it works; null = those that are usual in its country',
  }),
)
const cutOffHours = described(
  bodyObject(
    Object.fromEntries(
      weekdays.map((weekday) => [weekday, Type.Optional(Type.Integer({ minimum: 1, maximum: 23 }))]),
    ) as Record<Weekday, TOptional<TInteger>>,
  ),
  'of the weekdays that have another cut-off hour',
)

const archivedOn = nullable(described(instant, 'null = it is not archived'))
const archivedFilter = flagFilter('invalid_request', 'true = only archived ones; left out = all others')

const addressSays =
  'what labels of carriers need of the sender; null = no label can be bought for what leaves from here'

const CenterView = record('FulfilmentCenter', {
  fulfilmentCenterId: int32,
  name: text,
  countryCode: text,
  stateCode: described(text, 'empty where the country has no states'),
  postalCode: text,
  address: nullable(
    described(
      record('CenterAddress', { address1: text, address2: nullable(text), city: text, phone: nullable(text) }),
      addressSays,
    ),
  ),
  priceable: described(flag, 'false = shipments from here cannot be priced'),
  timeZone: described(text, 'IANA name'),
  cutOffHour: described(whole, cutOffSays),
  cutOffHours,
  workingWeekdays,
  closedDays: Type.Array(text, { description: closedDaysSays }),
  workingDays: Type.Array(text, { description: workingDaysSays }),
  archivedOn,
})

const CalendarView = record('WorkingCalendar', {
  timeZone: described(text, 'IANA name, in which its days begin'),
  days: Type.Array(
    record('CalendarDay', {
      day: described(text, 'such as 2026-12-24'),
      weekday: oneOf(weekdays),
      works: described(flag, 'whether it works on that day'),
      why: described(
        oneOf(['USUAL', 'FREE_WEEKDAY', 'PUBLIC_HOLIDAY', 'CLOSED_DAY', 'WORKING_DAY']),
        'USUAL and WORKING_DAY are worked on; WORKING_DAY and CLOSED_DAY are what staff said of the day',
      ),
      holiday: nullable(described(text, 'its name, also where the center works on it; null = none')),
      cutOffHour: nullable(described(whole, 'null = it does not work')),
    }),
  ),
})

const dayFilter = (says: string): Parameter<string> => ({
  schema: Type.String({ format: 'date' }),
  read: (value) => (isDay(value) ? value : undefined),
  malformed: 'invalid_request',
  says,
  form: 'a day such as 2026-12-24',
})

const carrierServiceSays =
  'what this service of a carrier costs is the rate, such as USPS:GroundAdvantage; null = the rate table of the service'

const ServiceView = record('ShippingService', {
  shippingServiceId: int32,
  siteId: int32,
  kind: oneOf(['CARRIER', 'CUSTOM']),
  provider: text,
  serviceName: text,
  enabled: flag,
  isDefault: flag,
  carrierService: nullable(described(text, carrierServiceSays)),
  markupPercent: decimal,
  transitBusinessDaysMin: whole,
  transitBusinessDaysMax: whole,
  sequence: Type.Integer(),
  trackingUrlForm: nullable(text),
  archivedOn,
})

const quantity: Parameter<number> & { fallback: number } = {
  schema: Type.Integer({ minimum: 1, maximum: lineQuantityMax }),
  read: (value) => readWholeNumber(value, { digitsMax: 9 }),
  malformed: 'invalid_request',
  says: '',
  form: 'a positive whole number of at most nine digits',
  fallback: 1,
}

const addressText = (says: string): Parameter<string> => ({
  schema: Type.String({ minLength: 1, maxLength: 200 }),
  read: (value) => (value.trim() === '' || value.length > 200 ? undefined : value),
  malformed: 'invalid_request',
  says,
  form: 'a text of at most 200 characters',
})

const AddressTest = record('AddressTest', {
  problems: Type.Array(text, { description: 'what keeps every service from it, such as a wrong postal code' }),
  services: Type.Array(
    record('AddressTestService', {
      shippingServiceId: int32,
      provider: text,
      serviceName: text,
      isDefault: flag,
      delivers: described(flag, 'false = it cannot be priced there; an order that asks for it goes by the default'),
      shippingTotal: nullable(decimal),
      taxTotal: nullable(described(decimal, 'on goods, handling and delivery')),
      totalPrice: nullable(decimal),
      currency: nullable(text),
      estimatedShipBy: nullable(instant),
      estimatedDeliveryFrom: nullable(instant),
      estimatedDeliveryTo: nullable(instant),
    }),
  ),
  carrierOffers: Type.Array(
    record('CarrierOffer', {
      carrierService: described(text, 'what a service names to be priced by it'),
      price: decimal,
      currency: text,
      businessDays: nullable(described(whole, 'on the way; null = not told')),
    }),
    { description: 'what carriers charge for this parcel, cheapest first; empty without an account at carriers' },
  ),
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
const centerAddress = Type.Optional(
  nullable(
    described(
      bodyObject({
        address1: textUpTo(100),
        address2: Type.Optional(nullable(textUpTo(100))),
        city: textUpTo(100),
        phone: Type.Optional(nullable(described(textUpTo(30), 'some carriers ask for it'))),
      }),
      addressSays,
    ),
  ),
)
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
  carrierService: Type.Optional(nullable(described(textUpTo(200), carrierServiceSays))),
  markupPercent: Type.Optional(Type.String({ maxLength: 20, description: 'added to the rate' })),
  sequence: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  trackingUrlForm: Type.Optional(nullable(described(textUpTo(500), 'https, with {trackingNumber} in it'))),
}
export const serviceFields = { ...service, ...serviceOptions }

const zoneRows = Type.Array(
  bodyObject({
    countryCode: textUpTo(2),
    stateCode: Type.Optional(nullable(textUpTo(50))),
    postalPrefix: Type.Optional(nullable(textUpTo(20))),
    zone: zoneNumber,
  }),
  { maxItems: zonesMax, description: 'the most specific region wins; regions without a zone are not served' },
)

export const rateRows = Type.Array(
  bodyObject({
    zone: Type.Optional(nullable(described(zoneNumber, 'left out = for zones without rates of their own'))),
    upToOunces: Type.String({ maxLength: 20 }),
    price: Type.String({ maxLength: 20, description: "in the site's currency" }),
  }),
  { maxItems: ratesMax, description: 'weights ascending within each zone' },
)

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
    no_ordering_user: [409, 'The site has no user for whom partners order. Name one first.'],
    carriers_not_set_up: [409, 'The operator has set up no account at carriers, so only rate tables price services.'],
    service_name_taken: [409, 'The site already has a service of this provider with this name.'],
    in_use: [409, 'Other records name it.'],
    products_made_here: [409, 'Active products are made there.'],
    closed_days_not_usable: [422, 'A closed day is not usable.'],
    working_days_not_usable: [422, 'A working day is not usable.'],
    calendar_too_long: [422, 'The days run from `from` to `to`, which is not earlier and at most 400 days later.'],
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
      query: { archived: archivedFilter },
      answers: { 200: record('FulfilmentCenters', { fulfilmentCenters: Type.Array(CenterView) }) },
      refuses: [],
      says: 'Lists the fulfilment centers; archived ones only when asked for.',
    }),
    createFulfilmentCenter: staffOperation({
      id: 'createFulfilmentCenter',
      at: 'POST /staff/v1/{environment}/fulfilment-centers',
      permission: 'shipping:write',
      body: {
        schema: bodyObject({
          ...center,
          address: centerAddress,
          priceable: Type.Optional(flag),
          cutOffHour,
          cutOffHours: Type.Optional(cutOffHours),
          workingWeekdays: Type.Optional(workingWeekdays),
          zones: Type.Optional(zoneRows),
        }),
        bytesMax: largeTable,
      },
      answers: { 201: CenterView },
      refuses: ['fulfilment_center_not_usable', 'zones_not_usable', 'fulfilment_center_not_found'],
      says: 'Adds a fulfilment center, with the zones around it if they are sent. It serves no region until it has zones.',
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
          address: centerAddress,
          priceable: Type.Optional(flag),
          timeZone: Type.Optional(center.timeZone),
          cutOffHour,
          cutOffHours: Type.Optional(cutOffHours),
          workingWeekdays: Type.Optional(workingWeekdays),
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
          closedDays: Type.Array(textUpTo(10), { maxItems: daysMax, description: closedDaysSays }),
        }),
        example: { closedDays: ['2026-12-24', '2026-12-31'] },
      },
      answers: { 200: CenterView },
      refuses: ['fulfilment_center_not_found', 'closed_days_not_usable'],
      says: 'Replaces the days on which a fulfilment center does not work. The dates of later orders count without them.',
    }),
    deleteFulfilmentCenter: staffOperation({
      id: 'deleteFulfilmentCenter',
      at: 'POST /staff/v1/{environment}/fulfilment-centers/{fulfilmentCenterId}/delete',
      permission: 'shipping:write',
      answers: { 200: record('DeletedFulfilmentCenter', { fulfilmentCenterId: int32 }) },
      refuses: ['fulfilment_center_not_found', 'in_use'],
      says: 'Deletes a fulfilment center that no product, order line or shipment names, with its zones.',
    }),
    archiveFulfilmentCenter: staffOperation({
      id: 'archiveFulfilmentCenter',
      at: 'POST /staff/v1/{environment}/fulfilment-centers/{fulfilmentCenterId}/archive',
      permission: 'shipping:write',
      answers: { 200: CenterView },
      refuses: ['fulfilment_center_not_found', 'products_made_here'],
      says: 'Takes a fulfilment center out of use, once no active product is made there.',
    }),
    restoreFulfilmentCenter: staffOperation({
      id: 'restoreFulfilmentCenter',
      at: 'POST /staff/v1/{environment}/fulfilment-centers/{fulfilmentCenterId}/restore',
      permission: 'shipping:write',
      answers: { 200: CenterView },
      refuses: ['fulfilment_center_not_found', 'products_made_here'],
      says: 'Brings an archived fulfilment center back.',
    }),
    replaceWorkingDays: staffOperation({
      id: 'replaceWorkingDays',
      at: 'PUT /staff/v1/{environment}/fulfilment-centers/{fulfilmentCenterId}/working-days',
      revises: 'listFulfilmentCenters',
      permission: 'shipping:write',
      body: {
        schema: bodyObject({
          workingDays: Type.Array(textUpTo(10), { maxItems: daysMax, description: workingDaysSays }),
        }),
      },
      answers: { 200: CenterView },
      refuses: ['fulfilment_center_not_found', 'working_days_not_usable'],
      says: 'Replaces the free weekdays and public holidays on which a fulfilment center works all the same.',
    }),
    readWorkingCalendar: staffOperation({
      id: 'readWorkingCalendar',
      at: 'GET /staff/v1/{environment}/fulfilment-centers/{fulfilmentCenterId}/calendar',
      permission: 'shipping:read',
      query: {
        from: dayFilter('the first day; left out = today there'),
        to: dayFilter('the last day; left out = eight weeks after the first'),
      },
      answers: { 200: CalendarView },
      refuses: ['fulfilment_center_not_found', 'calendar_too_long'],
      says: 'Lists days with whether a fulfilment center works on them, until when, and why.',
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
          zones: zoneRows,
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
      query: { archived: archivedFilter },
      answers: { 200: record('ShippingServices', { services: Type.Array(ServiceView) }) },
      refuses: ['site_not_found'],
      says: 'Lists the delivery services of a site in their sequence; archived ones only when asked for.',
    }),
    testAddress: staffOperation({
      id: 'testAddress',
      at: 'GET /staff/v1/{environment}/sites/{siteId}/address-test',
      permission: 'prices:read',
      query: {
        productId: { ...staffPathParameters.productId, says: 'what is sent there' },
        variantId: { ...staffPathParameters.variantId, says: 'a choice of the product; a STOCK product needs one' },
        quantity: { ...quantity, says: 'how many pieces' },
        country: addressText('the country, an ISO 3166-1 alpha-2 code'),
        state: addressText('the code of the state, where the country has states'),
        postalCode: addressText('the postal code'),
        city: addressText('the city; a tax service may need it'),
        address1: addressText('street and number; a tax service may need it'),
      },
      queryRules: [
        {
          code: 'invalid_request',
          broken: ({ productId, country, postalCode }: Partial<Record<string, unknown>>) =>
            productId === undefined || country === undefined || postalCode === undefined,
          detail: 'The query parameters productId, country and postalCode are required.',
        },
      ],
      answers: { 200: AddressTest },
      refuses: ['site_not_found', 'no_ordering_user'],
      says: "Shows by which services goods can be sent to an address, at what price and tax and for which day, by the rules that place orders. Carriers' own offers are listed where the operator has an account at carriers.",
    }),
    createShippingService: staffOperation({
      id: 'createShippingService',
      at: 'POST /staff/v1/{environment}/sites/{siteId}/shipping-services',
      permission: 'shipping:write',
      body: { schema: bodyObject(serviceFields) },
      answers: { 201: ServiceView },
      refuses: [
        'site_not_found',
        'carriers_not_set_up',
        'service_not_usable',
        'default_disabled',
        'service_name_taken',
      ],
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
      refuses: [
        'site_not_found',
        'service_not_found',
        'carriers_not_set_up',
        'service_not_usable',
        'default_disabled',
        'service_name_taken',
      ],
      says: 'Changes some fields of a service. A disabled service is not offered.',
    }),
    deleteShippingService: staffOperation({
      id: 'deleteShippingService',
      at: 'POST /staff/v1/{environment}/sites/{siteId}/shipping-services/{shippingServiceId}/delete',
      permission: 'shipping:write',
      answers: { 200: record('DeletedShippingService', { shippingServiceId: int32 }) },
      refuses: ['service_not_found', 'in_use'],
      says: 'Deletes a service that no order or shipment names, with its rates.',
    }),
    archiveShippingService: staffOperation({
      id: 'archiveShippingService',
      at: 'POST /staff/v1/{environment}/sites/{siteId}/shipping-services/{shippingServiceId}/archive',
      permission: 'shipping:write',
      answers: { 200: ServiceView },
      refuses: ['service_not_found'],
      says: 'Takes a service out of use for good: it is disabled, no longer the default, and lists leave it out.',
    }),
    restoreShippingService: staffOperation({
      id: 'restoreShippingService',
      at: 'POST /staff/v1/{environment}/sites/{siteId}/shipping-services/{shippingServiceId}/restore',
      permission: 'shipping:write',
      answers: { 200: ServiceView },
      refuses: ['service_not_found'],
      says: 'Brings an archived service back. It stays disabled until it is enabled.',
    }),
    readShippingRates: staffOperation({
      id: 'readShippingRates',
      at: 'GET /staff/v1/{environment}/sites/{siteId}/shipping-services/{shippingServiceId}/rates',
      permission: 'prices:read',
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
          rates: rateRows,
        }),
        bytesMax: largeTable,
      },
      answers: { 200: Rates },
      refuses: ['service_not_found', 'rates_not_usable'],
      says: 'Replaces the whole rate table of a service.',
    }),
  },
})
