import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { advanceTo, placed } from '../../../test/world/production.ts'
import { staff } from '../../../test/world/staff.ts'
import { testService } from '../../../test/world/service.ts'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)

const packages = [{ trackingNumber: null, weightOunces: null }]

/** A new order of cards, packed, and shirts, which are not. */
async function newOrder() {
  const lines = [build.podLine(), build.stockLine()]
  const { orderNumber, lines: made } = await placed(primary, build.order({ lines }))
  await advanceTo(service, made[0]!, 'PACKING')
  const at = `/staff/v1/production/orders/${orderNumber}`
  const { shipmentNumber } = (await admin.get(at)).body.shipments[0]
  return {
    at,
    first: shipmentNumber as number,
    ship: (shipment: number, body: unknown) => admin.post(`${at}/shipments/${shipment}/ship`, body),
    shown: async () => (await primary.get(`/v1/orders/${orderNumber}/shipments`)).body.shipments,
  }
}

test('ORD-14 a part of a shipment ships in two packages, and the rest moves to a shipment of its own', async () => {
  const { at, first, ship, shown } = await newOrder()
  const unpacked = await ship(first, { packages })
  assert.deepEqual([unpacked.status, unpacked.body.code], [409, 'line_not_packed'])
  assert.equal(unpacked.body.detail, 'Line 2: The line is not packed yet.')

  const items = [{ lineNumber: 1, quantity: 250 }]
  const tracked = [
    { trackingNumber: '1Z1', trackingUrl: 'https://carrier.example.com/1Z1', weightOunces: '30.5' },
    { trackingNumber: '1Z2', weightOunces: null },
  ]
  const shipped = (await ship(first, { items, packages: tracked })).body
  assert.notEqual(shipped.lines[0].shippedOn, null)
  assert.deepEqual(
    shipped.shipments.map(({ status, items: inside }: { status: string; items: unknown }) => [status, inside]),
    [
      ['SHIPPED', items],
      ['OPEN', [{ lineNumber: 2, quantity: 3 }]],
    ],
  )
  const [told] = await shown()
  assert.deepEqual(
    [told.packages[0].trackingUrl, told.packages[0].weightOunces],
    ['https://carrier.example.com/1Z1', 30.5],
  )
  assert.equal((await ship(first, { packages })).body.code, 'shipment_shipped')
  assert.equal((await admin.post(`${at}/shipments/${first}/cancel`)).body.code, 'shipment_shipped')
  assert.equal((await admin.post(`${at}/lines/1/cancel`)).body.code, 'line_shipped')
  assert.equal((await admin.post(`${at}/cancel`)).body.code, 'order_shipped')
})

test('ORD-14 a line that is not packed does not ship, whatever station it has reached', async () => {
  const { orderNumber, lines } = await placed(primary, build.order({ lines: [build.podLine()] }))
  const at = `/staff/v1/production/orders/${orderNumber}`
  const { shipmentNumber } = (await admin.get(at)).body.shipments[0]
  const send = () => admin.post(`${at}/shipments/${shipmentNumber}/ship`, { packages })
  assert.equal((await send()).body.code, 'line_not_packed')
  for (const station of ['PREPRESS', 'QUEUED', 'PRINTING', 'FINISHING']) {
    await advanceTo(service, lines[0]!, station)
    const { status, body } = await send()
    assert.deepEqual([status, body.code], [409, 'line_not_packed'], station)
  }
  await advanceTo(service, lines[0]!, 'PACKING')
  assert.equal((await send()).status, 200)
})

test('items that a shipment does not contain and invalid packages are refused', async () => {
  const { first, ship } = await newOrder()
  for (const items of [
    [],
    [{ lineNumber: 1, quantity: 251 }],
    [{ lineNumber: 9, quantity: 1 }],
    [{ lineNumber: 1, quantity: 0 }],
    [
      { lineNumber: 1, quantity: 1 },
      { lineNumber: 1, quantity: 1 },
    ],
  ]) {
    assert.equal((await ship(first, { items, packages })).body.code, 'items_not_in_shipment', JSON.stringify(items))
  }
  for (const wrong of [
    { packages: [] },
    { packages: [{ trackingNumber: '1Z', weightOunces: '-1' }] },
    { packages: [{ trackingNumber: '1Z', weightOunces: null, trackingUrl: 'javascript:alert(1)' }] },
  ]) {
    assert.equal((await ship(first, wrong)).body.code, 'invalid_request', JSON.stringify(wrong))
  }
  const another = await newOrder()
  for (const shipment of [first + 1_000, another.first])
    assert.equal((await ship(shipment, { packages })).body.code, 'shipment_not_found')
})

test('a cancelled shipment stays listed, and its goods and its charge move to a new one', async () => {
  const { at, first, ship, shown } = await newOrder()
  const [earlier] = (await admin.get(at)).body.shipments
  const { shipments } = (await admin.post(`${at}/shipments/${first}/cancel`)).body
  assert.deepEqual(
    shipments.map(({ status, shippingTotal }: { status: string; shippingTotal: string }) => [status, shippingTotal]),
    [
      ['CANCELLED', earlier.shippingTotal],
      ['OPEN', earlier.shippingTotal],
    ],
  )
  assert.deepEqual(shipments[1].items, earlier.items)
  assert.equal((await shown())[0].status, 'CANCELLED')
  assert.equal((await admin.post(`${at}/shipments/${first}/cancel`)).body.code, 'shipment_cancelled')
  assert.equal((await ship(first, { packages })).body.code, 'shipment_cancelled')
})
