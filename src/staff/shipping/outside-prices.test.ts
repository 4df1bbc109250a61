import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { startEasyPost, startStripeTax } from '../../../test/world/outside-companies.ts'
import { partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'

const easyPost = await startEasyPost()
const stripe = await startStripeTax()
after(() => Promise.all([easyPost.close(), stripe.close()]))
let now = 0
const service = await testService({
  monotonic: () => now,
  variables: {
    EASYPOST_URL: easyPost.url,
    EASYPOST_API_KEY: easyPost.key,
    STRIPE_URL: stripe.url,
    STRIPE_API_KEY: stripe.key,
  },
})
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const { main } = service.manifest.sites
const { pod } = service.manifest.fixtures.products
const site = `/staff/v1/production/sites/${main}`
const shipTo = {
  name: 'Dana Reyes',
  address1: '1301 Second Ave',
  city: 'Seattle',
  state: 'WA',
  postalCode: '98101',
  country: 'US',
}
const testAt = (address: object, more = '') =>
  admin.get(
    `${site}/address-test?productId=${pod}&quantity=250${more}&${new URLSearchParams(address as Record<string, string>)}`,
  )
const placeOf = ({ country, state, postalCode, city, address1 } = shipTo) => ({
  country,
  state,
  postalCode,
  city,
  address1,
})

afterEach(() => {
  easyPost.fault = undefined
  stripe.fault = undefined
  // What was told before is forgotten.
  now += 3_600_000
})

/** The order as staff see it. */
async function placed(order: object) {
  const answer = await primary.post('/v1/orders', order)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return (await admin.get(`/staff/v1/production/orders/${answer.body.order.orderNumber}`)).body
}

async function byCarrier(carrierService: string | null, serviceName: string): Promise<void> {
  const { body } = await admin.get(`${site}/shipping-services`)
  const { shippingServiceId } = body.services.find((each: { serviceName: string }) => each.serviceName === serviceName)
  const answer = await admin.patch(`${site}/shipping-services/${shippingServiceId}`, { carrierService })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}

test('an address test names each service with price, tax and days, and what an order there costs is the same', async () => {
  const { body } = await testAt(placeOf())
  assert.deepEqual(body.problems, [])
  const first = body.services.find((each: { isDefault: boolean }) => each.isDefault)
  assert.equal(first.delivers, true)
  const order = build.order({ shipTo, lines: [{ ...build.podLine(), productId: pod, quantity: 250 }] })
  const made = await placed(order)
  assert.deepEqual(
    [first.shippingTotal, first.taxTotal, first.totalPrice],
    [made.shippingTotal, made.taxTotal, made.totalPrice],
  )
  assert.ok(first.estimatedDeliveryFrom >= first.estimatedShipBy)
  assert.deepEqual(
    body.carrierOffers.map((offer: { carrierService: string }) => offer.carrierService),
    ['USPS:GroundAdvantage', 'UPS:NextDayAir'],
  )
})

test('an address test says what is wrong with an address, and changes nothing', async () => {
  const { body } = await testAt({ ...placeOf(), postalCode: '1' })
  assert.match(body.problems[0], /postal code must be/)
  assert.ok(body.services.every((each: { delivers: boolean }) => !each.delivers))
  for (const query of ['?country=US', '']) {
    const missing = await admin.get(`${site}/address-test${query}`)
    assert.deepEqual([missing.status, missing.body.code], [400, 'invalid_request'])
  }
})

test('a service that a carrier prices costs what the carrier says with the markup, in quotes and orders alike', async () => {
  const [{ serviceName }] = (await admin.get(`${site}/shipping-services`)).body.services
  await byCarrier('USPS:GroundAdvantage', serviceName)
  const offered = (await testAt(placeOf())).body
  const [offer] = offered.carrierOffers
  const tested = offered.services.find((each: { serviceName: string }) => each.serviceName === serviceName)
  assert.equal(tested.shippingTotal, offer.price)
  const order = build.order({ shipTo, shippingMethod: serviceName, lines: [{ ...build.podLine(), quantity: 250 }] })
  const made = await placed(order)
  assert.equal(made.shippingTotal, offer.price)
  // The order was priced by the offer of the test, which is good for ten minutes.
  assert.equal(easyPost.asked.filter((asked) => asked === 'POST /shipments').length > 0, true)

  easyPost.fault = { status: 500, body: {} }
  now += 3_600_000
  const quote = await primary.post('/v1/shipping/quote', {
    siteId: main,
    productId: pod,
    shipTo: { country: 'US', state: 'WA', postalCode: '98101' },
    weightOunces: 20,
  })
  assert.equal(quote.status, 503)
  easyPost.fault = undefined
  const again = await primary.post('/v1/shipping/quote', {
    siteId: main,
    productId: pod,
    shipTo: { country: 'US', state: 'WA', postalCode: '98101' },
    weightOunces: 20,
  })
  assert.equal(again.status, 200)
  assert.ok(again.body.quotes.some((each: { price: string }) => each.price === '7.00'))
  await byCarrier('DHL:Unknown', serviceName)
  const without = (await testAt(placeOf())).body.services
  assert.equal(without.find((each: { serviceName: string }) => each.serviceName === serviceName).delivers, false)
  await byCarrier(null, serviceName)
})

test('a site that a service taxes pays its percents, which later changes of the order keep', async () => {
  assert.equal((await admin.patch(site, { taxBy: 'SERVICE' })).status, 200)
  const order = build.order({ shipTo, lines: [{ ...build.podLine(), quantity: 100 }] })
  const made = await placed(order)
  const { itemTotal, discountTotal, handlingTotal, shippingTotal, taxTotal } = made
  const taxable = Number(itemTotal) - Number(discountTotal) + Number(handlingTotal) + Number(shippingTotal)
  assert.ok(Math.abs(Number(taxTotal) - taxable * 0.1035) < 0.03, `${taxTotal} of ${taxable}`)

  stripe.fault = { status: 500, body: {} }
  now += 3_600_000
  const tested = await testAt(placeOf())
  assert.equal(tested.status, 503)
  stripe.fault = undefined
  assert.equal((await admin.patch(site, { taxBy: 'TABLES' })).status, 200)
})

test('the sandbox has accounts of its own, and without one staff cannot choose a carrier or the tax service', async () => {
  const sandbox = `/staff/v1/sandbox/sites/${main}`
  const taxed = await admin.patch(sandbox, { taxBy: 'SERVICE' })
  assert.deepEqual([taxed.status, taxed.body.code], [409, 'tax_service_not_set_up'])
  const { body } = await admin.get(`${sandbox}/shipping-services`)
  const at = `${sandbox}/shipping-services/${body.services[0].shippingServiceId}`
  const priced = await admin.patch(at, { carrierService: 'USPS:GroundAdvantage' })
  assert.deepEqual([priced.status, priced.body.code], [409, 'carriers_not_set_up'])
  const wrong = await admin.patch(`${site}/shipping-services/${body.services[0].shippingServiceId}`, {
    carrierService: 'Ground',
  })
  assert.deepEqual([wrong.status, wrong.body.code], [422, 'service_not_usable'])
})
