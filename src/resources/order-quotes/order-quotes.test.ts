import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import pg from 'pg'
import { blindEngine } from '../../../test/world/artwork-engine.ts'
import { callTool } from '../../../test/world/mcp.ts'
import { orderBuilder, shipTo, type Json } from '../../../test/world/order-builder.ts'
import { partner, type Answer } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'
import { until } from '../../../test/world/webhooks.ts'
import { sql } from '../../database/sql.ts'

/** Quotes of whole orders, beside the orders that are placed right after them, at the same moment. */

let asked = 0
const artist = createServer((_request, response) => {
  asked++
  response.writeHead(404).end()
})
await new Promise<void>((listening) => artist.listen(0, '127.0.0.1', listening))
after(() => artist.close())
const artworkUrl = `http://127.0.0.1:${(artist.address() as AddressInfo).port}/art.pdf`

const now = new Date()
const service = await testService({
  artworkEngine: blindEngine(),
  clock: () => now,
  variables: { ARTWORK_HOSTS: '127.0.0.1' },
})
const primary = await partner(service, 'primary')
const admin = await staff(service)
const build = orderBuilder(service.manifest)
const { main, second } = service.manifest.sites
const { root } = service.manifest.fixtures.divisions
const { products } = service.manifest.fixtures

const quoted = (body: Json): Promise<Answer> => primary.post('/v1/orders/quote', body)

function changed(statement: ReturnType<typeof sql>): Promise<Json[]> {
  return service.owner.production.statements.rows<Json>(statement)
}

/** What a quote and the reads of an order both tell. */
type Told = { order: Json; lines: Json[]; shipments: Json[] }

const orderKeys = [
  'siteId',
  'currency',
  'itemTotal',
  'discountTotal',
  'handlingTotal',
  'shippingTotal',
  'taxTotal',
  'creditApplied',
  'totalPrice',
  'shippingProvider',
  'shippingMethod',
]
const lineKeys = [
  'productId',
  'productName',
  'quantity',
  'lineListTotal',
  'productDiscount',
  'userDiscount',
  'lineTotal',
  'handlingTotal',
  'backorderQuantity',
  'turnaroundBusinessDays',
  'estimatedShipBy',
]
const shipmentKeys = ['shipTo', 'shippingTotal', 'estimatedShipBy', 'estimatedDeliveryFrom', 'estimatedDeliveryTo']

const picked = (record: Json, keys: readonly string[]): Json =>
  Object.fromEntries(keys.map((key) => [key, record[key]]))

function ofQuote(quote: any): Told {
  return {
    order: { ...picked(quote, orderKeys), waits: quote.requiresApproval },
    lines: quote.lines.map((line: Json) => ({ ...picked(line, lineKeys), partnerLineId: line.partnerLineId })),
    shipments: quote.shipments.map((shipment: any) => ({
      ...picked(shipment, shipmentKeys),
      lines: shipment.partnerLineIds,
    })),
  }
}

async function ofOrder(orderNumber: number): Promise<Told> {
  const at = `/v1/orders/${orderNumber}`
  const [order, items, shipments] = await Promise.all([
    primary.get(at),
    primary.get(`${at}/items`),
    primary.get(`${at}/shipments`),
  ])
  const externalIds = new Map(items.body.items.map((item: Json) => [item.itemNumber, item.externalId]))
  return {
    order: { ...picked(order.body, orderKeys), waits: order.body.status === 'PENDING_APPROVAL' },
    lines: items.body.items.map((item: Json) => ({ ...picked(item, lineKeys), partnerLineId: item.externalId })),
    shipments: shipments.body.shipments.map((shipment: any) => ({
      ...picked(shipment, shipmentKeys),
      lines: shipment.items.map(({ itemNumber }: Json) => externalIds.get(itemNumber)),
    })),
  }
}

/** Quotes an order and places it, and asserts that both tell the same. Answers the quote. */
async function assertAlike(body: Json): Promise<Answer> {
  const quote = await quoted(body)
  const placed = await primary.post('/v1/orders', body)
  const both = JSON.stringify({ body, quote: quote.body, placed: placed.body })
  if (quote.status === 200) {
    assert.equal(placed.body.status, 'completed', both)
    assert.deepEqual(ofQuote(quote.body), await ofOrder(placed.body.order.orderNumber), both)
  } else if (quote.body.code === 'quote_invalid') {
    assert.equal(placed.body.status, 'failed', both)
    // A stored order keeps its template variables in an order of its own.
    assert.deepEqual(
      quote.body.errors.map(({ path, detail }: Json) => `${String(path)}: ${String(detail)}`).toSorted(),
      placed.body.errors.map(({ field, detail }: Json) => `${String(field)}: ${String(detail)}`).toSorted(),
    )
  } else {
    const { requestId: _1, ...refused } = placed.body
    const { requestId: _2, ...refusedQuote } = quote.body
    assert.deepEqual([quote.status, refusedQuote], [placed.status, refused], both)
  }
  return quote
}

