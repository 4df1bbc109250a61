import type { Sale, TaxService } from '../../outside/tax-service/tax-service.ts'
import { money } from '../../vocabulary/money.ts'
import { Outage } from '../../vocabulary/outage.ts'
import { remembered } from '../../vocabulary/remembered.ts'
import type { TaxRate } from './tax.ts'

/**
 * The taxes of sites that are taxed by a service. null = the service does not know the address.
 * @throws Outage when it does not answer: then nothing can be sold there
 */
export type ServiceTaxes = (sale: Sale) => Promise<TaxRate | null>

/** Taxes change at midnight at the earliest, and this long they are asked for once. */
const percentsAreGoodFor = 10 * 60_000
const destinationsMax = 10_000

/** @param monotonic milliseconds, never set back */
export function serviceTaxes(service: TaxService | null, monotonic: () => number): ServiceTaxes {
  if (!service) return noServiceTaxes
  return remembered(
    async (sale: Sale) => {
      const percents = await service.percentsAt(sale)
      return (
        percents && {
          onGoods: money(percents.onGoods),
          onHandling: money(percents.onHandling),
          onDelivery: money(percents.onDelivery),
        }
      )
    },
    { goodFor: percentsAreGoodFor, max: destinationsMax, monotonic },
  )
}

/** Where no tax service is set up. */
export const noServiceTaxes: ServiceTaxes = () =>
  Promise.reject(new Outage('a site is taxed by a service, and STRIPE_API_KEY is not set'))

/** A sale in a currency to an address whose codes are in their usual form. */
export function saleTo(
  currency: string,
  to: { country: string; state: string; postalCode: string; city: string; address1: string },
): Sale {
  const { country: countryCode, state: stateCode, postalCode, city, address1 } = to
  return { currency, to: { countryCode, stateCode, postalCode, city, address1 } }
}
