import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderBuilder, shipTo as california, type Json } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { advanceTo, placed } from '../../../test/world/production.ts'
import { testService } from '../../../test/world/service.ts'
import { staff, staffWith } from '../../../test/world/staff.ts'
import { sql } from '../../database/sql.ts'

/** Where a shipment goes, and by which service, changes until it is packed; what it costs is shown before. */

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const owner = service.owner.production.statements
const { main } = service.manifest.sites

const newYork = {
  name: 'Noor Haddad',
  address1: '350 5th Ave',
  address2: 'Floor 21',
  city: 'New York',
  state: 'NY',
  postalCode: '10118',
  country: 'US',
}
const forces = {
  ...newYork,
  address1: 'Unit 2050 Box 4190',
  address2: '',
  city: 'APO',
  state: 'AP',
  postalCode: '96278',
}

const packages = [{ trackingNumber: null, weightOunces: null }]

async function newOrder(lines: Json[] = [build.podLine()], more: Json = {}) {
  const { orderNumber, lines: placedLines } = await placed(primary, build.order({ lines, ...more }))
  const at = `/staff/v1/production/orders/${orderNumber}`
  const read = async () => (await admin.get(at)).body
  const [{ shipmentNumber }] = (await read()).shipments
  const change = `${at}/shipments/${shipmentNumber}/change`
  return {
    orderNumber,
    shipmentNumber,
    placedLines,
    at,
    read,
    preview: (wish: Json, of = change) => admin.post(`${of}/preview`, wish),
    /** Previews a change, and makes it. */
    change: async (wish: Json, charge = true, of = change) => {
      const shown = await admin.post(`${of}/preview`, wish)
      assert.equal(shown.status, 200, JSON.stringify(shown.body))
      return admin.post(of, { ...wish, totalPrice: shown.body.after.totalPrice, charge })
    },
    send: (body: Json, of = change) => admin.post(of, body),
    seen: async () => ({
      order: (await primary.get(`/v1/orders/${orderNumber}`)).body,
      shipments: (await primary.get(`/v1/orders/${orderNumber}/shipments`)).body.shipments,
    }),
  }
}

const moneyOf = ({ itemTotal, discountTotal, handlingTotal, shippingTotal, taxTotal, totalPrice }: Json) => ({
  itemTotal,
  discountTotal,
  handlingTotal,
  shippingTotal,
  taxTotal,
  totalPrice,
})

async function otherService(serviceId: number): Promise<number> {
  const found = await owner.row<{ shippingServiceId: number }>(sql`
    select shipping_service_id from shipping_service
    where site_id = ${main} and enabled and shipping_service_id <> ${serviceId} order by sequence desc limit 1`)
  return found!.shippingServiceId
}

test('a preview shows price, tax and dates of another address, and changes nothing', async () => {
  const { preview, read } = await newOrder()
  const before = await read()
  const { status, body } = await preview({ shipTo: newYork })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(body.before, {
    shippingTotal: before.shippingTotal,
    taxTotal: before.taxTotal,
    totalPrice: before.totalPrice,
  })
  for (const key of ['shippingTotal', 'taxTotal', 'totalPrice'] as const) {
    assert.equal(
      Number(body.difference[key]).toFixed(2),
      (Number(body.after[key]) - Number(body.before[key])).toFixed(2),
    )
  }
  assert.notEqual(body.after.taxTotal, body.before.taxTotal)
  assert.ok(body.estimatedDeliveryFrom >= body.estimatedShipBy)
  assert.deepEqual(await read(), before)
})