const places: Json[] = [
  shipTo,
  { ...shipTo, name: ' Dana Reyes ', address2: ' ', state: 'ca' },
  { ...shipTo, city: 'New York', state: 'NY', postalCode: '10001', company: 'Reyes & Co' },
  { ...shipTo, city: 'Portland', state: 'OR', postalCode: '97201' },
  { ...shipTo, city: 'Toronto', state: 'ON', postalCode: 'M5V 2T6', country: 'CA' },
  { ...shipTo, city: 'FPO', state: 'AP', postalCode: '96350' },
  { ...shipTo, city: 'London', state: 'LND', postalCode: 'EC1A 1BB', country: 'GB' },
]
const wrongPlaces: Json[] = [
  { ...shipTo, state: 'ZZ', postalCode: '9' },
  { ...shipTo, city: 'Berlin', state: 'BE', postalCode: '10115', country: 'DE' },
]
const place = fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...places) }, fc.constantFrom(...wrongPlaces))
const usualQuantity = fc.constantFrom(1, 2, 3, 24, 99, 100, 101, 250, 499, 500, 501, 1000)

type Goods = { productId: string; variantId?: number }
const usual: Record<number, Goods[]> = {
  [main]: [
    ...[60_001, 60_003, 60_004, 60_005].map((variantId) => ({ productId: products.stock, variantId })),
    ...[products.pod, products.template, products.withImages, 'SLO_100017'].map((productId) => ({ productId })),
    { productId: products.shared, variantId: 60_012 },
    { productId: 'SLO_100016', variantId: 60_021 },
  ],
  [second]: [{ productId: 'SLO_100101', variantId: 60_101 }, { productId: 'SLO_100102' }, { productId: 'SLS_100103' }],
}
const unusual: Goods[] = [
  { productId: products.stock },
  { productId: products.stock, variantId: 60_006 },
  { productId: products.pod, variantId: 60_001 },
  { productId: products.unpriceable },
  { productId: products.maxQuantity },
  { productId: products.templateLegacy },
  { productId: 'SLO_100010' },
  { productId: 'SLO_100011' },
  { productId: 'SLO_100012' },
  { productId: 'SLO_100014' },
  { productId: 'SLO_999999' },
]
const anyVariables = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(undefined, { Name: 'Avery Stone' }, { Name: 'Avery', Office: 'Chicago' }) },
  fc.constantFrom({ Nosuch: 'x', Other: 'y' }, { Office: 'Paris' }, { Name: 'A'.repeat(400) }),
)
const lineTo = (goods: Goods[], at: fc.Arbitrary<Json | undefined>) =>
  fc.record({
    goods: fc.oneof({ weight: 25, arbitrary: fc.constantFrom(...goods) }, fc.constantFrom(...unusual)),
    quantity: usualQuantity,
    shipTo: at,
    variables: anyVariables,
  })

const anyOrder: fc.Arbitrary<Json> = fc
  .record({ siteId: fc.constantFrom(main, main, second), isApart: fc.boolean() })
  .chain(({ siteId, isApart }) =>
    fc.record({
      siteId: fc.constant(siteId),
      shipTo: isApart ? fc.constant(undefined) : place,
      billTo: fc.option(place, { nil: undefined, freq: 3 }),
      divisionId: siteId === main ? fc.constantFrom(undefined, undefined, root, 987_654) : fc.constant(undefined),
      shippingProvider: fc.constantFrom(undefined, 'Parcelway', 'STORE', 'Nobody'),
      shippingMethod: fc.constantFrom(
        undefined,
        'National Post Priority',
        'Local courier',
        'Swiftline Freight',
        'Parcelway 2nd Day Air',
      ),
      lines: fc.array(lineTo(usual[siteId]!, isApart ? place : fc.constant(undefined)), {
        minLength: 1,
        maxLength: 5,
      }),
    }),
  )
  .map(({ lines, ...order }) => ({
    ...order,
    lines: lines.map(({ goods, quantity, shipTo: at, variables }, index) => ({
      ...goods,
      partnerLineId: `line ${index}`,
      quantity,
      ...(at ? { shipTo: at } : {}),
      ...(variables && [products.template, products.templateLegacy].includes(goods.productId)
        ? { templateVariables: variables }
        : {}),
    })),
  }))

