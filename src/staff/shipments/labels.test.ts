import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { orderBuilder, type Json } from '../../../test/world/order-builder.ts'
import { startEasyPost } from '../../../test/world/outside-companies.ts'
import { partner } from '../../../test/world/partner.ts'
import { advanceTo, placed } from '../../../test/world/production.ts'
import { testService } from '../../../test/world/service.ts'
import { staff, staffWith } from '../../../test/world/staff.ts'

/** Labels that a carrier sells for the packages of a shipment. */

const easyPost = await startEasyPost()
after(() => easyPost.close())
const service = await testService({
  variables: { EASYPOST_URL: easyPost.url, EASYPOST_API_KEY: easyPost.key },
})
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const { main } = service.manifest.sites
const centers = '/staff/v1/production/fulfilment-centers'
const services = `/staff/v1/production/sites/${main}/shipping-services`
const columbus = { address1: '1200 Harbor Rd', address2: 'Dock 4', city: 'Columbus', phone: '+1 614 555 0134' }
const unpaid = { status: 402, body: { error: { code: 'PAYMENT', message: 'Insufficient funds.', errors: [] } } }
const outage = { status: 500, body: {} }

afterEach(() => (easyPost.fault = undefined))

for (const { fulfilmentCenterId } of (await admin.get(centers)).body.fulfilmentCenters) {
  assert.equal((await admin.patch(`${centers}/${fulfilmentCenterId}`, { address: columbus })).status, 200)
}
const { body: ground } = await admin.post(services, {
  kind: 'CUSTOM',
  provider: 'USPS',
  serviceName: 'Ground',
  carrierService: 'USPS:GroundAdvantage',
  transitBusinessDaysMin: 2,
  transitBusinessDaysMax: 5,
})

async function newOrder(more: Json = { shippingMethod: 'Ground' }) {
  const { orderNumber, lines } = await placed(primary, build.order({ lines: [build.podLine()], ...more }))
  const at = `/staff/v1/production/orders/${orderNumber}`
  const [{ shipmentNumber, shippingServiceId }] = (await admin.get(at)).body.shipments
  const shipment = `${at}/shipments/${shipmentNumber}`
  return {
    orderNumber,
    at,
    line: lines[0]!,
    shippingServiceId,
    shipment,
    labels: `${shipment}/labels`,
    buy: (body: Json = { weightOunces: '12.50' }) => admin.post(`${shipment}/labels`, body),
    list: async () => (await admin.get(`${shipment}/labels`)).body.labels as Json[],
    back: (labelId: unknown) => admin.post(`${shipment}/labels/${labelId}/give-back`),
  }
}

test('a label is bought by the service of the shipment, and downloads as the PDF of the carrier', async () => {
  const order = await newOrder()
  assert.equal(order.shippingServiceId, ground.shippingServiceId)
  const { status, body } = await order.buy()
  assert.equal(status, 201, JSON.stringify(body))
  assert.deepEqual(
    [body.status, body.packageNumber, body.carrierService, body.weightOunces, body.price, body.currency],
    ['BOUGHT', 1, 'USPS:GroundAdvantage', '12.5', '6.25', 'USD'],
  )
  assert.match(body.trackingUrl, new RegExp(body.trackingNumber))
  const told = easyPost.shipments.get(easyPost.bought.at(-1)!)!
  assert.equal(told.to_address.street1, '500 Howard St')
  assert.deepEqual(
    [told.from_address.street1, told.from_address.city, told.from_address.phone],
    [columbus.address1, columbus.city, columbus.phone],
  )
  assert.equal((await admin.get(`${order.labels}/${body.labelId}/pdf`)).body, '%PDF-1.4\nlabel')
  assert.deepEqual(await order.list(), [body])
  const again = await order.buy()
  assert.deepEqual([again.status, again.body], [200, body])
  const other = await order.buy({ weightOunces: '20' })
  assert.deepEqual([other.status, other.body.code], [409, 'label_differs'])
})

