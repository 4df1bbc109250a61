import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { startEasyPost } from '../../../test/world/outside-companies.ts'
import { Outage } from '../../vocabulary/outage.ts'
import { createEgress } from '../egress/guarded-request.ts'
import type { Announced, PostalAddress } from './carriers.ts'
import { easyPost } from './easypost.ts'

const company = await startEasyPost()
const egress = createEgress({ allowedHosts: (host) => host === '127.0.0.1' })
const carriers = easyPost(egress, company)
after(async () => {
  egress.close()
  await company.close()
})
afterEach(() => (company.fault = undefined))

const from = { countryCode: 'US', stateCode: 'PA', postalCode: '19107' }
const to = { countryCode: 'US', stateCode: 'WA', postalCode: '98101' }
const plant: PostalAddress = {
  ...from,
  name: 'Philadelphia plant',
  company: null,
  address1: '1200 Market St',
  address2: null,
  city: 'Philadelphia',
  phone: '2155550100',
  email: null,
}
const customer: PostalAddress = { ...plant, ...to, name: 'Dana Reyes', address1: '1301 Second Ave', city: 'Seattle' }

test('the offers of all carriers for a parcel are read with price, currency and days', async () => {
  const offers = await carriers.offers({ from, to, weightOunces: '20' })
  assert.deepEqual(
    offers.map(({ carrier, service, price, currency, days }) => ({ carrier, service, price, currency, days })),
    [
      { carrier: 'USPS', service: 'GroundAdvantage', price: '7.00', currency: 'USD', days: 5 },
      { carrier: 'UPS', service: 'NextDayAir', price: '21.00', currency: 'USD', days: 1 },
    ],
  )
})

test('a parcel is weighed in tenths of an ounce and never too light', async () => {
  const priceOf = async (weightOunces: string) => (await carriers.offers({ from, to, weightOunces }))[0]!.price
  assert.equal(await priceOf('20.01'), '7.01')
  assert.equal(await priceOf('0.3'), '5.03')
  assert.equal(await priceOf('0.0001'), '5.01')
})

test('an address that EasyPost does not take has no offers', async () => {
  assert.deepEqual(await carriers.offers({ from, to: { ...to, postalCode: '' }, weightOunces: '20' }), [])
  assert.deepEqual(await carriers.offers({ from, to: { ...to, postalCode: '00000' }, weightOunces: '20' }), [])
})

test('a label is announced, bought once and read again however often it is bought', async () => {
  const parcel = { from: plant, to: customer, weightOunces: '20' }
  const { carrierShipmentId, offers } = (await carriers.announce(parcel, 'order 1000123')) as Announced
  assert.equal(company.shipments.get(carrierShipmentId)!.reference, 'order 1000123')
  const first = await carriers.buy(carrierShipmentId, offers[0]!.offerId)
  assert.ok('pdf' in first)
  assert.equal(first.price, '7.00')
  assert.match(first.trackingNumber, /^9400/)
  assert.match(first.trackingUrl!, /^https:/)
  assert.equal(first.pdf.toString('latin1', 0, 5), '%PDF-')
  assert.deepEqual(await carriers.buy(carrierShipmentId, offers[1]!.offerId), first)
  assert.deepEqual(company.bought, [carrierShipmentId])
  company.fault = { status: 404, body: { error: { code: 'NOT_FOUND', message: 'Not now.' } }, at: carrierShipmentId }
  await assert.rejects(carriers.buy(carrierShipmentId, offers[0]!.offerId), Outage)
  company.fault = undefined
  assert.deepEqual(await carriers.giveBack(carrierShipmentId), { accepted: true })
})

test('what a carrier refuses is told in its words', async () => {
  const parcel = { from: plant, to: { ...customer, address1: '' }, weightOunces: '20' }
  const { carrierShipmentId, offers } = (await carriers.announce(parcel, 'order 1000124')) as Announced
  const refused = await carriers.buy(carrierShipmentId, offers[0]!.offerId)
  assert.deepEqual(refused, { refused: 'to_address: street1: cannot be blank' })
  assert.deepEqual(await carriers.giveBack(carrierShipmentId), { refused: "the carrier's answer was not_applicable" })
})

test('a wrong key, a broken answer and no answer are outages, and none of them tells the key', async () => {
  const isOutage = (error: unknown): boolean =>
    error instanceof Outage && !`${error.message} ${String(error.cause)}`.includes(company.key)
  const ask = (key = company.key) => easyPost(egress, { ...company, key }).offers({ from, to, weightOunces: '20' })
  await assert.rejects(ask('another-key'), isOutage)
  const faults = [
    { status: 429, body: {} },
    { status: 500, body: {} },
    { status: 200, body: 'not JSON' },
    { status: 200, body: [] },
    { status: 200, body: { rates: [{ carrier: 'USPS' }] } },
    { status: 200, body: { rates: [{ id: 'r', carrier: 'USPS', service: 'X', rate: '-1', currency: 'USD' }] } },
    { status: 422, body: { error: 'unknown' } },
  ]
  for (const fault of faults) {
    company.fault = fault
    await assert.rejects(ask(), isOutage, JSON.stringify(fault))
  }
})
