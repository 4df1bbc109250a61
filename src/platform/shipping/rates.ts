import type { Place } from '../../outside/carriers/carriers.ts'
import { type Money, money, roundTo } from '../../vocabulary/money.ts'

/**
 * Prices a shipment: origin and destination give a zone, zone and weight a rate, and the site adds its markup. A quote
 * and an order's shipping charge both come from `shipmentPrice`, so they agree to the cent. The caller passes the rows
 * that may apply.
 */

/** The facts of a shipment that determine its price. */
export type Parcel = {
  fulfilmentCenterId: number
  /** ISO 3166-1 alpha-2, upper case */
  countryCode: string
  /** the part of the ISO 3166-2 code after the hyphen, upper case */
  stateCode: string
  postalCode: string
  /** of the whole shipment (SQ-10) */
  weightOunces: Money
}

/** The distance, as a zone, of a country, a state or a postal prefix from a fulfilment center. */
export type Zone = {
  fulfilmentCenterId: number
  countryCode: string
  stateCode: string | null
  postalPrefix: string | null
  zone: number
}

export type Rate = {
  shippingServiceId: number
  /** null = in every zone */
  zone: number | null
  upToOunces: Money
  price: Money
}

export type RateTables = {
  zones: readonly Zone[]
  rates: readonly Rate[]
  /** what a carrier must know besides; absent = no service is priced by one */
  forCarriers?: {
    /** the places of fulfilment centers, by id */
    origins: ReadonlyMap<number, Place>
    /** in which the site sells, ISO 4217 */
    currency: string
  }
}

export type RatedService = {
  shippingServiceId: number
  markupPercent: Money
  /** the service of a carrier whose price is its rate, as `carrierServiceOf` writes it; null = its own rate table */
  carrierService: string | null
}

/** The price of a parcel by a service before the site's markup; null = no price. */
export type CarrierRates = (tables: RateTables, service: RatedService, parcel: Parcel) => Promise<Money | null>

/** Rates from the service's own tables. */
export const tableRates: CarrierRates = async (tables, service, parcel) => {
  const zone = pickZone(tables.zones, parcel)
  if (zone === null) return null
  const rates = tables.rates.filter((rate) => rate.shippingServiceId === service.shippingServiceId)
  return pickRate(rates, zone, parcel.weightOunces)
}

/** Price of a parcel by a service, markup included, in the currency's scale; null = it cannot be priced. */
export async function shipmentPrice(
  carrierRates: CarrierRates,
  tables: RateTables,
  service: RatedService,
  parcel: Parcel,
  currencyScale: number,
): Promise<Money | null> {
  const base = await carrierRates(tables, service, parcel)
  if (base === null) return null
  return roundTo(base.times(money(100).plus(service.markupPercent)).times(hundredth), currencyScale)
}

const hundredth = money('0.01')

/** The form in which postal codes are compared by prefix: upper case, without spaces. */
export function postalKey(postalCode: string): string {
  return postalCode.toUpperCase().replaceAll(' ', '')
}

/** The most specific zone of the destination: longest postal prefix, then state, then country; null = none. */
export function pickZone(zones: readonly Zone[], parcel: Omit<Parcel, 'weightOunces'>): number | null {
  const postal = postalKey(parcel.postalCode)
  let chosen: Zone | undefined
  for (const candidate of zones) {
    const serves =
      candidate.fulfilmentCenterId === parcel.fulfilmentCenterId &&
      candidate.countryCode === parcel.countryCode &&
      (candidate.stateCode === null || candidate.stateCode === parcel.stateCode) &&
      (candidate.postalPrefix === null || postal.startsWith(candidate.postalPrefix))
    if (serves && (!chosen || specificity(candidate) > specificity(chosen))) chosen = candidate
  }
  return chosen?.zone ?? null
}

/** A postal prefix, however short, is more specific than a state. */
function specificity(zone: Zone): number {
  return (zone.postalPrefix === null ? 0 : zone.postalPrefix.length + 1) * 2 + (zone.stateCode === null ? 0 : 1)
}

/**
 * The price of the smallest weight that is not below the parcel's: from the zone's rates, else from those for every
 * zone; null = the parcel is heavier than both tables allow.
 */
export function pickRate(
  rates: readonly Omit<Rate, 'shippingServiceId'>[],
  zone: number,
  weightOunces: Money,
): Money | null {
  const fitting = rates.filter((rate) => rate.upToOunces.gte(weightOunces))
  const ofZone = fitting.filter((rate) => rate.zone === zone)
  let chosen: Omit<Rate, 'shippingServiceId'> | undefined
  for (const candidate of ofZone.length > 0 ? ofZone : fitting.filter((rate) => rate.zone === null)) {
    if (!chosen || candidate.upToOunces.lt(chosen.upToOunces)) chosen = candidate
  }
  return chosen?.price ?? null
}