test('two clicks at once buy one label', async () => {
  const order = await newOrder()
  const before = easyPost.bought.length
  const answers = await Promise.all([order.buy(), order.buy(), order.buy()])
  assert.equal(easyPost.bought.length, before + 1)
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  for (const { status, body } of answers) {
    assert.ok(status < 300 || (status === 409 && body.code === 'label_busy'), JSON.stringify(body))
  }
  assert.equal((await order.list()).length, 1)
})

test('a purchase whose answer was lost is resumed, and the carrier sells one label', async () => {
  for (const fault of [
    { ...outage, at: '/shipments', done: true as const },
    { ...outage, at: '/buy' },
    { ...outage, at: '/buy', done: true as const },
    { ...outage, at: '/label.pdf' },
  ]) {
    const order = await newOrder()
    const before = easyPost.bought.length
    const known = easyPost.shipments.size
    easyPost.fault = fault
    assert.equal((await order.buy()).status, 503)
    easyPost.fault = undefined
    const [left] = await order.list()
    assert.equal(left!.status, 'UNFINISHED')
    const second = await order.buy({ packageNumber: 2 })
    assert.deepEqual([second.status, second.body.code], [409, 'label_unfinished'])
    const { status, body } = await order.buy()
    assert.deepEqual([status, body.labelId, body.status], [201, left!.labelId, 'BOUGHT'])
    assert.equal(easyPost.bought.length, before + 1)
    // Only a parcel of which the carrier's answer was lost is announced again, which costs nothing.
    assert.equal(easyPost.shipments.size, known + (fault.at === '/shipments' ? 2 : 1))
  }
})

test('an unfinished label is not resumed for another parcel, and can be given back', async () => {
  const order = await newOrder()
  easyPost.fault = { ...outage, at: '/buy', done: true }
  assert.equal((await order.buy()).status, 503)
  easyPost.fault = undefined
  const differs = await order.buy({ weightOunces: '30' })
  assert.deepEqual([differs.status, differs.body.code], [409, 'label_differs'])
  const [{ labelId }] = (await order.list()) as [Json]
  const { status, body } = await order.back(labelId)
  assert.deepEqual([status, body.status], [200, 'GIVEN_BACK'])
  assert.equal(easyPost.shipments.get(easyPost.bought.at(-1)!)!.refund_status, 'submitted')
  assert.equal((await order.buy({ weightOunces: '30' })).status, 201)
})

test('a label is given back once, and the package can get another', async () => {
  const order = await newOrder()
  const { body } = await order.buy()
  easyPost.fault = { ...outage, at: '/refund' }
  assert.equal((await order.back(body.labelId)).status, 503)
  assert.equal((await order.buy()).body.code, 'label_differs')
  easyPost.fault = undefined
  const given = await order.back(body.labelId)
  assert.deepEqual([given.status, given.body.status], [200, 'GIVEN_BACK'])
  const asked = easyPost.asked.length
  assert.deepEqual((await order.back(body.labelId)).body, given.body)
  assert.equal(easyPost.asked.length, asked)
  const next = await order.buy()
  assert.equal(next.status, 201)
  assert.notEqual(next.body.labelId, body.labelId)

  easyPost.fault = { status: 422, body: { error: { code: 'X', message: 'The label was scanned.' } }, at: '/refund' }
  const refused = await order.back(next.body.labelId)
  assert.deepEqual([refused.status, refused.body.code], [409, 'carrier_refused'])
  assert.match(refused.body.detail, /was scanned/)
  assert.equal((await order.list()).at(-1)!.status, 'BOUGHT')
  assert.equal((await (await newOrder()).back(next.body.labelId)).body.code, 'label_not_found')
})

test('what the carrier refuses is told in its words, and can be tried again', async () => {
  const order = await newOrder()
  easyPost.fault = { ...unpaid, at: '/buy' }
  const refused = await order.buy()
  assert.deepEqual([refused.status, refused.body.code], [409, 'carrier_refused'])
  assert.match(refused.body.detail, /Insufficient funds/)
  easyPost.fault = undefined
  const [left] = await order.list()
  assert.deepEqual([left!.status, left!.refusal], ['REFUSED', 'Insufficient funds.'])
  assert.equal((await admin.get(`${order.labels}/${left!.labelId}/pdf`)).body.code, 'label_not_bought')
  assert.equal((await order.back(left!.labelId)).body.code, 'label_not_bought')
  assert.equal((await order.buy()).status, 201)
})

