import type { Handler } from '../../contract/operation.ts'
import type { Database, Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { centerCalendar } from '../../platform/catalog/orderable-products.ts'
import { hasPublishedId } from '../../platform/catalog/published-id.ts'
import {
  leavesBy,
  turnaroundBusinessDaysDefault,
  type BusinessCalendar,
} from '../../platform/shipping/business-days.ts'
import type { CarrierRates } from '../../platform/shipping/rates.ts'
import { quoteServices, siteShipping } from '../../platform/shipping/services.ts'
import { currencyScale, money } from '../../vocabulary/money.ts'
import {
  countryByCode,
  countryCodeOf,
  hasSubdivisions,
  postalCodeMatches,
  postalCodeRule,
  stateCodeRule,
  stateCodeOf,
  subdivision,
} from '../../vocabulary/regions.ts'
import { type ProductId, readProductId } from '../../vocabulary/product-id.ts'
import type { shippingQuotes } from './contract.ts'

/** Prices one shipment from the product's fulfilment center by every service of the site, as its order would be charged. */
export function quoteShipping(
  database: Database,
  carrierRates: CarrierRates,
): Handler<typeof shippingQuotes.quoteShipping> {
  return async ({ caller, body, now, refuse }) => {
    const { siteId, shipTo } = body
    if (!caller.siteIds.includes(siteId)) throw refuse('invalid_site_id')
    const asked = body.productId === undefined ? undefined : readProductId(body.productId)
    const origin = asked && (await originOf(database.reads, siteId, asked, now))
    if (asked && !origin) throw refuse('product_not_found')

    const countryCode = countryCodeOf(shipTo.country)
    const stateCode = stateCodeOf(countryCode, shipTo.state)
    const postalCode = shipTo.postalCode.trim()
    if (!countryByCode(countryCode)) throw refuse('unknown_country_code')
    if (hasSubdivisions(countryCode) && !subdivision(countryCode, stateCode))
      throw refuse('unknown_state_code', `The field shipTo.state must be ${stateCodeRule(countryCode)}.`)
    if (!origin)
      throw refuse(
        'shipping_quote_unavailable',
        'The field productId is missing. It determines where the goods leave from.',
      )
    if (!postalCodeMatches(countryCode, postalCode, stateCode)) {
      throw refuse(
        'shipping_quote_unavailable',
        `The field shipTo.postalCode must be ${postalCodeRule(countryCode, stateCode)}.`,
      )
    }
    const { fulfilmentCenterId, turnaroundBusinessDays } = origin
    if (fulfilmentCenterId === null) {
      throw refuse('shipping_quote_unavailable', 'No shipment of this product can be priced.')
    }

    const weightOunces = money(body.weightOunces)
    const parcel = { fulfilmentCenterId, countryCode, stateCode, postalCode, weightOunces }
    const [shipping, shippedOn] = await Promise.all([
      siteShipping(database.reads, siteId, [parcel]),
      leavesBy(origin, now, turnaroundBusinessDays ?? turnaroundBusinessDaysDefault),
    ])
    const leaving = { calendar: origin, shippedOn }
    const scale = currencyScale(origin.currency)
    const { quotes, warnings } = await quoteServices(carrierRates, shipping, parcel, scale, leaving)
    if (quotes.length === 0) throw refuse('shipping_quote_unavailable')
    return {
      status: 200,
      body: {
        quotes: quotes.map(({ serviceName, price, deliveryFrom, deliveryTo }) => ({
          serviceName,
          price,
          estimatedShipBy: shippedOn.toISOString(),
          estimatedDeliveryFrom: deliveryFrom.toISOString(),
          estimatedDeliveryTo: deliveryTo.toISOString(),
        })),
        warnings,
        messages: [],
      },
    }
  }
}

/** Where goods leave from, and when that place works: as an order of the product reads it. */
type Origin = BusinessCalendar & {
  currency: string
  /** null = nothing that leaves from there can be priced, or the goods are not shipped at all; the calendar is null then */
  fulfilmentCenterId: number | null
  turnaroundBusinessDays: number | null
}

/** Undefined where the site has no such product. */
function originOf(queries: Queries, siteId: number, productId: ProductId, now: Date): Promise<Origin | undefined> {
  // Served by the primary keys of product, site and fulfilment_center.
  return queries.row<Origin>(sql`
    select site.currency, source.turnaround_business_days, center.fulfilment_center_id, center.country_code,
      center.state_code, ${centerCalendar(now)}
    from product
    join site on site.site_id = product.site_id
    join product source on source.product_number = coalesce(product.master_number, product.product_number)
    left join fulfilment_center center
      on center.fulfilment_center_id = source.fulfilment_center_id and center.priceable and source.shippable
    where ${hasPublishedId(productId)} and product.site_id = ${siteId}`)
}
