import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Refused } from '../../vocabulary/outcome.ts'
import { currencyScale, decimalString, money, type Money, zero } from '../../vocabulary/money.ts'
import {
  countryByCode,
  hasSubdivisions,
  postalCodeMatches,
  postalCodeRule,
  stateCodeRule,
  subdivision,
} from '../../vocabulary/regions.ts'
import { nameFault } from '../../vocabulary/text.ts'
import { destinationKey, tidied } from '../ordering/tidy-texts.ts'
import type { OrderAddress } from '../ordering/order-request.ts'
import { saleTo, type ServiceTaxes } from '../pricing/service-taxes.ts'
import { tableTax, taxPercents, type TableTax, type TaxPercents, type TaxRate } from '../pricing/tax.ts'
import type { Suppliers } from '../ordering/plan-order.ts'
import type { TaxBy } from '../sites/site-settings.ts'
import { cutOffHourDefault, type CarrierCalendar } from '../shipping/business-days.ts'
import { shipmentPrice, type CarrierRates, type Parcel } from '../shipping/rates.ts'
import { deliveryEstimate, siteShipping, type ShippingService, type SiteShipping } from '../shipping/services.ts'

/** As the bodies of orders and of this change have it. */
const addressTextLengthMax = 255

/** What shall be otherwise; what is left out stays. */
export type DeliveryWish = { shipTo?: OrderAddress; shippingServiceId?: number }

/** Another delivery of a shipment, worked out without a lock: carriers may be asked. */
export type PricedDelivery = {
  /** the shipment as it was priced; another version must be priced again */
  version: string
  shipTo: OrderAddress
  /** the destination is another one, not only the service */
  moves: boolean
  service: ShippingService
  /** what it costs from now on */
  shippingTotal: Money
  /** what the shipment costs beyond its rate; it stays, so that a way there and back costs nothing */
  offset: Money
  /** null = the taxes stay, because the goods go to the same state */
  tax: { shipment: Money; lines: { lineNumber: number; onLine: Money; onHandling: Money }[] } | null
  currency: string
  estimatedShipBy: string | null
  deliveryFrom: Date | null
  deliveryTo: Date | null
}

type DeliveryRefused =
  | Refused<'shipment_not_found' | 'nothing_to_change' | 'service_not_offered' | 'not_deliverable'>
  | (Refused<'address_not_usable'> & { detail: string })

type Facts = {
  siteId: number
  currency: string
  taxBy: TaxBy
  version: string
  shipTo: OrderAddress | null
  shippingServiceId: number | null
  fulfilmentCenterId: number | null
  priceable: boolean
  shippingTotal: string | null
  shippingOffset: string | null
  estimatedShipBy: string | null
  taxExempt: boolean
  weightOunces: string
  lines: { lineNumber: number; taxable: boolean }[]
} & CarrierCalendar

/**
 * Prices another delivery at today's rates and taxes. The customer keeps what they got: what the shipment cost beyond its
 * rate, or less, when it was first changed, is added to the new rate.
 * @throws Outage when a carrier does not answer
 */
export async function priceDelivery(
  queries: Queries,
  { carrierRates, serviceTaxes }: Pick<Suppliers, 'carrierRates' | 'serviceTaxes'>,
  orderNumber: number,
  shipmentNumber: number,
  wish: DeliveryWish,
): Promise<{ priced: PricedDelivery } | DeliveryRefused> {
  const facts = await readFacts(queries, orderNumber, shipmentNumber)
  if (!facts) return { refused: 'shipment_not_found' }
  const shipTo = wish.shipTo ? tidied(wish.shipTo) : facts.shipTo
  if (!shipTo) return { refused: 'address_not_usable', detail: 'The shipment has no address: send shipTo.' }
  const fault = wish.shipTo && addressFault(shipTo)
  if (fault) return { refused: 'address_not_usable', detail: fault }
  const serviceId = wish.shippingServiceId ?? facts.shippingServiceId
  const moves = !facts.shipTo || destinationKey(facts.shipTo) !== destinationKey(shipTo)
  if (!moves && serviceId === facts.shippingServiceId) return { refused: 'nothing_to_change' }

  const scale = currencyScale(facts.currency)
  const parcel = parcelOf(facts, shipTo)
  const former = facts.shipTo ? parcelOf(facts, facts.shipTo) : null
  const shipping = await siteShipping(
    queries,
    facts.siteId,
    [parcel, former].filter((each) => each !== null),
  )
  const service = shipping.services.find((each) => each.shippingServiceId === serviceId)
  if (!service) return { refused: 'service_not_offered' }
  const before = shipping.services.find((each) => each.shippingServiceId === facts.shippingServiceId)
  const [rate, formerRate] = await Promise.all([
    rateOf(carrierRates, shipping, service, parcel, scale),
    rateOf(carrierRates, shipping, before, former, scale),
  ])
  if (rate === null) return { refused: 'not_deliverable' }
  const offset =
    facts.shippingOffset !== null
      ? money(facts.shippingOffset)
      : formerRate === null || facts.shippingTotal === null
        ? zero
        : money(facts.shippingTotal).minus(formerRate)
  const total = rate.plus(offset)
  const leaves = facts.estimatedShipBy === null ? null : new Date(facts.estimatedShipBy)
  const delivery = leaves && (await deliveryEstimate(service, facts, leaves))
  const staysInState = facts.shipTo?.country === shipTo.country && facts.shipTo.state === shipTo.state
  // A service may tax two streets of one town differently.
  const taxStays = facts.taxBy === 'SERVICE' ? !moves : staysInState
  const priced: PricedDelivery = {
    version: facts.version,
    shipTo,
    moves,
    service,
    shippingTotal: total.lt(zero) ? zero : total,
    offset,
    tax: taxStays ? null : await taxesAt(queries, serviceTaxes, facts, shipTo),
    currency: facts.currency,
    estimatedShipBy: facts.estimatedShipBy,
    deliveryFrom: delivery?.from ?? null,
    deliveryTo: delivery?.to ?? null,
  }
  return { priced }
}

