import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../database/sql.ts'
import { orderBuilder, shipTo, type Json } from '../../../test/world/order-builder.ts'
import { everyPage } from '../../../test/world/pages.ts'
import { partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'

const service = await testService()
const { orders } = service.manifest.fixtures
const primary = await partner(service, 'primary')

async function rows<Row = Json>(query: ReturnType<typeof sql>): Promise<Row[]> {
  return service.production.database.statements.rows<Row>(query)
}

type Shipment = Json & { items: { itemNumber: number; quantity: number }[]; packages: Json[]; shipTo: Json | null }

async function shipmentsOf(orderNumber: number): Promise<Shipment[]> {
  return (await everyPage<Shipment>(primary, `/v1/orders/${orderNumber}/shipments`, 'shipments', 50)).items
}

const keys = [
  'shipmentNumber',
  'orderNumber',
  'siteId',
  'status',
  'provider',
  'serviceName',
  'packages',
  'items',
  'shipTo',
  'shippingTotal',
  'estimatedShipBy',
  'estimatedDeliveryFrom',
  'estimatedDeliveryTo',
  'shippedOn',
  'cancelledOn',
  'createdOn',
  'updatedOn',
]
const placeKeys = ['name', 'company', 'address1', 'address2', 'city', 'state', 'postalCode', 'country', 'phone']

test('ORD-04 GEN-06 GEN-12 a shipment has the published keys, an exact total and instants in UTC', async () => {
  for (const name of ['pendingReview', 'split', 'cancelledShipment', 'manyLines'] as const) {
    for (const shipment of await shipmentsOf(orders[name].orderNumber)) {
      assert.deepEqual(Object.keys(shipment), keys)
      assert.equal(shipment.orderNumber, orders[name].orderNumber)
      assert.match(shipment.shippingTotal as string, /^\d+\.\d\d$/)
      assert.deepEqual(Object.keys(shipment.shipTo!), placeKeys)
      for (const key of keys.filter((each) => each.endsWith('On') || each.startsWith('estimated'))) {
        if (shipment[key] !== null) assert.match(shipment[key] as string, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      }
    }
  }
})

test('ORD-04 ORD-14 a partly shipped order shows the shipped packages and the goods still to ship', async () => {
  const { items } = (await primary.get(`/v1/orders/${orders.split.orderNumber}/items`)).body
  const [first, second, third] = (items as { itemNumber: number }[]).map((item) => item.itemNumber)
  const [left, open] = await shipmentsOf(orders.split.orderNumber)
  assert.equal(left!.shipmentNumber, orders.split.shipmentNumber)
  assert.deepEqual([left!.status, open!.status], ['SHIPPED', 'OPEN'])
  assert.deepEqual([left!.shippedOn === null, open!.shippedOn === null], [false, true])
  assert.deepEqual(left!.items, [
    { itemNumber: first, quantity: 30 },
    { itemNumber: second, quantity: 4 },
  ])
  assert.deepEqual(open!.items, [
    { itemNumber: second, quantity: 6 },
    { itemNumber: third, quantity: 8 },
  ])
  assert.deepEqual(left!.packages, [
    {
      packageNumber: 1,
      trackingNumber: 'PW700100US',
      trackingUrl: 'https://track.parcelway.example/parcels/PW700100US',
      weightOunces: 195,
    },
    {
      packageNumber: 2,
      trackingNumber: 'PW700101US',
      trackingUrl: 'https://track.parcelway.example/parcels/PW700101US',
      weightOunces: 152.5,
    },
  ])
  assert.deepEqual(open!.packages, [])
})

test('ORD-04 a cancelled shipment stays listed, before its replacement', async () => {
  const shipments = await shipmentsOf(orders.cancelledShipment.orderNumber)
  assert.deepEqual(
    shipments.map(({ status, cancelledOn }) => [status, cancelledOn !== null]),
    [
      ['CANCELLED', true],
      ['OPEN', false],
    ],
  )
  assert.equal(shipments[0]!.shipmentNumber, orders.cancelledShipment.shipmentNumber)
})

test('ORD-26 ORD-27 ORD-28 no shipment lists lines that are hidden from the customer', async () => {
  for (const name of ['hiddenLine', 'internalLine', 'siteMismatch', 'empty'] as const) {
    const { orderNumber } = orders[name]
    const { items } = (await primary.get(`/v1/orders/${orderNumber}/items`)).body
    const visible = (items as Json[]).map((item) => item.itemNumber)
    const packed = (await shipmentsOf(orderNumber)).flatMap((shipment) => shipment.items.map((item) => item.itemNumber))
    assert.deepEqual(packed.toSorted(), visible.toSorted(), name)
    const [all] = await rows<{ count: number }>(sql`
      select count(*) as count from shipment_line where order_number = ${orderNumber}`)
    assert.ok(all!.count >= packed.length)
  }
  const [hidden] = await rows<{ count: number }>(sql`
    select count(*) as count from shipment_line where order_number = ${orders.hiddenLine.orderNumber}`)
  assert.equal(hidden!.count, 2, 'the hidden line travels all the same')
})

test('SUB-39 SUB-40 SUB-36 a shipment shows neither the e-mail address nor the notes of its order', async () => {
  const body = orderBuilder(service.manifest).order({
    shipTo: { ...shipTo, email: 'told@example.com' },
    shippingNotes: 'leave at the gate',
  })
  const placed = await primary.post('/v1/orders', body)
  const shipments = await shipmentsOf(placed.body.order.orderNumber)
  assert.deepEqual(shipments[0]!.shipTo, { ...shipTo, company: null, address2: null, phone: null })
  assert.doesNotMatch(JSON.stringify(shipments), /told@|gate/)
})

test('GEN-08 a shipment without price, address, carrier or dates has null for each', async () => {
  const { orderNumber } = orders.noProofing
  await rows(sql`
    update shipment set shipping_total = null, ship_to = null, provider = null, service_name = null,
      estimated_ship_by = null, estimated_delivery_from = null, estimated_delivery_to = null
    where order_number = ${orderNumber}`)
  const [shipment] = await shipmentsOf(orderNumber)
  const { shippingTotal, shipTo: place, provider, serviceName, estimatedShipBy, estimatedDeliveryTo } = shipment!
  assert.deepEqual(
    { shippingTotal, place, provider, serviceName, estimatedShipBy, estimatedDeliveryTo },
    {
      shippingTotal: null,
      place: null,
      provider: null,
      serviceName: null,
      estimatedShipBy: null,
      estimatedDeliveryTo: null,
    },
  )
})

test('LIM-14 PAG-05 a page holds 25 shipments by default and at most 50, oldest first, and each appears once', async () => {
  const { orderNumber } = orders.manyLines
  const path = `/v1/orders/${orderNumber}/shipments`
  for (const [query, length] of [
    ['', 25],
    ['?limit=50', 50],
    ['?limit=51', 50],
    ['?limit=1000', 50],
    ['?limit=1', 1],
  ]) {
    const page = await primary.get(`${path}${query}`)
    assert.equal(page.body.shipments.length, length, `${query}`)
  }
  const stored = await rows<{ shipmentNumber: number }>(sql`
    select shipment_number from shipment where order_number = ${orderNumber} order by shipment_number`)
  const { items, sizes } = await everyPage<Shipment>(primary, path, 'shipments', 20)
  assert.deepEqual(
    items.map((shipment) => shipment.shipmentNumber),
    stored.map((row) => row.shipmentNumber),
  )
  assert.deepEqual(sizes, [20, 20, 20])
})

test('ERR-09 ERR-18 ERR-20 the shipments accept only a cursor of the same order, and no filters', async () => {
  const { nextCursor } = (await primary.get(`/v1/orders/${orders.manyLines.orderNumber}/shipments`)).body
  const code = async (query: string): Promise<string> =>
    (await primary.get(`/v1/orders/${orders.split.orderNumber}/shipments?${query}`)).body.code
  assert.equal(await code(`cursor=${nextCursor}`), 'invalid_cursor')
  assert.equal(await code('updatedSince=2026-01-01'), 'updated_since_not_supported')
  assert.equal(await code('status=OPEN'), 'unknown_query_parameter')
  assert.equal(await code('limit=-1'), 'invalid_request')
})