/** What else of the world an order's price depends on. */
const anyWorld = fc.record({
  // Currencies with two, no and three decimals.
  currency: fc.constantFrom('USD', 'USD', 'JPY', 'KWD'),
  userDiscount: fc.constantFrom(null, '7.5', '33.333'),
  taxExempt: fc.constantFrom(false, false, false, true),
  requireApproval: fc.constantFrom(false, false, true),
  credit: fc.option(
    fc.record({
      amount: fc.constantFrom('5', '60', '5000000'),
      shippingApplicable: fc.constantFrom(true, false),
      handlingApplicable: fc.constantFrom(true, false),
      taxApplicable: fc.constantFrom(true, false),
    }),
  ),
})

async function arrange({ currency, userDiscount, taxExempt, requireApproval, credit }: any, siteId: number) {
  await changed(sql`update site set currency = ${currency} where site_id = any(${[main, second]}::int[])`)
  const [buyer] = await changed(sql`
    update site_user set discount_percent = ${userDiscount}, tax_exempt = ${taxExempt},
      orders_require_approval = ${requireApproval}
    where user_id = (select ordering_user_id from site where site_id = ${siteId})
    returning user_id`)
  await changed(sql`update credit_account set active = false where site_id = any(${[main, second]}::int[])`)
  if (!credit) return
  const opened = await admin.post('/staff/v1/production/credit-accounts', {
    siteId,
    userId: buyer!.userId,
    reference: randomUUID(),
    ...credit,
  })
  assert.equal(opened.status, 201, JSON.stringify(opened.body))
}

const runs = Number(process.env.QUOTE_RUNS ?? 60)

test('a quote of an order equals the order that is placed, amount by amount and date by date, or names its problems', async () => {
  const seen = { quoted: 0, refused: 0, severalProblems: 0, withCredit: 0, apart: 0 }
  await changed(sql`
    insert into product_discount (site_id, product_number, name, percent, starts_on, stops_on)
    values (${main}, 100002, 'Odd', 3.7, null, null)`)
  await fc.assert(
    fc.asyncProperty(anyOrder, anyWorld, async (order, world) => {
      await arrange(world, order.siteId as number)
      const body = { ...JSON.parse(JSON.stringify(order)), partnerOrderId: randomUUID() }
      const { status, body: quote } = await assertAlike(body)
      if (status === 200) {
        seen.quoted++
        if (Number(quote.creditApplied) > 0) seen.withCredit++
        if (quote.shipments.length > 1) seen.apart++
      } else if (quote.code === 'quote_invalid') {
        seen.refused++
        if (quote.errors.length > 1) seen.severalProblems++
      }
    }),
    { numRuns: runs, ...(process.env.QUOTE_SEED ? { seed: Number(process.env.QUOTE_SEED) } : {}), endOnFailure: true },
  )
  await arrange({ currency: 'USD', userDiscount: null, taxExempt: false, requireApproval: false }, main)
  for (const [what, times] of Object.entries(seen)) assert.ok(times > 0, `${what} ${JSON.stringify(seen)}`)
})

async function everyRow(): Promise<Json[]> {
  const tables = await changed(sql`
    select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
      and table_name not like 'request_log%' and table_name <> 'client_use'
    order by table_name`)
  const client = new pg.Client({ connectionString: service.databases.production })
  await client.connect()
  try {
    const counts: Json[] = []
    for (const { tableName } of tables) {
      const { rows } = await client.query(
        `select count(*) as count, md5(string_agg(each::text, '' order by each::text)) as text from ${String(tableName)} each`,
      )
      counts.push({ tableName, ...rows[0] })
    }
    return counts
  } finally {
    await client.end()
  }
}

test('a quote of an order writes nothing, fetches nothing and says so', async () => {
  const lines = [build.podLine({ artworkUrl }), build.stockLine()]
  // Workers still write about the orders of earlier tests. What a quote wrote would differ every time.
  await until(async () => {
    const before = await everyRow()
    const { status, body } = await quoted(build.order({ lines }))
    const bad = await quoted(build.order({ lines: [build.podLine({ productId: 'SLO_999999' })] }))
    assert.deepEqual([status, bad.status], [200, 422])
    assert.deepEqual(body.messages, [
      'What artworkUrl leads to was not fetched: a file that cannot be used still rejects the order.',
    ])
    return isDeepStrictEqual(await everyRow(), before)
  })
  assert.equal(asked, 0)
})