test('what the preview showed is taken, and partners see the new address and service', async () => {
  const order = await newOrder()
  const { shippingServiceId } = (await order.read()).shipments[0]
  const wish = { shipTo: newYork, shippingServiceId: await otherService(shippingServiceId) }
  const shown = (await order.preview(wish)).body
  const changed = await order.send({ ...wish, totalPrice: shown.after.totalPrice, charge: true })
  assert.equal(changed.status, 200, JSON.stringify(changed.body))
  const { shippingTotal, taxTotal, totalPrice } = changed.body
  assert.deepEqual({ shippingTotal, taxTotal, totalPrice }, shown.after)
  const { order: partnerOrder, shipments } = await order.seen()
  assert.deepEqual(
    [partnerOrder.shipTo.city, partnerOrder.shipTo.address2, partnerOrder.shippingMethod, partnerOrder.totalPrice],
    ['New York', 'Floor 21', shown.service.serviceName, totalPrice],
  )
  assert.deepEqual(
    [shipments[0].shipTo.postalCode, shipments[0].serviceName, shipments[0].estimatedDeliveryTo],
    ['10118', shown.service.serviceName, shown.estimatedDeliveryTo],
  )
  // The order as it would be placed there today costs the same.
  const same = await primary.post(
    '/v1/orders',
    build.order({ shipTo: newYork, shippingMethod: shown.service.serviceName }),
  )
  const placedThere = (await primary.get(`/v1/orders/${same.body.order.orderNumber}`)).body
  assert.deepEqual(moneyOf(partnerOrder), moneyOf(placedThere))
})

test('without a charge the customer pays what they paid before, and the difference is on the record', async () => {
  const order = await newOrder()
  const before = await order.read()
  const shown = (await order.preview({ shipTo: newYork })).body
  const changed = (await order.change({ shipTo: newYork }, false)).body
  assert.deepEqual(moneyOf(changed), moneyOf(before))
  assert.equal(changed.shipments[0].shipTo.city, 'New York')
  assert.deepEqual(
    [changed.lines[0].taxPercent, changed.shipments[0].taxPercent],
    [before.lines[0].taxPercent, before.shipments[0].taxPercent],
  )
  const { records } = (
    await admin.get(
      `/staff/v1/production/audit-records?action=shipment.delivery_changed&subjectId=${order.shipmentNumber}`,
    )
  ).body
  assert.deepEqual([records[0].detail.charged, records[0].detail.difference], [false, shown.difference])
})

test('what a preview says is settled is by how much what is left to refund changes, whatever was refunded before', async () => {
  const far = { ...newYork, city: 'Anchorage', state: 'AK', postalCode: '99501' }
  for (const refunded of [undefined, { shipping: '1' }, { shipping: 'ALL' }, { everything: true }]) {
    const order = await newOrder([build.podLine()], { shipTo: far })
    const left = async () => Number((await admin.get(`${order.at}/money`)).body.left)
    if (refunded) {
      const made = await admin.post(`${order.at}/refunds`, {
        ...refunded,
        reference: `before-${order.orderNumber}`,
        to: 'OUTSIDE',
        outsideReference: 'bank-1',
      })
      assert.equal(made.status, 201, JSON.stringify(made.body))
    }
    // Nearer, then farther, then nearer again.
    for (const shipTo of [newYork, far, california]) {
      const before = await left()
      const shown = (await order.preview({ shipTo })).body
      const changed = await order.send({ shipTo, totalPrice: shown.after.totalPrice, charge: true })
      assert.equal(changed.status, 200, JSON.stringify(changed.body))
      assert.equal(shown.settled, ((await left()) - before).toFixed(2), JSON.stringify({ refunded, shipTo, shown }))
    }
  }
})

test('there and back costs nothing, to the cent, whichever way and however often', async () => {
  const order = await newOrder([build.podLine(), build.stockLine()])
  const before = await order.read()
  const home = { shipTo: california, shippingServiceId: before.shipments[0].shippingServiceId }
  const fast = await otherService(home.shippingServiceId)
  for (const [way, charge] of [
    [[{ shipTo: newYork }], true],
    [[{ shippingServiceId: fast }], true],
    [
      [
        { shipTo: newYork, shippingServiceId: fast },
        { shipTo: { ...newYork, state: 'TX', city: 'Austin', postalCode: '73301' } },
      ],
      true,
    ],
    [[{ shipTo: newYork }], false],
  ] as const) {
    for (const wish of way) assert.equal((await order.change(wish, charge)).status, 200)
    const back = await order.change(home)
    assert.equal(back.status, 200, JSON.stringify(back.body))
    assert.deepEqual(moneyOf(back.body), moneyOf(before))
  }
  assert.deepEqual((await order.read()).shipTo, before.shipTo)

  // Of a price agreed by hand, the agreement stays.
  await owner.rows(sql`update shipment set shipping_total = 1 where shipment_number = ${order.shipmentNumber}`)
  await owner.rows(sql`update shipment set shipping_offset = null where shipment_number = ${order.shipmentNumber}`)
  await order.change({ shippingServiceId: fast })
  assert.equal((await order.change(home)).body.shippingTotal, '1.00')
})

