import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../database/sql.ts'
import { publishOpenapi } from '../../publish/openapi.ts'
import { orderBuilder, type Json } from '../../../test/world/order-builder.ts'
import { everyPage } from '../../../test/world/pages.ts'
import { partner } from '../../../test/world/partner.ts'
import { chapters } from '../api.ts'
import { testService } from '../../../test/world/service.ts'

const service = await testService()
const { orders } = service.manifest.fixtures
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)

async function rows<Row = Json>(query: ReturnType<typeof sql>): Promise<Row[]> {
  return service.production.database.statements.rows<Row>(query)
}

async function itemsOf(orderNumber: number): Promise<Json[]> {
  return (await everyPage<Json>(primary, `/v1/orders/${orderNumber}/items`, 'items', 200)).items
}

async function place(changes: Json): Promise<number> {
  const answer = await primary.post('/v1/orders', build.order(changes))
  assert.equal(answer.body.status, 'completed', JSON.stringify(answer.body))
  return answer.body.order.orderNumber
}

const keys = [
  'orderNumber',
  'siteId',
  'itemNumber',
  'sku',
  'productId',
  'productName',
  'productCode',
  'jobName',
  'externalId',
  'quantity',
  'lineListTotal',
  'lineTotal',
  'shipped',
  'shippedOn',
  'cancelled',
  'estimatedShipBy',
  'shipBy',
  'turnaroundBusinessDays',
  'productionStatus',
  'proofStatus',
  'note',
  'attributes',
  'productDiscount',
  'userDiscount',
  'handlingTotal',
  'problem',
  'reorder',
  'backorderQuantity',
  'shippable',
  'digitalDelivery',
]