test('a quote of an order names every artworkUrl that its placement could never fetch', async () => {
  const unusable = [
    'http://10.0.0.1/art.pdf',
    'http://user:secret@example.com/art.pdf',
    'http://169.254.169.254/art.pdf',
  ]
  const lines = [artworkUrl, ...unusable].map((url, index) =>
    build.podLine({ artworkUrl: url, partnerLineId: `line-${index}` }),
  )
  const { status, body } = await quoted(build.order({ lines }))
  assert.deepEqual([status, body.code], [422, 'quote_invalid'])
  assert.deepEqual(
    body.errors.map(({ path }: { path: string }) => path),
    ['lines[1].artworkUrl', 'lines[2].artworkUrl', 'lines[3].artworkUrl'],
  )
  // The order's own words, for each URL alone: what can be fetched is fetched first.
  for (const [index, url] of unusable.entries()) {
    const order = build.order({ lines: [build.podLine({ artworkUrl: url })] })
    const { body: placed } = await primary.post('/v1/orders', order)
    assert.equal(placed.errors[0].detail, body.errors[index].detail)
  }
  const both = await quoted(
    build.order({ lines: [build.podLine({ productId: 'SLO_999999', artworkUrl: unusable[0] })] }),
  )
  assert.ok(both.body.errors.length >= 2, JSON.stringify(both.body.errors))
  assert.equal(asked, 0)
})

test('a quote of an order takes no locks: it answers while all that placing locks is held', async () => {
  const opened = await admin.post('/staff/v1/production/credit-accounts', {
    siteId: main,
    userId: (await changed(sql`select ordering_user_id from site where site_id = ${main}`))[0]!.orderingUserId,
    reference: randomUUID(),
    amount: '20.00',
  })
  assert.equal(opened.status, 201)
  const blocker = new pg.Client({ connectionString: service.databases.production })
  await blocker.connect()
  try {
    await blocker.query('begin')
    for (const table of ['variant', 'credit_account', 'product', 'site', 'site_user']) {
      await blocker.query(`select from ${table} for update`)
    }
    const { status, body } = await quoted(build.order({ lines: [build.stockLine()] }))
    assert.deepEqual([status, body.creditApplied], [200, '20.00'], JSON.stringify(body))
  } finally {
    await blocker.end()
  }
})

test('the credit that an order would draw is told only to credentials that may read credit', async () => {
  const pricing = await partner(service, 'primary', 'partner-api/products:read')
  const order = build.order({ lines: [build.stockLine()] })
  const { status, body } = await pricing.post('/v1/orders/quote', order)
  assert.deepEqual([status, body.creditApplied], [200, null])
  assert.notEqual((await quoted(order)).body.creditApplied, null)
  const ordering = await partner(service, 'primary', 'partner-api/orders:write')
  assert.equal((await ordering.post('/v1/orders/quote', order)).status, 403)
})

test('a quote of an order is refused like its submission, and takes it with and without a partnerOrderId', async () => {
  const { partnerOrderId: _, ...unnamed } = build.order() as { partnerOrderId: string }
  assert.equal((await quoted(unnamed)).status, 200)
  const { siteId: _1, ...nowhere } = unnamed as Json
  for (const body of [
    nowhere,
    { ...unnamed, siteId: service.manifest.sites.foreign },
    { ...unnamed, siteId: service.manifest.sites.noOrdering },
    { ...unnamed, divisionId: 987_654 },
    { ...unnamed, shipTo: undefined },
    { ...unnamed, lines: [] },
    { ...unnamed, surprise: 1 },
  ]) {
    const { requestId: _q, ...quote } = (await quoted(body)).body
    const { requestId: _p, ...refused } = (await primary.post('/v1/orders', { ...body, partnerOrderId: randomUUID() }))
      .body
    assert.ok(quote.status >= 400, JSON.stringify(quote))
    assert.deepEqual(quote, refused)
  }
})

test('an agent quotes an order as it would submit it, and reads every problem', async () => {
  const { siteId, shipTo: to, lines } = build.order()
  const answer = await callTool(primary, 'quote_order', { siteId, shipTo: to, lines })
  assert.ok(!answer.isError, JSON.stringify(answer.body))
  assert.deepEqual(ofQuote(answer.body), ofQuote((await quoted({ siteId, shipTo: to, lines })).body))
  const wrong = await callTool(primary, 'quote_order', {
    siteId,
    shipTo: { ...shipTo, state: 'ZZ' },
    lines: [build.podLine({ productId: 'SLO_999999' })],
  })
  assert.deepEqual([wrong.isError, wrong.body.errors.length], [true, 2])
})
