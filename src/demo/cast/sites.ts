import type { Row } from '../../database/rows.ts'
import { tableTax, type TaxRate } from '../../platform/pricing/tax.ts'
import { pickRate, pickZone, type Zone } from '../../platform/shipping/rates.ts'
import type { ShippingService } from '../../platform/shipping/services.ts'
import { money, type Money } from '../../vocabulary/money.ts'
import { daysBefore } from '../calendar.ts'

/** The sites of the demo data, their fulfilment centers, and the prices of delivery and tax. */

export const sites = { main: 101, second: 102, foreign: 103, noOrdering: 104, divisionAddresses: 105 } as const

export type SiteKey = keyof typeof sites

/** By site id: what orders of the site are made of. */
export const siteFacts: ReadonlyMap<number, { key: SiteKey; currency: string; country: string; host: string }> =
  new Map([
    [sites.main, { key: 'main', currency: 'USD', country: 'US', host: 'meridian-print.example' }],
    [sites.second, { key: 'second', currency: 'USD', country: 'US', host: 'cascade-brands.example' }],
    [sites.foreign, { key: 'foreign', currency: 'GBP', country: 'GB', host: 'albion-stationers.example' }],
    [sites.noOrdering, { key: 'noOrdering', currency: 'USD', country: 'US', host: 'prairie-preview.example' }],
    [
      sites.divisionAddresses,
      { key: 'divisionAddresses', currency: 'USD', country: 'US', host: 'summit-supply.example' },
    ],
  ])

const titles: Record<SiteKey, { name: string; timeZone: string; supplierCode: string }> = {
  main: { name: 'Meridian Print Store', timeZone: 'America/New_York', supplierCode: 'MERIDIAN' },
  second: { name: 'Cascade Brand Shop', timeZone: 'America/Los_Angeles', supplierCode: 'CASCADE' },
  foreign: { name: 'Albion Stationers', timeZone: 'Europe/London', supplierCode: 'ALBION' },
  noOrdering: { name: 'Prairie Preview Store', timeZone: 'America/Chicago', supplierCode: 'PRAIRIE' },
  divisionAddresses: { name: 'Summit Franchise Supply', timeZone: 'America/Denver', supplierCode: 'SUMMIT' },
}

export function supplierCodeOf(siteId: number): string {
  return titles[siteFacts.get(siteId)!.key].supplierCode
}

/** The sites themselves; which user orders on them is set once there are users. */
export function siteRows(now: Date): Row[] {
  return [...siteFacts].map(([siteId, { key, currency, country, host }]) => ({
    siteId: siteId,
    name: titles[key].name,
    url: `https://${host}`,
    currency,
    countryCode: country,
    timeZone: titles[key].timeZone,
    supplierCode: titles[key].supplierCode,
    active: true,
    storesDivisionAddresses: key === 'divisionAddresses',
    taxBy: 'TABLES',
    createdOn: daysBefore(now, 1_100),
    updatedOn: daysBefore(now, 40),
  }))
}

export const centers = { east: 1, west: 2, britain: 3, unpriceable: 4 } as const

export const fulfilmentCenterRows: Row[] = [
  center(centers.east, 'Columbus fulfilment center', 'US', 'OH', '43004', 'America/New_York'),
  center(centers.west, 'Reno fulfilment center', 'US', 'NV', '89501', 'America/Los_Angeles'),
  center(centers.britain, 'Leeds fulfilment center', 'GB', 'ENG', 'LS1 4AP', 'Europe/London'),
  center(centers.unpriceable, 'Juneau engraving workshop', 'US', 'AK', '99801', 'America/Juneau', false),
]

function center(
  id: number,
  name: string,
  country: string,
  state: string,
  postalCode: string,
  timeZone: string,
  priceable = true,
): Row {
  return {
    fulfilmentCenterId: id,
    name,
    countryCode: country,
    stateCode: state,
    postalCode: postalCode,
    priceable,
    timeZone,
    cutOffHour: 14,
  }
}

const regions = {
  northeast: 'CT DC DE MA MD ME NH NJ NY PA RI VT',
  southeast: 'AL FL GA KY MS NC SC TN VA WV',
  midwest: 'IA IL IN MI MN MO ND NE OH SD WI KS',
  southCentral: 'AR LA OK TX',
  mountain: 'AZ CO ID MT NM NV UT WY',
  pacific: 'CA OR WA',
  remote: 'AK HI',
}

const zonesByCenter: Readonly<Record<number, Record<keyof typeof regions, number>>> = {
  [centers.east]: { midwest: 2, northeast: 3, southeast: 3, southCentral: 4, mountain: 5, pacific: 6, remote: 7 },
  [centers.west]: { mountain: 2, pacific: 2, southCentral: 4, midwest: 5, northeast: 6, southeast: 6, remote: 7 },
}

