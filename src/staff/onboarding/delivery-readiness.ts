import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { pieceWeightOunces } from '../../platform/catalog/chosen-variant.ts'
import type { OrderableProduct } from '../../platform/catalog/orderable-products.ts'
import type { OfferedServiceRecord } from '../../platform/shipping/offered-services.ts'
import { rateTable, type RateRow } from '../../platform/shipping/rate-tables.ts'
import { pickRate } from '../../platform/shipping/rates.ts'
import { zoneTable, type ZoneRow } from '../../platform/shipping/zone-tables.ts'
import type { SiteRecord } from '../../platform/sites/sites.ts'
import { type Money, money, zero } from '../../vocabulary/money.ts'
import { subdivisionCodes } from '../../vocabulary/regions.ts'
import { finding, type Finding, type FindingCode } from './findings.ts'

/**
 * Whether a product can be delivered in the country of its site, and to which part of it: from its fulfilment center, by the
 * service that orders get which ask for none.
 */
export type DeliveryWorld = {
  queries: Queries
  site: SiteRecord
  /** the service of orders that ask for none; while none is enabled, the one that could be; undefined = there is none */
  service: OfferedServiceRecord | undefined
  rates: () => Promise<readonly RateRow[]>
  centerOf: (fulfilmentCenterId: number) => Promise<{ name: string; zones: readonly ZoneRow[] }>
}

/** Somewhere in the site's country. */
export type Destination = { stateCode: string; postalCode: string }

/** What is found of a site and says nothing of products that are never shipped. */
export const deliveryCodes: ReadonlySet<FindingCode> = new Set([
  'no_service',
  'no_default_service',
  'carriers_not_set_up',
  'service_without_carrier',
  'no_rate',
])

/** @param services all of the site, in its sequence */
export function deliveryWorld({
  queries,
  site,
  services,
}: {
  queries: Queries
  site: SiteRecord
  services: readonly OfferedServiceRecord[]
}): DeliveryWorld {
  const service = usualService(services)
  let rates: Promise<readonly RateRow[]> | undefined
  const centers = new Map<number, ReturnType<DeliveryWorld['centerOf']>>()
  return {
    queries,
    site,
    service,
    rates: () => (rates ??= service ? rateTable(queries, service.shippingServiceId) : Promise.resolve([])),
    centerOf: (id) => centers.getOrInsertComputed(id, () => readCenter(queries, id, site.countryCode)),
  }
}

function usualService(services: readonly OfferedServiceRecord[]): OfferedServiceRecord | undefined {
  const enabled = services.filter((each) => each.enabled)
  const usable = enabled.length > 0 ? enabled : services.filter(({ archivedOn }) => archivedOn === null)
  return usable.find(({ isDefault }) => isDefault) ?? usable[0]
}

async function readCenter(queries: Queries, fulfilmentCenterId: number, countryCode: string) {
  const [center, zones] = await Promise.all([
    queries.row<{ name: string }>(sql`
      select name from fulfilment_center where fulfilment_center_id = ${fulfilmentCenterId}`),
    zoneTable(queries, fulfilmentCenterId),
  ])
  return { name: center!.name, zones: zones.filter((zone) => zone.countryCode === countryCode) }
}

/** What is found of a site's services. */
export function serviceFindings(services: readonly OfferedServiceRecord[], hasCarriers: boolean): Finding[] {
  const enabled = services.filter((each) => each.enabled)
  const usual = usualService(services)
  const found: Finding[] = []
  if (!usual) found.push(finding('no_service', 'The site has no delivery service: it needs one, with its rates.'))
  else if (!usual.enabled) found.push(finding('no_service', 'No delivery service of the site is enabled.'))
  else if (!usual.isDefault) {
    const says = `No service is the default: orders that ask for none go by ${usual.serviceName}.`
    found.push(finding('no_default_service', says))
  }
  if (hasCarriers) return found
  for (const service of new Set([...enabled, ...(usual ? [usual] : [])])) {
    if (service.carrierService === null) continue
    const says =
      `${service.serviceName} is priced by a carrier (${service.carrierService}), and no account at carriers is set up here: ` +
      'it has no price. Give it rates in place of carrierService, or have the operator set up the account.'
    found.push(finding(service === usual ? 'carriers_not_set_up' : 'service_without_carrier', says))
  }
  return found
}

/** Whether the service by which orders go has any rate. */
export async function rateFindings({ service, rates }: DeliveryWorld): Promise<Finding[]> {
  if (!service || service.carrierService !== null || (await rates()).length > 0) return []
  const says = `${service.serviceName}, by which orders go that ask for no service, has no rates.`
  return [finding('no_rate', says)]
}

