import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { money } from '../../vocabulary/money.ts'
import { type Parcel, pickRate, pickZone, type Rate, shipmentPrice, tableRates, type Zone } from './rates.ts'

const parcel: Parcel = {
  fulfilmentCenterId: 1,
  countryCode: 'US',
  stateCode: 'CA',
  postalCode: '90210',
  weightOunces: money(20),
}

function zone(
  zoneNumber: number,
  stateCode: string | null,
  postalPrefix: string | null,
  changes: Partial<Zone> = {},
): Zone {
  return { fulfilmentCenterId: 1, countryCode: 'US', stateCode, postalPrefix, zone: zoneNumber, ...changes }
}

const zones = [
  zone(8, null, null),
  zone(7, 'CA', null),
  zone(6, null, '9'),
  zone(5, null, '902'),
  zone(4, 'CA', '902'),
  zone(1, null, '903'),
  zone(2, 'NV', null),
  zone(3, null, '90210', { fulfilmentCenterId: 2 }),
  zone(9, null, null, { countryCode: 'CA' }),
]

function zoneOf(changes: Partial<Parcel>): number | null {
  return pickZone(zones, { ...parcel, ...changes })
}

test('the most specific zone wins: the longest postal prefix, then the state, then the country', () => {
  assert.equal(zoneOf({}), 4)
  assert.equal(zoneOf({ stateCode: 'OR' }), 5)
  assert.equal(zoneOf({ postalCode: '91000' }), 6)
  assert.equal(zoneOf({ postalCode: '80000' }), 7)
  assert.equal(zoneOf({ postalCode: '80000', stateCode: 'OR' }), 8)
  assert.equal(zoneOf({ countryCode: 'CA', stateCode: 'ON', postalCode: 'M5V 2T6' }), 9)
  assert.equal(zoneOf({ countryCode: 'FR' }), null)
  assert.equal(zoneOf({ fulfilmentCenterId: 3 }), null)
})

test('SQ-09 a postal code finds its zone in any spacing and letter case', () => {
  const toronto = [zone(3, null, 'M5V2', { countryCode: 'CA' })]
  for (const postalCode of ['M5V 2T6', 'm5v2t6', 'M5 V2T6']) {
    assert.equal(pickZone(toronto, { ...parcel, countryCode: 'CA', stateCode: 'ON', postalCode }), 3)
  }
})

test('the order of the zones makes no difference', () => {
  const rows = fc.uniqueArray(
    fc.record({
      stateCode: fc.constantFrom(null, 'CA', 'NV'),
      postalPrefix: fc.constantFrom(null, '9', '90', '902', '8'),
    }),
    { selector: (row) => JSON.stringify(row) },
  )
  fc.assert(
    fc.property(rows, (given) => {
      const numbered = given.map((row, index) => zone(index, row.stateCode, row.postalPrefix))
      assert.equal(pickZone(numbered.toReversed(), parcel), pickZone(numbered, parcel))
    }),
  )
})

function rate(zoneNumber: number | null, upToOunces: number, price: string): Rate {
  return { shippingServiceId: 10, zone: zoneNumber, upToOunces: money(upToOunces), price: money(price) }
}

const rates = [rate(4, 160, '9.10'), rate(4, 16, '5.25'), rate(4, 80, '7.40'), rate(null, 1000, '30')]

function rateFor(ounces: string, zoneNumber = 4): string | null {
  return pickRate(rates, zoneNumber, money(ounces))?.toString() ?? null
}

test('the rate is that of the smallest sufficient weight; a shipment heavier than the table has no price', () => {
  assert.equal(rateFor('0.01'), '5.25')
  assert.equal(rateFor('16'), '5.25')
  assert.equal(rateFor('16.001'), '7.4')
  assert.equal(rateFor('160'), '9.1')
  assert.equal(rateFor('160.5'), '30')
  assert.equal(rateFor('1001'), null)
  assert.equal(rateFor('160.5', 5), '30')
  assert.equal(rateFor('1001', 5), null)
})

test('a heavier shipment never costs less if the prices of the table rise', () => {
  const weight = fc.integer({ min: 1, max: 200_000 }).map((thousandths) => money(thousandths).div(1000))
  fc.assert(
    fc.property(weight, weight, (one, other) => {
      const [light, heavy] = one.lt(other) ? [one, other] : [other, one]
      const heavyPrice = pickRate(rates, 4, heavy)
      if (heavyPrice) assert.ok(pickRate(rates, 4, light)!.lte(heavyPrice))
    }),
  )
})

test("a service's price is its rate with the site's markup, rounded to the currency", async () => {
  const tables = { zones, rates }
  const price = async (markup: string, weightOunces = money(20), shippingServiceId = 10) => {
    const service = { shippingServiceId, markupPercent: money(markup), carrierService: null }
    return (await shipmentPrice(tableRates, tables, service, { ...parcel, weightOunces }, 2))?.toFixed(2) ?? null
  }
  assert.equal(await price('0'), '7.40')
  assert.equal(await price('12.5'), '8.33') // 8.325
  assert.equal(await price('0', money(200)), '30.00')
  assert.equal(await price('0', money(2000)), null)
  assert.equal(await price('0', money(20), 11), null)
})

test('a destination outside every zone has no price, even by a service with one rate for all zones', async () => {
  const service = { shippingServiceId: 10, markupPercent: money(0), carrierService: null }
  assert.equal(await shipmentPrice(tableRates, { zones, rates }, service, { ...parcel, countryCode: 'FR' }, 2), null)
})