/** By primary keys. The version changes with whatever changes the shipment or its goods. */
async function readFacts(queries: Queries, orderNumber: number, shipmentNumber: number): Promise<Facts | undefined> {
  return queries.row<Facts>(sql`
    select orders.site_id, orders.currency, site.tax_by, shipment.xmin::text as version, shipment.ship_to,
      shipment.shipping_service_id, shipment.fulfilment_center_id, coalesce(center.priceable, false) as priceable,
      shipment.shipping_total, shipment.shipping_offset, shipment.estimated_ship_by,
      coalesce(buyer.tax_exempt, false) or coalesce(division.tax_exempt, false) as tax_exempt,
      coalesce(center.time_zone, site.time_zone) as time_zone,
      coalesce(center.country_code, site.country_code) as country_code,
      coalesce(center.state_code, '') as state_code,
      coalesce(center.cut_off_hour, ${cutOffHourDefault}) as cut_off_hour,
      coalesce(goods.weight_ounces, 0)::text as weight_ounces, coalesce(goods.lines, '[]') as lines
    from shipment
    join orders using (order_number)
    join site on site.site_id = orders.site_id
    left join fulfilment_center center on center.fulfilment_center_id = shipment.fulfilment_center_id
    left join site_user buyer on buyer.user_id = orders.user_id
    left join division on division.division_id = orders.division_id
    cross join lateral (
      select sum(coalesce(line.unit_weight_ounces, 0) * item.quantity) as weight_ounces,
        json_agg(json_build_object('lineNumber', line.line_number, 'taxable', coalesce(master.taxable, product.taxable))
          order by line.line_number) as lines
      from shipment_line item
      join order_line line on line.order_number = item.order_number and line.line_number = item.line_number
      join product on product.product_number = line.product_number
      left join product master on master.product_number = product.master_number
      where item.shipment_number = shipment.shipment_number
    ) goods
    where shipment.order_number = ${orderNumber} and shipment.shipment_number = ${shipmentNumber}`)
}

function addressFault(address: OrderAddress): string | undefined {
  const { name, company, address1, address2, city, country, state, postalCode } = address
  for (const [field, text] of Object.entries({ name, company, address1, address2, city })) {
    const fault = text === undefined ? undefined : nameFault(`shipTo.${field}`, text, addressTextLengthMax)
    if (fault) return fault
  }
  if (!countryByCode(country)) return 'The field shipTo.country must be an ISO 3166-1 alpha-2 code such as US.'
  if (hasSubdivisions(country) && !subdivision(country, state)) {
    return `The field shipTo.state must be ${stateCodeRule(country)}.`
  }
  if (postalCodeMatches(country, postalCode, state)) return undefined
  return `The field shipTo.postalCode must be ${postalCodeRule(country, state)}.`
}

/** null if the fulfilment center has no carrier rates, so that nothing from there can be priced. */
function parcelOf(facts: Facts, address: OrderAddress): Parcel | null {
  if (facts.fulfilmentCenterId === null || !facts.priceable) return null
  return {
    fulfilmentCenterId: facts.fulfilmentCenterId,
    countryCode: address.country,
    stateCode: address.state,
    postalCode: address.postalCode,
    weightOunces: money(facts.weightOunces),
  }
}

async function rateOf(
  carrierRates: CarrierRates,
  shipping: SiteShipping,
  service: ShippingService | undefined,
  parcel: Parcel | null,
  scale: number,
): Promise<Money | null> {
  return service && parcel ? shipmentPrice(carrierRates, shipping.tables, service, parcel, scale) : null
}

async function taxesAt(
  queries: Queries,
  serviceTaxes: ServiceTaxes,
  facts: Facts,
  to: OrderAddress,
): Promise<NonNullable<PricedDelivery['tax']>> {
  const rate = facts.taxExempt
    ? null
    : await (facts.taxBy === 'SERVICE'
        ? serviceTaxes(saleTo(facts.currency, to))
        : tableTaxAt(queries, facts.siteId, to))
  const percents = (taxable: boolean): TaxPercents => taxPercents(rate, { taxable, buyerExempt: facts.taxExempt })
  return {
    shipment: percents(true).onDelivery,
    lines: facts.lines.map(({ lineNumber, taxable }) => {
      const { onLine, onHandling } = percents(taxable)
      return { lineNumber, onLine, onHandling }
    }),
  }
}

async function tableTaxAt(queries: Queries, siteId: number, to: OrderAddress): Promise<TaxRate | null> {
  const found = await queries.row<TableTax>(sql`
    select percent, shipping_taxed, handling_taxed from tax_rate
    where site_id = ${siteId} and country_code = ${to.country} and state_code = ${to.state}`)
  return found ? tableTax(found) : null
}

/** What a change of delivery does to an order's money; null while a line or a shipment has no price. */
export type DeliveryTotals = { shippingTotal: string; taxTotal: string; totalPrice: string } | null

export function difference(before: DeliveryTotals, after: DeliveryTotals, scale: number): DeliveryTotals {
  if (!before || !after) return null
  const minus = (key: keyof NonNullable<DeliveryTotals>) => decimalString(money(after[key]).minus(before[key]), scale)
  return { shippingTotal: minus('shippingTotal'), taxTotal: minus('taxTotal'), totalPrice: minus('totalPrice') }
}