/** All US states, Canada and Britain are served, and nothing else. */
const shippingZones: readonly Zone[] = [
  ...Object.entries(zonesByCenter).flatMap(([id, zones]) => [
    ...Object.entries(regions).flatMap(([region, states]) =>
      states.split(' ').map((state) => served(Number(id), 'US', state, null, zones[region as keyof typeof regions])),
    ),
    served(Number(id), 'US', null, null, 7),
    served(Number(id), 'CA', null, null, 7),
    served(Number(id), 'GB', null, null, 8),
  ]),
  served(centers.east, 'US', 'NY', '100', 2),
  served(centers.britain, 'GB', null, null, 1),
  served(centers.britain, 'GB', null, 'BT', 3),
  served(centers.britain, 'US', null, null, 8),
  served(centers.britain, 'CA', null, null, 8),
]

function served(
  centerId: number,
  country: string,
  state: string | null,
  postalPrefix: string | null,
  number: number,
): Zone {
  return { fulfilmentCenterId: centerId, countryCode: country, stateCode: state, postalPrefix, zone: number }
}

export const shippingZoneRows: Row[] = shippingZones.map(
  ({ fulfilmentCenterId, countryCode, stateCode, postalPrefix, zone }) => ({
    fulfilmentCenterId: fulfilmentCenterId,
    countryCode: countryCode,
    stateCode: stateCode,
    postalPrefix: postalPrefix,
    zone,
  }),
)

type Service = {
  provider: string
  name: string
  kind: 'CARRIER' | 'CUSTOM'
  transit: readonly [min: number, max: number]
  enabled?: false
  markupPercent?: number
  /** in cents: for any parcel, for each zone, for each pound */
  rate: readonly [base: number, perZone: number, perPound: number]
  ouncesMax: number
}

const heaviestOunces = 5_000_000

const services: readonly Service[] = [
  {
    provider: 'Parcelway',
    name: 'Parcelway Ground',
    kind: 'CARRIER',
    transit: [2, 5],
    rate: [695, 60, 38],
    ouncesMax: heaviestOunces,
  },
  {
    provider: 'Parcelway',
    name: 'Parcelway 2nd Day Air',
    kind: 'CARRIER',
    transit: [2, 2],
    rate: [1495, 140, 115],
    ouncesMax: 80_000,
  },
  {
    provider: 'Parcelway',
    name: 'Parcelway Next Day Air',
    kind: 'CARRIER',
    transit: [1, 1],
    rate: [2895, 260, 210],
    ouncesMax: 80_000,
  },
  {
    provider: 'Swiftline',
    name: 'Swiftline Home',
    kind: 'CARRIER',
    transit: [2, 6],
    rate: [665, 55, 41],
    ouncesMax: 80_000,
  },
  {
    provider: 'Swiftline',
    name: 'Swiftline Express',
    kind: 'CARRIER',
    markupPercent: 10,
    transit: [1, 2],
    rate: [2450, 215, 180],
    ouncesMax: 80_000,
  },
  {
    provider: 'Swiftline',
    name: 'Swiftline Freight',
    kind: 'CARRIER',
    transit: [4, 9],
    enabled: false,
    rate: [9900, 900, 12],
    ouncesMax: heaviestOunces,
  },
  {
    provider: 'National Post',
    name: 'National Post Priority',
    kind: 'CARRIER',
    transit: [2, 4],
    rate: [820, 70, 62],
    ouncesMax: 1_120,
  },
  {
    provider: 'National Post',
    name: 'National Post Ground Saver',
    kind: 'CARRIER',
    transit: [3, 8],
    rate: [495, 45, 52],
    ouncesMax: 1_120,
  },
  { provider: 'Store', name: 'Will call', kind: 'CUSTOM', transit: [0, 1], rate: [0, 0, 0], ouncesMax: heaviestOunces },
  { provider: 'Store', name: 'Local courier', kind: 'CUSTOM', transit: [1, 1], rate: [1250, 0, 0], ouncesMax: 1_600 },
]

export type SiteService = ShippingService & { siteId: number }

/** Every site offers the same services; the first is its default. */
const shippingServices: readonly SiteService[] = [...siteFacts.keys()].flatMap((siteId, siteTurn) =>
  services.map(({ provider, name, kind, transit, markupPercent }, turn) => ({
    shippingServiceId: siteTurn * services.length + turn + 1,
    siteId,
    kind,
    provider,
    serviceName: name,
    isDefault: turn === 0,
    carrierService: null,
    markupPercent: money(markupPercent ?? 0),
    transitBusinessDaysMin: transit[0],
    transitBusinessDaysMax: transit[1],
    trackingUrlForm:
      kind === 'CARRIER'
        ? `https://track.${provider.toLowerCase().replace(' ', '-')}.example/parcels/{trackingNumber}`
        : null,
  })),
)

