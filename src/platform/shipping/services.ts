import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Place } from '../../outside/carriers/carriers.ts'
import { decimalString, type Money, money } from '../../vocabulary/money.ts'
import { arrivesBy, type CarrierCalendar } from './business-days.ts'
import { type CarrierRates, type Parcel, postalKey, type RateTables, shipmentPrice } from './rates.ts'

/**
 * A site's delivery services: which one an order's wishes mean, what each costs for a shipment, and when the shipment
 * arrives.
 */

export type ShippingService = {
  shippingServiceId: number
  kind: 'CARRIER' | 'CUSTOM'
  provider: string
  serviceName: string
  isDefault: boolean
  /** the service of a carrier whose price is its rate; null = its own rate table */
  carrierService: string | null
  /** added to the rate, in percent */
  markupPercent: Money
  transitBusinessDaysMin: number
  transitBusinessDaysMax: number
  trackingUrlForm: string | null
}

/** A site's enabled services in its own sequence, and the rows of the rate tables that some of the parcels may need. */
export type SiteShipping = { services: readonly ShippingService[]; tables: RateTables }

/** One round trip for all parcels. Without parcels there are services but no rates. */
export async function siteShipping(
  queries: Queries,
  siteId: number,
  parcels: readonly Parcel[],
): Promise<SiteShipping> {
  // Zones by shipping_zone_by_place and rates by shipping_rate_by_weight, where what is absent is '' or 0, so that the
  // general is found like the specific. Of each table only the row that fits a parcel's weight is read. Decimals are
  // cast to text: inside JSON they would be read as binary fractions. The arrays are sub-selects because a plan that
  // can see how short they are looks cheaper than the cached one, so PostgreSQL would plan anew each time.
  const row = await queries.row<Row>(sql`
    with parcel as (
      select * from unnest(
        (select ${parcels.map((parcel) => parcel.fulfilmentCenterId)}::int[]),
        (select ${parcels.map((parcel) => parcel.countryCode)}::char(2)[]),
        (select ${parcels.map((parcel) => parcel.stateCode)}::text[]),
        (select ${parcels.map((parcel) => postalKey(parcel.postalCode))}::text[]),
        (select ${parcels.map((parcel) => parcel.weightOunces.toFixed())}::numeric[])
      ) as parcel (fulfilment_center_id, country_code, state_code, postal_key, weight_ounces)
    ), served as (
      select shipping_zone.fulfilment_center_id, shipping_zone.country_code, shipping_zone.state_code,
        shipping_zone.postal_prefix, shipping_zone.zone, parcel.weight_ounces
      from parcel
      join shipping_zone on shipping_zone.fulfilment_center_id = parcel.fulfilment_center_id
        and shipping_zone.country_code = parcel.country_code
        and coalesce(shipping_zone.state_code, '') = any(array['', parcel.state_code])
        and coalesce(shipping_zone.postal_prefix, '') = any(
          array(select left(parcel.postal_key, length) from generate_series(0, length(parcel.postal_key)) length))
    ), offered as (
      select * from shipping_service where site_id = ${siteId} and enabled
    ), fitting as (
      select distinct rate.shipping_service_id, rate.zone, rate.up_to_ounces, rate.price
      from offered
      cross join (select zone, weight_ounces from served union select 0, weight_ounces from served) wanted
      cross join lateral (
        select * from shipping_rate
        where shipping_rate.shipping_service_id = offered.shipping_service_id
          and coalesce(shipping_rate.zone, 0) = wanted.zone
          and shipping_rate.up_to_ounces >= wanted.weight_ounces
        order by shipping_rate.up_to_ounces
        limit 1
      ) rate
    )
    select
      (
        select json_agg(json_build_array(shipping_service_id, kind, provider, service_name, is_default, carrier_service,
          markup_percent::text, transit_business_days_min, transit_business_days_max, tracking_url_form)
          order by sequence, shipping_service_id)
        from offered
      ) as services,
      (
        select json_agg(json_build_array(fulfilment_center_id, country_code, state_code, postal_prefix, zone))
        from served
      ) as zones,
      (
        select json_agg(json_build_array(shipping_service_id, zone, up_to_ounces::text, price::text)) from fitting
      ) as rates, (
        select json_agg(json_build_array(fulfilment_center_id, country_code, state_code, postal_code))
        from fulfilment_center
        where fulfilment_center_id in (select fulfilment_center_id from parcel)
          and exists (select from offered where carrier_service is not null)
      ) as origins,
      (select currency from site where site_id = ${siteId}) as currency`)
  return {
    services: (row?.services ?? []).map(serviceOf),
    tables: {
      zones: (row?.zones ?? []).map(zoneOf),
      rates: (row?.rates ?? []).map(rateOf),
      ...(row?.origins && { forCarriers: { origins: new Map(row.origins.map(originOf)), currency: row.currency! } }),
    },
  }
}

/**
 * The service that an order's two wishes mean (SUB-33, SUB-34, SUB-35); null if the site has no services. If they
 * disagree, the method wins, since it names one service and the provider only a group. A blank or unknown wish is
 * ignored. Without a wish, the answer is the site's default, or its first service if there is no default.
 */