test('a change is refused when the order does not cost what was shown', async () => {
  const order = await newOrder()
  const shown = (await order.preview({ shipTo: newYork })).body
  const wrong = await order.send({ shipTo: newYork, totalPrice: shown.before.totalPrice, charge: true })
  assert.deepEqual([wrong.status, wrong.body.code], [409, 'price_changed'])
  await admin.post(`${order.at}/lines/1/adjust`, { quantity: 500 })
  const body = { shipTo: newYork, totalPrice: shown.after.totalPrice, charge: false }
  assert.equal((await order.send(body)).body.code, 'price_changed')
  assert.equal((await order.read()).shipTo.city, 'San Francisco')
})

test('addresses and services are refused with what is wrong', async () => {
  const order = await newOrder()
  const { shippingServiceId } = (await order.read()).shipments[0]
  const refused: [Json, string, RegExp][] = [
    [{ shipTo: { ...newYork, state: 'ZZ' } }, 'address_not_usable', /shipTo\.state/],
    [{ shipTo: { ...newYork, postalCode: '1011' } }, 'address_not_usable', /shipTo\.postalCode/],
    [{ shipTo: { ...newYork, country: 'QX' } }, 'address_not_usable', /shipTo\.country/],
    [{ shippingServiceId: 987_654 }, 'service_not_offered', /service/],
    [{ shippingServiceId }, 'nothing_to_change', /already/],
    [{ shipTo: california }, 'nothing_to_change', /already/],
    [{}, 'invalid_request', /./],
    [{ shipTo: { ...newYork, name: 'a\nb' } }, 'invalid_request', /shipTo\.name/],
  ]
  for (const [wish, code, detail] of refused) {
    const { body } = await order.preview(wish)
    assert.equal(body.code, code, JSON.stringify(wish))
    assert.match(body.detail, detail)
  }
  const apo = await order.preview({ shipTo: forces })
  assert.ok(apo.status === 200 || apo.body.code === 'not_deliverable', JSON.stringify(apo.body))
  const none = await admin.post(`${order.at}/shipments/1/change/preview`, { shipTo: newYork })
  assert.equal(none.body.code, 'shipment_not_found')
  const care = await staffWith(service, ['PRODUCTION'])
  assert.equal(
    (await care.post(`${order.at}/shipments/1/change/preview`, { shipTo: newYork })).body.code,
    'not_permitted',
  )
})

test('a packed, a shipped or a cancelled shipment goes where it goes', async () => {
  const order = await newOrder()
  const [line] = order.placedLines
  await advanceTo(service, line!, 'FINISHING')
  assert.equal((await order.preview({ shipTo: newYork })).status, 200)
  await admin.post(`${order.at}/lines/1/advance`)
  assert.equal((await order.preview({ shipTo: newYork })).body.code, 'shipment_packed')
  await admin.post(`${order.at}/lines/1/hold`)
  assert.equal((await order.preview({ shipTo: newYork })).body.code, 'shipment_packed')
  await admin.post(`${order.at}/lines/1/release`)
  await admin.post(`${order.at}/shipments/${order.shipmentNumber}/ship`, { packages })
  assert.equal((await order.preview({ shipTo: newYork })).body.code, 'shipment_shipped')
  const cancelled = await newOrder()
  await admin.post(`${cancelled.at}/cancel`)
  assert.equal((await cancelled.preview({ shipTo: newYork })).body.code, 'order_cancelled')
})