test('a label needs the address of the center, a service of a carrier, an open shipment and the permission', async () => {
  const order = await newOrder()
  const { fulfilmentCenterId } = (await admin.get(order.at)).body.shipments[0]
  const center = `${centers}/${fulfilmentCenterId}`
  await admin.patch(center, { address: null })
  const missing = await order.buy()
  assert.deepEqual([missing.status, missing.body.code], [422, 'sender_address_missing'])
  assert.match(missing.body.detail, /has no address\. Set its street/)
  const wrong = await admin.patch(center, { address: { ...columbus, city: ' ' } })
  assert.deepEqual([wrong.status, wrong.body.code], [422, 'fulfilment_center_not_usable'])
  await admin.patch(center, { address: columbus })

  const byTable = await (await newOrder({})).buy()
  assert.deepEqual([byTable.status, byTable.body.code], [422, 'service_not_by_carrier'])
  await admin.post(`${order.at}/hold`)
  assert.equal((await order.buy()).body.code, 'order_on_hold')
  await admin.post(`${order.at}/release`)
  await admin.post(`${order.at}/cancel`)
  assert.equal((await order.buy()).body.code, 'order_cancelled')
  const reader = await staffWith(service, ['AUDITOR'])
  assert.equal((await reader.post(order.labels)).body.code, 'not_permitted')

  const { body } = await admin.get('/staff/v1/sandbox/orders')
  const inSandbox = `/staff/v1/sandbox/orders/${body.orders[0].orderNumber}/shipments/1/labels`
  const without = await admin.post(inSandbox)
  assert.deepEqual([without.status, without.body.code], [409, 'carriers_not_set_up'])
})

test('a shipment leaves in the packages of its labels, which then cannot be given back', async () => {
  const order = await newOrder()
  await advanceTo(service, order.line, 'PACKING')
  const send = (body: Json) => admin.post(`${order.shipment}/ship`, body)
  assert.equal((await send({})).body.code, 'packages_missing')
  const second = (await order.buy({ packageNumber: 2, weightOunces: '8' })).body
  const first = (await order.buy()).body
  easyPost.fault = { ...outage, at: '/buy' }
  await order.buy({ packageNumber: 3 })
  easyPost.fault = undefined
  assert.equal((await send({})).body.code, 'label_unfinished')
  await order.back((await order.list()).at(-1)!.labelId)

  assert.equal((await admin.post(`${order.shipment}/cancel`)).body.code, 'label_in_use')
  const { status, body } = await send({})
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(
    body.shipments[0].packages,
    [first, second].map(({ packageNumber, trackingNumber, trackingUrl, weightOunces }) => ({
      packageNumber,
      trackingNumber,
      trackingUrl,
      weightOunces,
    })),
  )
  assert.equal((await order.back(first.labelId)).body.code, 'label_used')
  assert.equal((await order.buy({ packageNumber: 4, weightOunces: '1' })).body.code, 'shipment_shipped')
})

test('a shipment with a label goes where the label says, and as soon as it is given back, elsewhere', async () => {
  const order = await newOrder()
  const { body } = await order.buy()
  const offered = (await admin.get(services)).body.services as Json[]
  const other = offered.find((each) => each.enabled && each.shippingServiceId !== ground.shippingServiceId)
  const wish = { shippingServiceId: other!.shippingServiceId }
  const preview = () => admin.post(`${order.shipment}/change/preview`, wish)
  assert.equal((await preview()).body.code, 'label_in_use')
  await admin.post(`${order.at}/cancel`)
  assert.equal((await order.back(body.labelId)).body.status, 'GIVEN_BACK')
  const open = await newOrder()
  const label = (await open.buy()).body
  await open.back(label.labelId)
  assert.equal((await admin.post(`${open.shipment}/cancel`)).status, 200)
})