export function shippingServiceNamed(siteId: number, name: string): SiteService {
  return shippingServices.find((service) => service.siteId === siteId && service.serviceName === name)!
}

export const shippingServiceRows: Row[] = shippingServices.map((service, index) => ({
  shippingServiceId: service.shippingServiceId,
  siteId: service.siteId,
  kind: service.kind,
  provider: service.provider,
  serviceName: service.serviceName,
  enabled: services[index % services.length]!.enabled ?? true,
  isDefault: service.isDefault,
  markupPercent: service.markupPercent.toString(),
  transitBusinessDaysMin: service.transitBusinessDaysMin,
  transitBusinessDaysMax: service.transitBusinessDaysMax,
  sequence: (index % services.length) + 1,
  trackingUrlForm: service.trackingUrlForm,
}))

const weightSteps = [8, 16, 32, 80, 160, 480, 1_120, 1_600, 8_000, 80_000, 800_000, heaviestOunces]
const zones = [1, 2, 3, 4, 5, 6, 7, 8]

type ServiceRate = { shippingServiceId: number; zone: number | null; upToOunces: Money; price: Money }

const shippingRates: readonly ServiceRate[] = shippingServices.flatMap(({ shippingServiceId }, index) => {
  const { kind, rate, ouncesMax } = services[index % services.length]!
  const rateOf = (zone: number | null, ounces: number, cents: number): ServiceRate => ({
    shippingServiceId,
    zone,
    upToOunces: money(ounces),
    price: money(cents).times('0.01'),
  })
  if (kind === 'CUSTOM') return [rateOf(null, ouncesMax, rate[0])]
  const steps = weightSteps.filter((ounces) => ounces <= ouncesMax)
  return zones.flatMap((zone) =>
    steps.map((ounces) => rateOf(zone, ounces, rate[0] + rate[1] * zone + Math.ceil((rate[2] * ounces) / 16))),
  )
})

export const shippingRateRows: Row[] = shippingRates.map((rate) => ({
  shippingServiceId: rate.shippingServiceId,
  zone: rate.zone,
  upToOunces: rate.upToOunces.toFixed(),
  price: rate.price.toFixed(2),
}))

const ratesByService = Map.groupBy(shippingRates, (rate) => rate.shippingServiceId)

/**
 * The price of a parcel from a fulfilment center by a service, without markup; null = no price. It equals the
 * platform's price, so that orders of the demo data cost what a quote says.
 */
export function deliveryPrice(
  service: SiteService,
  centerId: number,
  place: { country: string; state: string; postalCode: string },
  weightOunces: Money,
): Money | null {
  const zone = pickZone(shippingZones, {
    fulfilmentCenterId: centerId,
    countryCode: place.country,
    stateCode: place.state,
    postalCode: place.postalCode,
  })
  return zone === null ? null : pickRate(ratesByService.get(service.shippingServiceId)!, zone, weightOunces)
}

type TaxRule = readonly [percent: string, shippingTaxed: boolean, handlingTaxed: boolean]

/** By country and state, `US-NY`; a state not listed levies none. */
const taxRules: Readonly<Record<string, TaxRule>> = {
  'US-CA': ['7.25', false, true],
  'US-CO': ['2.9', false, false],
  'US-FL': ['6', true, true],
  'US-GA': ['4', true, true],
  'US-IL': ['6.25', true, false],
  'US-MA': ['6.25', false, false],
  'US-NC': ['4.75', true, true],
  'US-NJ': ['6.625', true, true],
  'US-NY': ['8.875', true, true],
  'US-OH': ['5.75', true, true],
  'US-PA': ['6', true, true],
  'US-TX': ['8.25', true, true],
  'US-WA': ['6.5', true, true],
  'GB-ENG': ['20', true, true],
  'GB-LDS': ['20', true, true],
  'GB-LND': ['20', true, true],
  'GB-NIR': ['20', true, true],
  'GB-SCT': ['20', true, true],
  'GB-WLS': ['20', true, true],
}

/** The site's tax where goods go; it collects none abroad. */
export function taxRateOf(siteId: number, country: string, state: string): TaxRate | null {
  const rule = siteFacts.get(siteId)!.country === country ? taxRules[`${country}-${state}`] : undefined
  return rule ? tableTax({ percent: rule[0], shippingTaxed: rule[1], handlingTaxed: rule[2] }) : null
}

export const taxRateRows: Row[] = [...siteFacts].flatMap(([siteId, { country }]) =>
  Object.entries(taxRules)
    .filter(([place]) => place.startsWith(country))
    .map(([place, [percent, shippingTaxed, handlingTaxed]]) => ({
      siteId: siteId,
      countryCode: country,
      stateCode: place.slice(3),
      percent,
      shippingTaxed: shippingTaxed,
      handlingTaxed: handlingTaxed,
    })),
)