test('of several shipments one goes elsewhere, and the others go where they went', async () => {
  const lines = [build.podLine({ shipTo: california }), build.stockLine({ shipTo: newYork })]
  const order = await newOrder(lines, { shipTo: undefined })
  const [first, second] = (await order.read()).shipments
  assert.notEqual(first.shipTo.state, second.shipTo.state)
  const austin = { ...newYork, city: 'Austin', state: 'TX', postalCode: '73301' }
  const other = `${order.at}/shipments/${second.shipmentNumber}/change`
  const before = await order.read()
  const changed = (await order.change({ shipTo: austin }, true, other)).body
  assert.deepEqual(
    [changed.shipTo, changed.shipments[0].shipTo.city, changed.shipments[1].shipTo.city],
    [null, 'San Francisco', 'Austin'],
  )
  assert.equal(changed.lines[0].taxPercent, before.lines[0].taxPercent)
  const back = (await order.change({ shipTo: newYork }, true, other)).body
  assert.deepEqual(moneyOf(back), moneyOf(before))
})

test('a cheaper delivery gives credit back, and a dearer one draws no more', async () => {
  await owner.rows(sql`
    with opened as (
      insert into credit_account (site_id, user_id, amount, current_balance, issued_on)
      select site_id, ordering_user_id, 9000, 9000, now() from site where site_id = ${main}
      returning credit_account_id, site_id, user_id
    )
    insert into credit_adjustment (site_id, credit_account_id, type, amount, balance_after, user_id, created_on)
    select site_id, credit_account_id, 'ALLOTMENT', 9000, 9000, user_id, now() from opened`)
  const order = await newOrder()
  const before = await order.read()
  assert.ok(Number(before.creditApplied) > 0)
  const untaxed = { ...newYork, city: 'Portland', state: 'OR', postalCode: '97201' }
  const there = (await order.change({ shipTo: untaxed })).body
  const saved = Number(before.taxTotal) - Number(there.taxTotal)
  assert.ok(saved > 0)
  const cheaper = Math.max(Number(before.shippingTotal) - Number(there.shippingTotal), 0)
  assert.equal(Number(there.creditApplied).toFixed(2), (Number(before.creditApplied) - saved - cheaper).toFixed(2))
  const back = (await order.change({ shipTo: california })).body
  assert.deepEqual([back.totalPrice, back.creditApplied], [before.totalPrice, there.creditApplied])
})

test('of a change and a departure at the same moment, the label has the address where the goods go', async () => {
  for (let turn = 0; turn < 4; turn++) {
    const order = await newOrder()
    await advanceTo(service, order.placedLines[0]!, 'FINISHING')
    const shown = (await order.preview({ shipTo: newYork })).body
    const [changed, packed] = await Promise.all([
      order.send({ shipTo: newYork, totalPrice: shown.after.totalPrice, charge: true }),
      admin.post(`${order.at}/lines/1/advance`),
    ])
    assert.equal(packed.status, 200)
    if (changed.status !== 200) assert.equal(changed.body.code, 'shipment_packed')
    const { body } = await admin.post(`${order.at}/shipments/${order.shipmentNumber}/ship`, { packages })
    assert.equal(body.status, 'SHIPPED')
    assert.equal(body.shipments[0].shipTo.city, changed.status === 200 ? 'New York' : 'San Francisco')
  }
})

test('the same change sent twice at once is made once', async () => {
  const order = await newOrder()
  const shown = (await order.preview({ shipTo: newYork })).body
  const body = { shipTo: newYork, totalPrice: shown.after.totalPrice, charge: true }
  const answers = await Promise.all([order.send(body), order.send(body)])
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  const late = answers.find(({ status }) => status !== 200)!
  assert.ok(['price_changed', 'nothing_to_change'].includes(late.body.code), late.body.code)
  assert.equal((await order.read()).totalPrice, shown.after.totalPrice)
})