/** All of a product that keeps its smallest order from being delivered, and a place to which it is delivered. */
export async function deliveryOf(
  world: DeliveryWorld,
  product: OrderableProduct,
  line: { variantId: number | undefined; quantity: number },
): Promise<{ findings: Finding[]; place: Destination | undefined }> {
  const { service, site } = world
  const findings: Finding[] = []
  const tell = (code: FindingCode, says: string): void => void findings.push(finding(code, says))
  const center = product.fulfilmentCenter
  if (!center) tell('no_fulfilment_center', 'The product has no fulfilment center.')
  if (center && !center.priceable) {
    tell('center_not_priceable', 'Its fulfilment center is marked so that nothing from there is priced.')
  }
  const isPricedByCarrier = service !== undefined && service.carrierService !== null
  const rates = isPricedByCarrier ? [] : await world.rates()
  if (!center) return { findings, place: undefined }
  const { name, zones } = await world.centerOf(center.fulfilmentCenterId)
  // Carriers price what they deliver, without zones.
  if (isPricedByCarrier) return { findings, place: placeIn(zones[0], site, center) }
  if (zones.length === 0) {
    tell('no_zone', `Its fulfilment center ${name} has no zone in ${site.countryCode}, the country of the site.`)
  }
  if (zones.length === 0 || !service || rates.length === 0) return { findings, place: undefined }

  const variant = product.variants.find(({ variantId }) => variantId === line.variantId) ?? null
  const weight = (pieceWeightOunces(product, variant) ?? zero).times(line.quantity)
  const served = zonesWithRate(rates, weight)
  const reached = zones.filter(({ zone }) => served(zone))
  if (reached.length === 0) {
    const numbers = listed([...new Set(zones.map(({ zone }) => String(zone)))])
    tell(
      'no_rate',
      `${service.serviceName} has no rate to zone ${numbers} for the weight of the smallest order, so nothing goes from ${name} to any part of ${site.countryCode}.`,
    )
  } else {
    const unreached = zones.filter((zone) => !reached.includes(zone))
    const partly = partNotDelivered(site.countryCode, name, service.serviceName, reached, unreached)
    if (partly) tell('part_not_delivered', partly)
  }
  return { findings, place: reached[0] && placeIn(reached[0], site, center) }
}

/** The rules refused an order to this place for its delivery. */
export function notDelivered({ service, site }: DeliveryWorld, place: Destination | undefined): Finding {
  const where = [place?.stateCode, place?.postalCode].filter(Boolean).join(' ')
  const to = where === '' ? site.countryCode : `${where} in ${site.countryCode}`
  return finding('no_rate', `${service?.serviceName ?? 'No service'} has no price to ${to} for the smallest order.`)
}

/** Whether a zone has a price for a weight. */
function zonesWithRate(table: readonly RateRow[], weight: Money): (zone: number) => boolean {
  const rates = table.map(({ zone, upToOunces, price }) => ({
    zone,
    upToOunces: money(upToOunces),
    price: money(price),
  }))
  const known = new Map<number, boolean>()
  return (zone) => known.getOrInsertComputed(zone, () => pickRate(rates, zone, weight) !== null)
}

function placeIn(
  zone: ZoneRow | undefined,
  { countryCode }: SiteRecord,
  center: { countryCode: string; stateCode: string; postalCode: string },
): Destination {
  const isOwnCountry = center.countryCode === countryCode
  return {
    stateCode: zone?.stateCode ?? (isOwnCountry ? center.stateCode : ''),
    postalCode: zone?.postalPrefix ?? (isOwnCountry ? center.postalCode : ''),
  }
}

/** Which part of a country is not delivered to, in words; undefined = all of it is. */
function partNotDelivered(
  countryCode: string,
  center: string,
  service: string,
  reached: readonly ZoneRow[],
  unreached: readonly ZoneRow[],
): string | undefined {
  const says: string[] = []
  if (!reached.some(isWhole)) {
    const all = subdivisionCodes(countryCode)
    const states = new Set(
      reached.filter(({ postalPrefix }) => postalPrefix === null).map(({ stateCode }) => stateCode!),
    )
    const rest = all.filter((code) => !states.has(code))
    if (all.length === 0 || rest.length > 0) {
      const not = rest.length > 0 ? `not to ${listed(rest)}` : 'nowhere else'
      says.push(`What leaves from ${center} goes only to ${listed(reached.map(partName))} in ${countryCode}, ${not}.`)
    }
  }
  const unrated = unreached.filter((zone) => !isWhole(zone))
  if (unrated.length > 0) {
    const parts = listed(unrated.map((zone) => `${partName(zone)} (zone ${zone.zone})`))
    says.push(`${service} has no rate for the smallest order from ${center} to ${parts} in ${countryCode}.`)
  }
  return says.length > 0 ? says.join(' ') : undefined
}

function isWhole({ stateCode, postalPrefix }: ZoneRow): boolean {
  return stateCode === null && postalPrefix === null
}

function partName({ stateCode, postalPrefix }: ZoneRow): string {
  const codes = postalPrefix === null ? [] : [`postal codes beginning with ${postalPrefix}`]
  return [...(stateCode === null ? [] : [stateCode]), ...codes].join(', ')
}

const listedMax = 60

function listed(names: readonly string[]): string {
  const more = names.length - listedMax
  return `${names.slice(0, listedMax).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