test('ORD-03 ORD-06 GEN-06 GEN-12 a line has the published keys, exact amounts and instants in UTC', async () => {
  for (const name of Object.keys(orders) as (keyof typeof orders)[]) {
    for (const item of await itemsOf(orders[name].orderNumber)) {
      assert.deepEqual(Object.keys(item), keys, name)
      assert.equal(item.orderNumber, orders[name].orderNumber)
      for (const key of ['lineListTotal', 'lineTotal', 'handlingTotal']) {
        if (item[key] !== null) assert.match(item[key] as string, /^\d+\.\d\d$/, `${name} ${key}`)
      }
      for (const key of ['shippedOn', 'estimatedShipBy', 'shipBy']) {
        if (item[key] !== null) assert.match(item[key] as string, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      }
    }
  }
})

test('ORD-05 ORD-07 a line is named by its order and item number; one without is listed all the same', async () => {
  const [item] = await itemsOf(orders.approved.orderNumber)
  assert.equal(item!.itemNumber, orders.approved.itemNumber)
  const [nameless] = await rows<{ orderNumber: number }>(sql`
    select order_number from order_line where item_number is null`)
  const listed = await itemsOf(nameless!.orderNumber)
  assert.deepEqual(
    listed.map(({ itemNumber }) => itemNumber),
    [null],
  )
  const numbers = await rows<{ itemNumber: number }>(sql`
    select item_number from order_line where order_number = ${orders.split.orderNumber} order by line_number`)
  const split = await itemsOf(orders.split.orderNumber)
  assert.deepEqual(
    split.map(({ itemNumber }) => itemNumber),
    numbers.map((row) => row.itemNumber),
  )
})

test('ORD-08 ORD-09 ORD-10 ORD-06 a line keeps the product, job name and line id the partner sent', async () => {
  const [variant] = await rows<{ sku: string }>(sql`
    select sku from variant where variant_id = ${service.manifest.fixtures.products.stockVariantId}`)
  const { sku: variantSku } = variant!
  const orderNumber = await place({
    lines: [build.podLine({ jobName: 'Grüße', partnerLineId: 'PL 1' }), build.stockLine({ sku: variantSku })],
  })
  const { pod, stock } = service.manifest.fixtures.products
  const items = await itemsOf(orderNumber)
  assert.deepEqual(
    items.map(({ productId, jobName, externalId, sku }) => [productId, jobName, externalId, sku]),
    [
      [pod, 'Grüße', 'PL 1', null],
      [stock, null, 'shirts', variantSku],
    ],
  )
})

test('ORD-11 ORD-12 ORD-13 quantity and lineTotal follow an adjustment, lineListTotal is the whole line at list price', async () => {
  const orderNumber = await place({ lines: [build.podLine({ quantity: 250 })] })
  const [placed] = await itemsOf(orderNumber)
  const [price] = await rows<{ unitPrice: string }>(sql`
    select unit_price from price_break where product_number = 100002 and from_quantity = 1`)
  assert.equal(placed!.quantity, 250)
  assert.ok(Number(placed!.lineListTotal) > Number(price!.unitPrice), 'for the whole line, not one piece')
  await rows(sql`
    update order_line set quantity = 240, line_total = 100.10 where order_number = ${orderNumber}`)
  const [adjusted] = await itemsOf(orderNumber)
  assert.deepEqual(
    [adjusted!.quantity, adjusted!.lineTotal, adjusted!.lineListTotal],
    [240, '100.10', placed!.lineListTotal],
  )
})

test('ORD-13 ORD-19 discounts show name, percent and amount, and lineTotal is the rest after them', async () => {
  const discounted = await itemsOf(await place({ lines: [build.podLine({ productId: 'SLO_100017', quantity: 100 })] }))
  const [ofProduct] = discounted as [{ productDiscount: Record<string, string>; userDiscount: null } & Json]
  assert.deepEqual(Object.keys(ofProduct.productDiscount), ['name', 'percent', 'amount'])
  assert.deepEqual([ofProduct.productDiscount.name, ofProduct.productDiscount.percent], ['Season opener', '12.5'])
  assert.equal(ofProduct.userDiscount, null)
  assert.equal(
    (Number(ofProduct.lineListTotal) - Number(ofProduct.productDiscount.amount)).toFixed(2),
    ofProduct.lineTotal,
  )

  const mug = { productId: 'SLO_100101', variantId: 60_101, partnerLineId: 'mug', quantity: 24 }
  const ofPartner = await itemsOf(await place({ siteId: service.manifest.sites.second, lines: [mug] }))
  const [line] = ofPartner as [{ userDiscount: Record<string, string>; productDiscount: null } & Json]
  assert.deepEqual([line.userDiscount.name, line.userDiscount.percent], ['Partner rate', '5'])
  assert.equal(line.productDiscount, null)
  assert.equal((Number(line.lineListTotal) - Number(line.userDiscount.amount)).toFixed(2), line.lineTotal)

  const [plain] = await itemsOf(orders.approved.orderNumber)
  assert.deepEqual([plain!.productDiscount, plain!.userDiscount], [null, null])
})

test('ORD-20 handling is charged apart from lineTotal', async () => {
  const orderNumber = await place({
    lines: [build.stockLine({ productId: 'SLO_100016', variantId: 60_021, quantity: 1 })],
  })
  const [kit] = await itemsOf(orderNumber)
  assert.deepEqual([kit!.lineTotal, kit!.handlingTotal], ['46.00', '4.50'])
})

test('ORD-14 ORD-15 ORD-16 shipped and cancelled describe the line, and a line not in production shows null', async () => {
  const split = await itemsOf(orders.split.orderNumber)
  assert.deepEqual(
    split.map(({ shipped, shippedOn }) => [shipped, shippedOn !== null]),
    [
      [true, true],
      [false, false],
      [false, false],
    ],
  )
  const cancelled = await itemsOf(orders.cancelledLine.orderNumber)
  assert.deepEqual(
    cancelled.map((item) => item.cancelled),
    [true, false],
  )
  const [resting] = await itemsOf(orders.noProofing.orderNumber)
  assert.deepEqual([resting!.productionStatus, resting!.proofStatus], [null, null])
  const [printing] = await itemsOf(orders.approved.orderNumber)
  assert.deepEqual([printing!.productionStatus, printing!.proofStatus], ['PRINTING', 'APPROVED'])
})

test('ORD-17 ORD-21 ORD-22 a line shows its note, that it has a problem but not which, and whether it is a reorder', async () => {
  const [noted] = await rows<{ orderNumber: number }>(sql`
    select order_number from order_line where note = 'Price by hand'`)
  assert.equal((await itemsOf(noted!.orderNumber))[0]!.note, 'Price by hand')
  const items = await itemsOf(orders.internalLine.orderNumber)
  assert.deepEqual(
    items.map(({ problem, reorder }) => [problem, reorder]),
    [[true, false]],
  )
  assert.ok(!JSON.stringify(items).includes('Color shift'))
  await rows(sql`update order_line set reorder = true where order_number = ${orders.approved.orderNumber}`)
  const [reordered] = await itemsOf(orders.approved.orderNumber)
  assert.deepEqual([reordered!.reorder, reordered!.problem, reordered!.note], [true, false, null])
})

test('ORD-18 variant attributes are pairs of name and choice, and none is an empty list', async () => {
  const [shirt] = await itemsOf(orders.split.orderNumber)
  assert.deepEqual(shirt!.attributes, [
    { name: 'Color', choice: 'Black' },
    { name: 'Size', choice: 'Medium' },
  ])
  const [card] = await itemsOf(orders.approved.orderNumber)
  assert.deepEqual(card!.attributes, [])
})

test('ORD-23 a backorder not computed is null, one computed is a number and may be 0', async () => {
  const split = await itemsOf(orders.split.orderNumber)
  assert.deepEqual(
    split.map((item) => item.backorderQuantity),
    [0, 0, 6],
  )
  const [printed] = await itemsOf(orders.approved.orderNumber)
  assert.equal(printed!.backorderQuantity, null)
})

test('ORD-24 ORD-25 goods that are delivered by link are not shippable, and no shipment ever shows them', async () => {
  const lines = [build.podLine(), build.podLine({ productId: 'SLO_100011', partnerLineId: 'file', quantity: 1 })]
  const orderNumber = await place({ lines })
  const [card, file] = await itemsOf(orderNumber)
  assert.deepEqual([card!.shippable, card!.digitalDelivery], [true, false])
  assert.deepEqual([file!.shippable, file!.digitalDelivery], [false, true])
  const { shipments } = (await primary.get(`/v1/orders/${orderNumber}/shipments`)).body
  assert.deepEqual(
    (shipments as { items: Json[] }[]).flatMap((shipment) => shipment.items.map((item) => item.itemNumber)),
    [card!.itemNumber],
  )
  const onlyFile = await place({ lines: lines.slice(1) })
  const none = await primary.get(`/v1/orders/${onlyFile}/shipments`)
  assert.deepEqual(none.body, { shipments: [], nextCursor: null })
  // Shippable goods may be delivered digitally too.
  await rows(sql`update order_line set digital_delivery = true where order_number = ${orders.approved.orderNumber}`)
  const [both] = await itemsOf(orders.approved.orderNumber)
  assert.deepEqual([both!.shippable, both!.digitalDelivery], [true, true])
})

test('ORD-26 ORD-27 ORD-28 ORD-29 lines hidden from the customer are never shown, even if no line is left', async () => {
  for (const name of ['hiddenLine', 'internalLine', 'siteMismatch'] as const) {
    const items = await itemsOf(orders[name].orderNumber)
    assert.equal(items.length, 1, name)
    assert.notEqual(items[0]!.itemNumber, orders[name].itemNumber, name)
    assert.equal(items[0]!.siteId, service.manifest.sites.main)
  }
  const empty = await primary.get(`/v1/orders/${orders.empty.orderNumber}/items`)
  assert.equal(empty.status, 200)
  assert.deepEqual(empty.body, { items: [], nextCursor: null })
})

test('ORD-28 if a line is hidden, the visible lines need not add up to the item total', async () => {
  const order = (await primary.get(`/v1/orders/${orders.siteMismatch.orderNumber}`)).body
  const items = await itemsOf(orders.siteMismatch.orderNumber)
  const together = items.reduce((total, item) => total + Number(item.lineListTotal), 0)
  assert.ok(together < Number(order.itemTotal))
})

test('GEN-08 a line without a price has null amounts, a free one zero', async () => {
  const [held] = await rows<{ orderNumber: number }>(sql`
    select order_number from order_line where item_number is null`)
  const [unpriced] = await itemsOf(held!.orderNumber)
  assert.deepEqual([unpriced!.lineListTotal, unpriced!.lineTotal], [null, null])
  const [free] = await itemsOf(await place({ lines: [build.podLine({ productId: 'SLO_100011', quantity: 1 })] }))
  assert.deepEqual([free!.lineListTotal, free!.lineTotal, free!.handlingTotal], ['0.00', '0.00', '0.00'])
})

test('LIM-12 PAG-03 PAG-05 a page holds 50 lines by default and at most 200, and each line appears on one page', async () => {
  const { orderNumber } = orders.manyLines
  const path = `/v1/orders/${orderNumber}/items`
  for (const [query, length] of [
    ['', 50],
    ['?limit=200', 200],
    ['?limit=201', 200],
    ['?limit=1', 1],
  ]) {
    const page = await primary.get(`${path}${query}`)
    assert.equal(page.body.items.length, length, `${query}`)
  }
  const stored = await rows<{ itemNumber: number }>(sql`
    select item_number from order_line where order_number = ${orderNumber} order by line_number`)
  const { items, sizes } = await everyPage<Json>(primary, path, 'items', 40)
  assert.deepEqual(
    items.map((item) => item.itemNumber),
    stored.map((row) => row.itemNumber),
  )
  assert.deepEqual(sizes, [40, 40, 40, 40, 40, 10])
  // Pages that end with the last line do not promise another.
  assert.deepEqual((await everyPage(primary, path, 'items', 105)).sizes, [105, 105])
})

test('ERR-09 ERR-18 ERR-20 the lines accept only a cursor of the same order, and no filters', async () => {
  const { nextCursor } = (await primary.get(`/v1/orders/${orders.manyLines.orderNumber}/items`)).body
  const code = async (query: string, orderNumber = orders.split.orderNumber): Promise<string> =>
    (await primary.get(`/v1/orders/${orderNumber}/items?${query}`)).body.code
  assert.equal(await code(`cursor=${nextCursor}`), 'invalid_cursor')
  assert.equal(await code('updatedSince=2026-01-01'), 'updated_since_not_supported')
  assert.equal(await code('status=SHIPPED'), 'unknown_query_parameter')
  assert.equal(await code('limit=0'), 'invalid_request')
})

test('ORD-30 the published description of estimatedShipBy calls it a non-binding estimate', () => {
  const url = 'https://api.example'
  const document = publishOpenapi(chapters, { baseUrl: url, mtlsBaseUrl: url, sandboxBaseUrl: url })
  const { schemas } = document.components as { schemas: { OrderItem: { properties: Json } } }
  assert.match(JSON.stringify(schemas.OrderItem.properties.estimatedShipBy), /estimate.*not a commitment/)
})