export function chooseService(
  services: readonly ShippingService[],
  provider: string | null | undefined,
  method: string | null | undefined,
): ShippingService | null {
  const ofProvider = services.filter((service) => sameWords(service.provider, provider))
  const ofMethod = services.filter((service) => sameWords(service.serviceName, method))
  return (
    ofMethod.find((service) => ofProvider.includes(service)) ??
    ofMethod[0] ??
    ofProvider[0] ??
    services.find((service) => service.isDefault) ??
    services[0] ??
    null
  )
}

function sameWords(name: string, wish: string | null | undefined): boolean {
  return name.trim().toLowerCase() === wish?.trim().toLowerCase()
}

export type ShippingQuotes = {
  /** cheapest first; equals in the site's sequence */
  quotes: { serviceName: string; price: string; deliveryFrom: Date; deliveryTo: Date }[]
  /** one for each service that cannot be priced; empty = all were */
  warnings: string[]
}

/**
 * Every service of the site priced for one parcel that leaves a place at `shippedOn` (SQ-12, SQ-14). The caller refuses an
 * empty result.
 */
export async function quoteServices(
  carrierRates: CarrierRates,
  { services, tables }: SiteShipping,
  parcel: Parcel,
  currencyScale: number,
  { calendar, shippedOn }: { calendar: CarrierCalendar; shippedOn: Date },
): Promise<ShippingQuotes> {
  const offers = await Promise.all(
    services.map(async (service) => ({
      service,
      price: await shipmentPrice(carrierRates, tables, service, parcel, currencyScale),
    })),
  )
  const priced = offers.filter((offer): offer is { service: ShippingService; price: Money } => offer.price !== null)
  return {
    quotes: await Promise.all(
      priced
        .toSorted((one, other) => one.price.cmp(other.price))
        .map(async ({ service, price }) => {
          const { serviceName, transitBusinessDaysMin, transitBusinessDaysMax } = service
          const deliveryFrom = await arrivesBy(calendar, shippedOn, transitBusinessDaysMin)
          const deliveryTo = await arrivesBy(calendar, shippedOn, transitBusinessDaysMax)
          return { serviceName, price: decimalString(price, currencyScale), deliveryFrom, deliveryTo }
        }),
    ),
    warnings: offers
      .filter((offer) => offer.price === null)
      .map(({ service }) => `${service.serviceName} could not be priced for this shipment.`),
  }
}

/** When a shipment that leaves a place at `shippedOn` is expected to arrive. */
export async function deliveryEstimate(
  service: Pick<ShippingService, 'transitBusinessDaysMin' | 'transitBusinessDaysMax'>,
  calendar: CarrierCalendar,
  shippedOn: Date,
): Promise<{ from: Date; to: Date }> {
  const [from, to] = await Promise.all([
    arrivesBy(calendar, shippedOn, service.transitBusinessDaysMin),
    arrivesBy(calendar, shippedOn, service.transitBusinessDaysMax),
  ])
  return { from, to }
}

type ServiceTuple = [
  shippingServiceId: number,
  kind: 'CARRIER' | 'CUSTOM',
  provider: string,
  serviceName: string,
  isDefault: boolean,
  carrierService: string | null,
  markupPercent: string,
  transitBusinessDaysMin: number,
  transitBusinessDaysMax: number,
  trackingUrlForm: string | null,
]

type ZoneTuple = [
  fulfilmentCenterId: number,
  countryCode: string,
  stateCode: string | null,
  postalPrefix: string | null,
  zone: number,
]

type RateTuple = [shippingServiceId: number, zone: number | null, upToOunces: string, price: string]

type OriginTuple = [fulfilmentCenterId: number, countryCode: string, stateCode: string, postalCode: string]

type Row = {
  services: ServiceTuple[] | null
  zones: ZoneTuple[] | null
  rates: RateTuple[] | null
  origins: OriginTuple[] | null
  currency: string | null
}

function serviceOf(tuple: ServiceTuple): ShippingService {
  const [shippingServiceId, kind, provider, serviceName, isDefault, carrierService, markupPercent, min, max, url] =
    tuple
  return {
    shippingServiceId,
    kind,
    provider,
    serviceName,
    isDefault,
    carrierService,
    markupPercent: money(markupPercent),
    transitBusinessDaysMin: min,
    transitBusinessDaysMax: max,
    trackingUrlForm: url,
  }
}

function zoneOf([fulfilmentCenterId, countryCode, stateCode, postalPrefix, zone]: ZoneTuple) {
  return { fulfilmentCenterId, countryCode, stateCode, postalPrefix, zone }
}

function rateOf([shippingServiceId, zone, upToOunces, price]: RateTuple) {
  return { shippingServiceId, zone, upToOunces: money(upToOunces), price: money(price) }
}

function originOf([fulfilmentCenterId, countryCode, stateCode, postalCode]: OriginTuple): [number, Place] {
  return [fulfilmentCenterId, { countryCode, stateCode, postalCode }]
}
