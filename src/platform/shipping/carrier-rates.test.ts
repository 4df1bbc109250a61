import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CarrierOffer, Carriers } from '../../outside/carriers/carriers.ts'
import { money } from '../../vocabulary/money.ts'
import { Outage } from '../../vocabulary/outage.ts'
import { carrierRates } from './carrier-rates.ts'
import type { RateTables } from './rates.ts'

const place = { countryCode: 'US', stateCode: 'PA', postalCode: '19107' }
const tables: RateTables = { zones: [], rates: [], forCarriers: { origins: new Map([[1, place]]), currency: 'USD' } }
const service = { shippingServiceId: 10, markupPercent: money(0), carrierService: 'USPS:Ground' }
const parcel = { ...place, fulfilmentCenterId: 1, weightOunces: money(20) }

const offer = (price: string, more: Partial<CarrierOffer> = {}): CarrierOffer => ({
  offerId: price,
  carrier: 'USPS',
  service: 'Ground',
  price,
  currency: 'USD',
  days: null,
  ...more,
})

/** Carriers that make these offers. */
function offering(answer: () => Promise<CarrierOffer[]>) {
  let asked = 0
  const offers: Carriers['offers'] = () => {
    asked += 1
    return answer()
  }
  return { carriers: { offers } as Carriers, count: () => asked }
}

test("a carrier's cheapest offer in the currency of the site is the rate", async () => {
  const { carriers } = offering(async () => [
    offer('9.10'),
    offer('8.20'),
    offer('3.00', { currency: 'CAD' }),
    offer('2.00', { service: 'Bound' }),
    offer('1.00', { carrier: 'UPS' }),
  ])
  const rates = carrierRates(carriers, () => 0)
  assert.equal((await rates(tables, service, parcel))!.toFixed(2), '8.20')
  assert.equal(await rates(tables, { ...service, carrierService: 'DHL:Any' }, parcel), null)
  assert.equal(await rates(tables, service, { ...parcel, fulfilmentCenterId: 2 }), null)
  assert.equal(await rates(tables, { ...service, carrierService: null }, parcel), null)
})

test('an offer is good for ten minutes, and those who ask at once share a call', async () => {
  let now = 0
  const { carriers, count } = offering(async () => [offer('8.20')])
  const rates = carrierRates(carriers, () => now)
  const both = await Promise.all([rates(tables, service, parcel), rates(tables, service, parcel)])
  assert.deepEqual(
    both.map((price) => price!.toFixed()),
    ['8.2', '8.2'],
  )
  now = 599_999
  await rates(tables, service, parcel)
  assert.equal(count(), 1)
  now = 600_000
  await rates(tables, service, parcel)
  await rates(tables, service, { ...parcel, weightOunces: money(21) })
  assert.equal(count(), 3)
})

test('an outage is told and not remembered', async () => {
  let isDown = true
  const { carriers } = offering(async () => {
    if (isDown) throw new Outage('down')
    return [offer('8.20')]
  })
  const rates = carrierRates(carriers, () => 0)
  await assert.rejects(rates(tables, service, parcel), Outage)
  isDown = false
  assert.equal((await rates(tables, service, parcel))!.toFixed(), '8.2')
})

test('without an account at carriers, a service that they price has no price', async () => {
  assert.equal(await carrierRates(null, () => 0)(tables, service, parcel), null)
})
