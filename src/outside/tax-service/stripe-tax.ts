import { isJsonObject, type JsonObject } from '../../vocabulary/json.ts'
import { money, type Money, roundTo, sum, zero } from '../../vocabulary/money.ts'
import { Outage } from '../../vocabulary/outage.ts'
import { companyNamed } from '../company.ts'
import type { Egress } from '../egress/guarded-request.ts'
import type { Sale, ServicePercents, TaxService } from './tax-service.ts'

/**
 * Stripe Tax, by its published API (https://docs.stripe.com/api/tax/calculations/create). One calculation with an amount of
 * goods, of handling and of delivery tells the percent of each at a destination.
 */

export const stripeUrl = 'https://api.stripe.com/v1'

const { request, objectIn, notUnderstood } = companyNamed('Stripe Tax')

const answerMilliseconds = 5_000
const answerBytesMax = 1_048_576
/** In the currency's smallest unit: a usual amount, because some taxes begin or end at an amount. */
const probe = '10000'
/** https://docs.stripe.com/tax/tax-codes: tangible goods, shipping, and handling as a charge of its own */
const taxCodes = { goods: 'txcd_99999999', handling: 'txcd_92010002', delivery: 'txcd_92010001' }

export function stripeTax(egress: Pick<Egress, 'request'>, { url, key }: { url: string; key: string }): TaxService {
  return {
    async percentsAt(sale) {
      const answer = await request(egress, `${url}/tax/calculations`, {
        method: 'POST',
        timeoutMilliseconds: answerMilliseconds,
        responseBytesMax: answerBytesMax,
        headers: {
          Accept: 'application/json',
          Authorization: `Bearer ${key}`,
          'Content-Type': 'application/x-www-form-urlencoded',
        },
        body: Buffer.from(formOf(sale)),
      })
      if (answer.status === 400 && isAboutAddress(objectIn(answer.body))) return null
      if (answer.status !== 200) throw new Outage(`Stripe Tax answered ${answer.status}`)
      return percentsIn(objectIn(answer.body))
    },
  }
}

function formOf({ currency, to }: Sale): string {
  return new URLSearchParams({
    currency: currency.toLowerCase(),
    'line_items[0][amount]': probe,
    'line_items[0][reference]': 'goods',
    'line_items[0][tax_behavior]': 'exclusive',
    'line_items[0][tax_code]': taxCodes.goods,
    'line_items[1][amount]': probe,
    'line_items[1][reference]': 'handling',
    'line_items[1][tax_behavior]': 'exclusive',
    'line_items[1][tax_code]': taxCodes.handling,
    'shipping_cost[amount]': probe,
    'shipping_cost[tax_behavior]': 'exclusive',
    'shipping_cost[tax_code]': taxCodes.delivery,
    'customer_details[address_source]': 'shipping',
    'customer_details[address][country]': to.countryCode,
    'customer_details[address][state]': to.stateCode,
    'customer_details[address][postal_code]': to.postalCode,
    'customer_details[address][city]': to.city,
    'customer_details[address][line1]': to.address1,
    'expand[0]': 'line_items.data.tax_breakdown',
    'expand[1]': 'shipping_cost.tax_breakdown',
  }).toString()
}

/** https://docs.stripe.com/error-codes */
function isAboutAddress({ error }: JsonObject): boolean {
  return isJsonObject(error) && error.code === 'customer_tax_location_invalid'
}

function percentsIn({ line_items: items, shipping_cost: delivery }: JsonObject): ServicePercents {
  const lines = isJsonObject(items) && Array.isArray(items.data) ? items.data.filter(isJsonObject) : []
  const lineOf = (reference: string) => percentOf(lines.find((line) => line.reference === reference))
  return { onGoods: lineOf('goods'), onHandling: lineOf('handling'), onDelivery: percentOf(delivery) }
}

/** What all jurisdictions together levy on a probe, in percent. Each may tax a part of it only. */
function percentOf(taxed: unknown): string {
  if (!isJsonObject(taxed) || !Array.isArray(taxed.tax_breakdown)) throw notUnderstood()
  const percent = sum(taxed.tax_breakdown.map(shareOf))
  if (percent.lt(zero) || percent.gte(100)) throw notUnderstood()
  return roundTo(percent, 6).toFixed()
}

function shareOf(levy: unknown): Money {
  if (!isJsonObject(levy) || !Number.isSafeInteger(levy.taxable_amount)) throw notUnderstood()
  if (levy.taxable_amount === 0) return zero
  const details = levy.tax_rate_details
  const percent = isJsonObject(details) ? details.percentage_decimal : null
  if (typeof percent !== 'string' || !/^\d{1,3}(\.\d{1,10})?$/.test(percent)) throw notUnderstood()
  return money(percent)
    .times(levy.taxable_amount as number)
    .div(probe)
}
