import type { CarrierOffer, Carriers, OfferedParcel } from '../../outside/carriers/carriers.ts'
import { money } from '../../vocabulary/money.ts'
import { remembered } from '../../vocabulary/remembered.ts'
import { tableRates, type CarrierRates } from './rates.ts'

/** An offer is good for a quote and the order that follows it. */
const offersAreGoodFor = 10 * 60_000
const parcelsMax = 1_000

/**
 * Rates as each service says: from its own tables, or what a carrier charges. Without an account at carriers
 * (`carriers` null), services priced by them have no price.
 * @param monotonic milliseconds, never set back
 */
export function carrierRates(carriers: Carriers | null, monotonic: () => number): CarrierRates {
  if (!carriers)
    return async (tables, service, parcel) =>
      service.carrierService === null ? tableRates(tables, service, parcel) : null
  const offersOf = remembered((parcel: OfferedParcel) => carriers.offers(parcel), {
    goodFor: offersAreGoodFor,
    max: parcelsMax,
    monotonic,
  })
  return async (tables, service, parcel) => {
    if (service.carrierService === null) return tableRates(tables, service, parcel)
    const { forCarriers } = tables
    const from = forCarriers?.origins.get(parcel.fulfilmentCenterId)
    if (!forCarriers || !from) return null
    const { countryCode, stateCode, postalCode } = parcel
    const to = { countryCode, stateCode, postalCode }
    const fitting = (await offersOf({ from, to, weightOunces: parcel.weightOunces.toFixed() })).filter(
      (offer) => carrierServiceOf(offer) === service.carrierService && offer.currency === forCarriers.currency,
    )
    // A carrier may have two accounts there, at two prices.
    return fitting.map(({ price }) => money(price)).toSorted((one, other) => one.cmp(other))[0] ?? null
  }
}

/** The name by which a site's service refers to a carrier's, such as `USPS:GroundAdvantage`. */
export function carrierServiceOf({ carrier, service }: Pick<CarrierOffer, 'carrier' | 'service'>): string {
  return `${carrier}:${service}`
}
