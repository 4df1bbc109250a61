import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../../database/sql.ts'
import { noTemplateVendor, type TemplateVendor } from '../../outside/template-vendor/template-vendor.ts'
import { newKey, orderBuilder, shipTo, type Json } from '../../../test/world/order-builder.ts'
import { partner, send, type Answer, type Partner } from '../../../test/world/partner.ts'
import { staff } from '../../../test/world/staff.ts'
import { testService } from '../../../test/world/service.ts'

/** A document with as many variables as a line may fill in, and the odd names some tests use. */
const wideVendor: TemplateVendor = {
  ...noTemplateVendor,
  document: async () => ({
    variables: ['Name', 'Job title', 'weird "key"\n', ...Array.from({ length: 50 }, (_, turn) => `v${turn}`)].map(
      (name) => ({ name, displayName: null, dataType: null, required: false, listItems: null }),
    ),
  }),
}

const service = await testService({ templateVendor: wideVendor })
const primary = await partner(service, 'primary')
const neighbour = await partner(service, 'neighbour')
const build = orderBuilder(service.manifest)

async function rows<Row>(query: ReturnType<typeof sql>): Promise<Row[]> {
  return service.production.database.statements.rows<Row>(query)
}

type Counts = { submissions: number; orders: number; lines: number; events: number; audits: number }

async function counts(): Promise<Counts> {
  const [row] = await rows<Counts>(sql`
    select (select count(*) from submission) as submissions, (select count(*) from orders) as orders,
      (select count(*) from order_line) as lines, (select count(*) from event) as events,
      (select count(*) from audit_record) as audits`)
  return row!
}

/** Submits what should become an order, and answers the order's number beside the submission. */
async function submitted(body: Json, by: Partner = primary): Promise<Answer & { orderNumber: number }> {
  const answer = await by.post('/v1/orders', body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  assert.equal(answer.body.status, 'completed', JSON.stringify(answer.body))
  return { ...answer, orderNumber: answer.body.order.orderNumber }
}

/** Submits what the platform should refuse, and answers what it says against it. */
async function rejected(body: Json): Promise<Json[]> {
  const earlier = await counts()
  const answer = await primary.post('/v1/orders', body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  assert.equal(answer.body.status, 'failed', JSON.stringify(answer.body))
  assert.ok(!('order' in answer.body))
  const now = await counts()
  assert.deepEqual(now, { ...earlier, submissions: earlier.submissions + 1, audits: earlier.audits + 1 })
  return answer.body.errors
}

test('SUB-01 SUB-04 SUB-05 SUB-06 SUB-12 SUB-16 a valid order answers 201 with a completed submission and its priced order', async () => {
  const body = build.order({ lines: [build.podLine(), build.stockLine()] })
  const answer = await submitted(body)
  assert.deepEqual(Object.keys(answer.body).toSorted(), [
    'createdOn',
    'order',
    'partnerOrderId',
    'siteId',
    'status',
    'submissionId',
    'updatedOn',
  ])
  assert.equal(answer.body.partnerOrderId, body.partnerOrderId)
  assert.equal(answer.body.siteId, body.siteId)
  assert.equal(answer.headers.get('retry-after'), null)
  assert.equal(answer.headers.get('location'), null)

  const { order } = answer.body
  assert.ok(Number.isInteger(order.projectId))
  assert.equal(typeof order.totalPrice, 'number')
  assert.deepEqual(
    order.lines.map((line: Json) => [line.partnerLineId, line.quantity]),
    [
      ['cards', 250],
      ['shirts', 3],
    ],
  )
  const read = await primary.get(`/v1/orders/${order.orderNumber}`)
  assert.equal(read.status, 200)
  assert.equal(read.body.partnerOrderId, body.partnerOrderId)
  assert.equal(read.body.submissionId, answer.body.submissionId)
  assert.equal(read.body.status, order.status)
  assert.equal(Number(read.body.totalPrice), order.totalPrice)
  const items = await primary.get(`/v1/orders/${order.orderNumber}/items`)
  assert.deepEqual(
    items.body.items.map((item: Json) => Number(item.lineListTotal)),
    order.lines.map((line: Json) => line.lineListTotal),
  )
})

test('SUB-06 SUB-07 VER-05 after an adjustment the items list shows the new price of a line, and the submission the original one', async () => {
  const answer = await submitted(build.order())
  const [line] = answer.body.order.lines
  assert.ok(!('unitListPrice' in line) && 'lineListTotal' in line)
  await rows(sql`
    update order_line set line_total = line_total - 5, quantity = 240 where order_number = ${answer.orderNumber}`)
  const again = await primary.get(`/v1/orders/submissions/${answer.body.submissionId}`)
  assert.deepEqual(again.body.order, answer.body.order)
  const { items } = (await primary.get(`/v1/orders/${answer.orderNumber}/items`)).body
  assert.equal(items[0].lineTotal, (line.lineTotalBeforeAdjustments - 5).toFixed(2))
  assert.equal(items[0].quantity, 240)
})

test('SUB-05 the submission shows the status and price that its order has now, and its lines as ordered', async () => {
  const admin = await staff(service)
  const body = build.order({ lines: [build.podLine(), build.stockLine()] })
  const answer = await submitted(body)
  const { submissionId, order: placed } = answer.body
  const at = `/staff/v1/production/orders/${answer.orderNumber}`
  const shown = async (): Promise<Json> => {
    const polled = (await primary.get(`/v1/orders/submissions/${submissionId}`)).body
    const { submissions } = (await primary.get('/v1/orders/submissions?limit=100')).body
    const listed = submissions.find((each: Json) => each.submissionId === submissionId)
    const replayed = (await primary.post('/v1/orders', body)).body
    assert.deepEqual([listed, replayed], [polled, polled])
    return polled.order
  }
  const orderNow = async () => (await primary.get(`/v1/orders/${answer.orderNumber}`)).body
  assert.deepEqual(await shown(), placed)

  assert.equal((await admin.post(`${at}/lines/1/adjust`, { quantity: 100 })).status, 200)
  assert.equal((await admin.post(`${at}/hold`)).status, 200)
  const held = await orderNow()
  assert.notEqual(Number(held.totalPrice), placed.totalPrice)
  assert.deepEqual(await shown(), { ...placed, status: 'ON_HOLD', totalPrice: Number(held.totalPrice) })

  assert.equal((await admin.post(`${at}/cancel`)).status, 200)
  assert.deepEqual(await shown(), { ...placed, status: 'CANCELLED', totalPrice: 0 })
})

test('ORD-06 a STOCK line has the SKU of its variant, whether or not it is sent, and any other is refused', async () => {
  const { stock, stockVariantId } = service.manifest.fixtures.products
  const { variants } = (await primary.get(`/v1/products/${stock}`)).body
  const { sku } = variants.find(({ variantId }: { variantId: number }) => variantId === stockVariantId)
  for (const sent of [undefined, '', ' ', '\u200b', sku]) {
    const { orderNumber } = await submitted(build.order({ lines: [build.stockLine({ sku: sent })] }))
    assert.equal((await primary.get(`/v1/orders/${orderNumber}/items`)).body.items[0].sku, sku)
  }
  const [error] = await rejected(build.order({ lines: [build.stockLine({ sku: `${sku}-X` })] }))
  assert.deepEqual([error!.code, error!.field], ['order_rejected', 'lines[0].sku'])
  assert.ok((error!.detail as string).includes(sku))

  await rows(sql`update variant set sku = null where variant_id = ${stockVariantId}`)
  const [without] = await rejected(build.order({ lines: [build.stockLine({ sku })] }))
  assert.equal(without!.field, 'lines[0].sku')
  await rows(sql`update variant set sku = ${sku} where variant_id = ${stockVariantId}`)
})

test('SUB-10 SUB-11 an identical body in another key order or notation answers 200 with the original submission', async () => {
  const body = build.order({ lines: [build.podLine({ jobName: 'Ünïcode' })] })
  const first = await submitted(body)
  const earlier = await counts()
  const reversed = Object.fromEntries(Object.entries(body).toReversed())
  const escaped = JSON.stringify(reversed, null, 4).replace('Ü', '\\u00dc').replace('250', '2.5e2')
  for (const sent of [body, reversed, escaped]) {
    const again = await primary.post('/v1/orders', sent)
    assert.equal(again.status, 200)
    assert.deepEqual(again.body, first.body)
    assert.equal(again.headers.get('retry-after'), null)
  }
  assert.deepEqual(await counts(), earlier)
})

test('ERR-55 a used partnerOrderId with any other body answers 409 and changes nothing', async () => {
  const body = build.order({ lines: [build.podLine({ jobName: 'Cards' })] })
  await submitted(body)
  const earlier = await counts()
  const others = [
    { ...body, shippingNotes: '' },
    { ...body, lines: [build.podLine({ jobName: 'cards' })] },
    { ...body, lines: [build.podLine({ jobName: 'Cards', quantity: 251 })] },
    // The key is looked up before site and division are.
    { ...body, siteId: service.manifest.sites.foreign },
    { ...body, siteId: service.manifest.sites.noOrdering },
    { ...body, divisionId: 1 },
  ]
  for (const other of others) {
    const answer = await primary.post('/v1/orders', other)
    assert.equal(answer.body.code, 'partner_order_id_reused')
  }
  assert.deepEqual(await counts(), earlier)
})

test('SUB-25 SUB-30 partners do not share keys: two partners may use the same key for different orders', async () => {
  const body = build.order()
  const own = await submitted(body)
  const theirs = await submitted(body, neighbour)
  assert.notEqual(theirs.body.submissionId, own.body.submissionId)
  assert.notEqual(theirs.orderNumber, own.orderNumber)
})

test('SUB-14 SUB-10 a replay answers 200 even after the ordering user was removed; a new order is refused', async () => {
  const { second } = service.manifest.sites
  const body = build.order({
    siteId: second,
    lines: [{ productId: 'SLO_100101', variantId: 60_101, partnerLineId: 'mug', quantity: 1 }],
  })
  const first = await submitted(body)
  const [site] = await rows<{ orderingUserId: number }>(sql`
    select ordering_user_id from site where site_id = ${second}`)
  await rows(sql`update site set ordering_user_id = null where site_id = ${second}`)
  try {
    const again = await primary.post('/v1/orders', body)
    assert.equal(again.status, 200)
    assert.deepEqual(again.body, first.body)
    const other = await primary.post('/v1/orders', { ...body, partnerOrderId: newKey() })
    assert.equal(other.body.code, 'ordering_not_provisioned')
  } finally {
    await rows(sql`update site set ordering_user_id = ${site!.orderingUserId} where site_id = ${second}`)
  }
})

test('SUB-13 SUB-14 a submission stores the body as sent, the ordering user at that time, and the resulting order', async () => {
  const body = build.order({ lines: [build.podLine({ templateVariables: undefined, jobName: 'Job' })] })
  const answer = await submitted(body)
  const [row] = await rows<Json>(sql`
    select submission.body, submission.order_number, submission.ordering_user_id, orders.user_id, orders.submission_id,
      orders.partner_order_id
    from submission join orders using (order_number) where submission.submission_id = ${answer.body.submissionId}`)
  const [site] = await rows<{ orderingUserId: number }>(sql`
    select ordering_user_id from site where site_id = ${service.manifest.sites.main}`)
  assert.deepEqual(row, {
    body: JSON.parse(JSON.stringify(body)),
    orderNumber: answer.orderNumber,
    orderingUserId: site!.orderingUserId,
    userId: site!.orderingUserId,
    submissionId: answer.body.submissionId,
    partnerOrderId: body.partnerOrderId,
  })
})

type Change = (valid: Json) => unknown

const changed =
  (changes: Json): Change =>
  (valid) => ({ ...valid, ...changes })
const without = (key: string): Change => changed({ [key]: undefined })
const withPlace = (changes: Json): Change => changed({ shipTo: { ...shipTo, ...changes } })
const rewritten =
  (change: (json: string) => string): Change =>
  (valid) =>
    change(JSON.stringify(valid))
const emoji = (length: number): string => '🖨'.repeat(length)
const long = (length: number): string => 'x'.repeat(length)
const variables = (count: number): Json => Object.fromEntries(Array.from({ length: count }, (_, at) => [`v${at}`, 'x']))

/**
 * Every way to write a wrong body: what it is, how it differs from a valid one, its code, and what the detail names.
 */
type WrongBody = [title: string, body: Change, code: string, names: RegExp]

function wrongBodies(): WrongBody[] {
  const { sites, fixtures } = service.manifest
  const withLine = (changes: Json): Change => changed({ lines: [build.podLine(changes)] })
  const email = { ...shipTo, email: 'dana@example.com' }
  const second = build.podLine({ partnerLineId: 'second' })
  const manyLines = Array.from({ length: 101 }, (_, at) => build.podLine({ partnerLineId: `${at}` }))
  const invalid = 'invalid_request'
  const site = 'invalid_site_id'
  return [
    ['no body', () => '', invalid, /body is required/],
    ['half a body', rewritten((json) => json.slice(0, -1)), invalid, /JSON|ends/],
    ['a repeated key', rewritten((json) => json.replace('{', '{"siteId":101,')), invalid, /siteId/],
    ['a NUL', withLine({ jobName: 'a\u0000b' }), invalid, /U\+0000|NUL/],
    ['a lone surrogate', rewritten((json) => json.replace('"cards"', '"\\ud83d"')), invalid, /surrogate/],
    ['a list', () => [], invalid, /object/],
    ['null', () => null, invalid, /object/],
    ['bytes that are not UTF-8', () => Buffer.from([0x7b, 0xff, 0x7d]), invalid, /UTF-8/],
    ['an unknown key', changed({ price: '1.00' }), invalid, /price/],
    ['a price on a line', withLine({ unitPrice: '1.00' }), invalid, /unitPrice/],
    ['an unknown key in ship-to', withPlace({ street: 'x' }), invalid, /street/],
    ['a key in other letters', changed({ siteid: 1 }), invalid, /siteid/],

    ['no siteId', without('siteId'), invalid, /siteId/],
    ['siteId as text', changed({ siteId: `${sites.main}` }), site, /siteId/],
    ['siteId null', changed({ siteId: null }), site, /siteId/],
    ['siteId 0', changed({ siteId: 0 }), site, /siteId/],
    ['siteId with a fraction', changed({ siteId: 101.5 }), site, /siteId/],
    ['siteId beyond its column', changed({ siteId: 2 ** 31 }), site, /siteId/],
    ['a site of others', changed({ siteId: sites.foreign }), site, /siteId/],
    ['a site of nobody', changed({ siteId: 999_999 }), site, /siteId/],

    ['no partnerOrderId', without('partnerOrderId'), invalid, /partnerOrderId/],
    ['partnerOrderId empty', changed({ partnerOrderId: '' }), invalid, /partnerOrderId/],
    ['partnerOrderId blank', changed({ partnerOrderId: '  ' }), invalid, /partnerOrderId/],
    ['partnerOrderId not ASCII', changed({ partnerOrderId: 'é' }), invalid, /partnerOrderId/],
    ['partnerOrderId with a tab', changed({ partnerOrderId: 'a\tb' }), invalid, /partnerOrderId/],
    ['partnerOrderId too long', changed({ partnerOrderId: long(101) }), invalid, /partnerOrderId/],
    ['partnerOrderId a number', changed({ partnerOrderId: 1 }), invalid, /partnerOrderId/],

    ['billTo with an e-mail address', changed({ billTo: email }), invalid, /billTo\.email/],
    ['billTo without a city', changed({ billTo: { ...shipTo, city: undefined } }), invalid, /billTo\.city/],
    ['billTo null', changed({ billTo: null }), invalid, /billTo/],
    ['divisionId of another site', changed({ divisionId: fixtures.foreign.divisionId }), invalid, /divisionId/],
    ['divisionId of another granted site', changed({ divisionId: 5021 }), invalid, /divisionId/],
    ['divisionId unknown', changed({ divisionId: 999_999 }), invalid, /divisionId/],
    ['divisionId not positive', changed({ divisionId: -1 }), invalid, /divisionId/],
    ['divisionId of an inactive division', changed({ divisionId: fixtures.divisions.inactive }), invalid, /divisionId/],
    ['divisionId as text', changed({ divisionId: `${fixtures.divisions.root}` }), invalid, /divisionId/],
    ['shippingProvider too long', changed({ shippingProvider: long(101) }), invalid, /shippingProvider/],
    ['shippingMethod too long', changed({ shippingMethod: long(101) }), invalid, /shippingMethod/],
    ['shippingMethod null', changed({ shippingMethod: null }), invalid, /shippingMethod/],
    ['shippingNotes too long', changed({ shippingNotes: long(1001) }), invalid, /shippingNotes/],

    ['no lines', without('lines'), invalid, /lines/],
    ['an empty list of lines', changed({ lines: [] }), invalid, /lines/],
    ['101 lines', changed({ lines: manyLines }), invalid, /lines/],
    ['lines not a list', changed({ lines: {} }), invalid, /lines/],
    ['a line not an object', changed({ lines: ['x'] }), invalid, /lines\[0\]/],
    ['no productId', withLine({ productId: undefined }), invalid, /lines\[0\]\.productId/],
    ['productId of another form', withLine({ productId: 'SLX_1' }), invalid, /lines\[0\]\.productId/],
    ['no partnerLineId', withLine({ partnerLineId: undefined }), invalid, /lines\[0\]\.partnerLineId/],
    ['partnerLineId not ASCII', withLine({ partnerLineId: 'ä' }), invalid, /partnerLineId/],
    ['partnerLineId too long', withLine({ partnerLineId: long(101) }), invalid, /partnerLineId/],
    [
      'a repeated partnerLineId',
      changed({ lines: [build.podLine(), build.podLine()] }),
      invalid,
      /lines\[1\].partnerLineId/,
    ],
    ['no quantity', withLine({ quantity: undefined }), invalid, /quantity/],
    ['quantity 0', withLine({ quantity: 0 }), invalid, /quantity/],
    ['quantity negative', withLine({ quantity: -1 }), invalid, /quantity/],
    ['quantity with a fraction', withLine({ quantity: 1.5 }), invalid, /quantity/],
    ['quantity as text', withLine({ quantity: '1' }), invalid, /quantity/],
    ['quantity null', withLine({ quantity: null }), invalid, /quantity/],
    [
      'quantity beyond what a number holds',
      // Replaced with its key, since the random partnerOrderId may contain the same digits.
      rewritten((json) => json.replace('"quantity":250', '"quantity":9007199254740993')),
      invalid,
      /beyond/,
    ],
    ['variantId as text', withLine({ variantId: '60001' }), invalid, /variantId/],
    ['variantId with a fraction', withLine({ variantId: 60_001.5 }), invalid, /variantId/],
    ['jobName too long', withLine({ jobName: long(201) }), invalid, /jobName/],
    ['artworkUrl too long', withLine({ artworkUrl: long(2001) }), invalid, /artworkUrl/],
    ['sku not a text', withLine({ sku: 1 }), invalid, /sku/],
    ['sku with an escape', withLine({ sku: 'a\u001b[31mb' }), invalid, /lines\[0\]\.sku must be one line/],
    ['jobName with a bell', withLine({ jobName: 'a\u0007' }), invalid, /lines\[0\]\.jobName must be one line/],
    ['jobName of two lines', withLine({ jobName: 'a\nb' }), invalid, /lines\[0\]\.jobName must be one line/],
    ['jobName with a separator', withLine({ jobName: 'a\u2028b' }), invalid, /lines\[0\]\.jobName must be one line/],
    ['shippingNotes with an escape', changed({ shippingNotes: 'a\u001bb' }), invalid, /shippingNotes must be text/],
    ['shippingNotes with a C1', changed({ shippingNotes: 'a\u009bb' }), invalid, /shippingNotes must be text/],
    ['a nested template variable', withLine({ templateVariables: { a: { b: 'c' } } }), invalid, /templateVariables/],
    ['a template variable that is a number', withLine({ templateVariables: { a: 1 } }), invalid, /templateVariables/],
    ['51 template variables', withLine({ templateVariables: variables(51) }), invalid, /templateVariables/],
    ['templateVariables a list', withLine({ templateVariables: [] }), invalid, /templateVariables/],
    ...['__proto__', 'constructor', 'prototype'].map((key): WrongBody => [
      `a template variable named ${key}`,
      rewritten((json) => json.replace('"quantity"', `"templateVariables":{"${key}":"x"},"quantity"`)),
      invalid,
      new RegExp(key),
    ]),

    ['ship-to nowhere', without('shipTo'), invalid, /shipTo/],
    ['ship-to on both levels', withLine({ shipTo }), invalid, /shipTo/],
    [
      'ship-to on some lines',
      changed({ shipTo: undefined, lines: [build.podLine({ shipTo }), second] }),
      invalid,
      /lines\[1\].shipTo/,
    ],
    ['ship-to null', changed({ shipTo: null }), invalid, /shipTo/],
    ['ship-to empty', changed({ shipTo: {} }), invalid, /shipTo/],
    [
      "a line's ship-to with an e-mail address",
      changed({ shipTo: undefined, lines: [build.podLine({ shipTo: email })] }),
      invalid,
      /email/,
    ],
    ...Object.keys(shipTo).flatMap((key): WrongBody[] => [
      [`ship-to without ${key}`, withPlace({ [key]: undefined }), invalid, new RegExp(`shipTo\\.${key}`)],
      [`ship-to with a blank ${key}`, withPlace({ [key]: ' ' }), invalid, new RegExp(`shipTo\\.${key}`)],
      [`ship-to with ${key} a number`, withPlace({ [key]: 1 }), invalid, new RegExp(`shipTo\\.${key}`)],
    ]),
    ...['USA', 'U', 'XX', 'EU', 'ÅÄ'].map((country): WrongBody => [
      `ship-to with the country ${country}`,
      withPlace({ country }),
      invalid,
      /shipTo\.country/,
    ]),
  ]
}

test('ERR-19 ERR-10 GEN-11 SUB-26 SUB-27 SUB-28 SUB-29 SUB-30 SUB-31 SUB-32 SUB-37 SUB-38 SUB-39 SUB-43 SUB-44 SUB-46 SUB-49 SUB-50 LIM-20 LIM-21 LIM-22 LIM-23 LIM-24 LIM-25 a wrong body is refused with its code, changes nothing and leaves its key free', async (context) => {
  for (const [title, body, code, names] of wrongBodies()) {
    await context.test(title, async () => {
      const valid = build.order()
      const earlier = await counts()
      const refused = await primary.post('/v1/orders', body(valid))
      assert.equal(refused.body.code, code, JSON.stringify(refused.body))
      assert.match(refused.body.detail, names)
      assert.deepEqual(await counts(), earlier)
      const [used] = await rows(sql`
        select from submission where partner_order_id = ${valid.partnerOrderId}`)
      assert.equal(used, undefined)
    })
  }
})

test('SUB-28 a refused body leaves its key free for the right one', async () => {
  const body = build.order()
  const refused = await primary.post('/v1/orders', { ...body, lines: [] })
  assert.equal(refused.status, 400)
  await submitted(body)
})

test('ERR-54 SUB-14 an order for a site without ordering user is refused after its form is checked, and its key stays free', async () => {
  const body = build.order()
  const there = { ...body, siteId: service.manifest.sites.noOrdering }
  const earlier = await counts()
  assert.equal((await primary.post('/v1/orders', there)).body.code, 'ordering_not_provisioned')
  assert.equal((await primary.post('/v1/orders', { ...there, divisionId: 1 })).body.code, 'ordering_not_provisioned')
  assert.equal((await primary.post('/v1/orders', { ...there, lines: [] })).body.code, 'invalid_request')
  assert.deepEqual(await counts(), earlier)
  await submitted(body)
})

test('ERR-42 without orders:write every submission route is refused, even if the request is wrong', async () => {
  const readonly = await partner(service, 'readonly')
  const earlier = await counts()
  for (const answer of [
    await readonly.post('/v1/orders', build.order()),
    await readonly.post('/v1/orders', '{'),
    await readonly.get('/v1/orders/submissions'),
    await readonly.get('/v1/orders/submissions?status=wrong'),
    await readonly.get(`/v1/orders/submissions/${service.manifest.fixtures.submissions.completed}`),
    await readonly.get('/v1/orders/submissions/wrong'),
  ]) {
    assert.equal(answer.body.code, 'insufficient_scope')
  }
  assert.deepEqual(await counts(), earlier)
})

test('LIM-19 a body of 256 KB is accepted and one more byte is refused, with or without Content-Length', async () => {
  const bytesMax = 262_144
  const body = build.order()
  const padded = (bytes: number): string => JSON.stringify(body).padEnd(bytes, ' ')
  const earlier = await counts()
  const announced = await primary.post('/v1/orders', padded(bytesMax + 1))
  assert.equal(announced.body.code, 'invalid_request')
  const unannounced = await fetch(`${primary.baseUrl}/v1/orders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${primary.token}`, 'content-type': 'application/json' },
    body: new Blob([padded(bytesMax + 1)]).stream(),
    duplex: 'half',
  })
  assert.deepEqual([unannounced.status, ((await unannounced.json()) as Json).code], [400, 'invalid_request'])
  assert.deepEqual(await counts(), earlier)
  const accepted = await primary.post('/v1/orders', padded(bytesMax))
  assert.equal(accepted.status, 201, JSON.stringify(accepted.body))
})

test('GEN-01 a body of another media type or encoding is refused', async () => {
  const body = JSON.stringify(build.order())
  const earlier = await counts()
  for (const headers of [
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  ]) {
    const answer = await primary.call('POST', '/v1/orders', body, headers as Record<string, string>)
    assert.equal(answer.body.code, 'invalid_request')
  }
  assert.deepEqual(await counts(), earlier)
  const accepted = await primary.call('POST', '/v1/orders', body, { 'content-type': 'Application/JSON; charset=utf-8' })
  assert.equal(accepted.status, 201)
})

test('ERR-20 GEN-09 a POST of an order accepts no query parameters', async () => {
  const earlier = await counts()
  const answer = await primary.post('/v1/orders?dryRun=true', build.order())
  assert.equal(answer.body.code, 'unknown_query_parameter')
  assert.match(answer.body.detail, /dryRun.*none/)
  assert.deepEqual(await counts(), earlier)
})

test('LIM-20 LIM-21 LIM-22 LIM-23 LIM-24 LIM-25 SUB-09 texts, lines and variables of maximum length are kept whole', async () => {
  const { template } = service.manifest.fixtures.products
  const lines = Array.from({ length: 100 }, (_, at) =>
    build.podLine({
      partnerLineId: `${at}`.padStart(100, '~'),
      quantity: 1,
      ...(at === 0
        ? {
            productId: template,
            jobName: emoji(200),
            sku: 'x'.repeat(255),
            templateVariables: Object.fromEntries(Array.from({ length: 50 }, (_each, turn) => [`v${turn}`, emoji(3)])),
          }
        : {}),
    }),
  )
  const body = build.order({
    partnerOrderId: newKey().padEnd(100, '~'),
    shippingProvider: emoji(100),
    shippingMethod: emoji(100),
    shippingNotes: emoji(1000),
    lines,
  })
  const answer = await primary.post('/v1/orders', body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  const [stored] = await rows<{ body: Json }>(sql`
    select body from submission where submission_id = ${answer.body.submissionId}`)
  assert.deepEqual(stored!.body, body)
  assert.equal(answer.body.status, 'completed', JSON.stringify(answer.body))
  const { items } = (await primary.get(`/v1/orders/${answer.body.order.orderNumber}/items?limit=200`)).body
  assert.deepEqual(
    items.map((item: Json) => item.externalId),
    lines.map((line) => line.partnerLineId),
  )
  assert.equal(items[0].jobName, emoji(200))
})

test('SUB-41 SUB-40 all lines go to the ship-to of the order, and its e-mail address is stored for the shipment notice', async () => {
  const place = { ...shipTo, company: 'Reyes & Co', address2: 'Floor 3', phone: '+1 415 555 0100' }
  const answer = await submitted(build.order({ shipTo: { ...place, email: 'dana@example.com' } }))
  const order = (await primary.get(`/v1/orders/${answer.orderNumber}`)).body
  assert.deepEqual(order.shipTo, { ...place, email: 'dana@example.com' })
  assert.equal(order.billTo, null)
  const { shipments } = (await primary.get(`/v1/orders/${answer.orderNumber}/shipments`)).body
  assert.deepEqual(
    shipments.map((shipment: Json) => shipment.shipTo),
    [place],
  )
  const [row] = await rows<Json>(sql`
    select ship_notification_email from orders where order_number = ${answer.orderNumber}`)
  assert.deepEqual(row, { shipNotificationEmail: 'dana@example.com' })
})

test('SUB-42 each line may have its own address, and each address gets a shipment', async () => {
  const elsewhere = { ...shipTo, name: 'Sam Ortiz', city: 'Albany', state: 'NY', postalCode: '12207' }
  const lines = [
    build.podLine({ shipTo }),
    build.podLine({ partnerLineId: 'away', shipTo: elsewhere }),
    build.stockLine({ shipTo }),
  ]
  const answer = await submitted(build.order({ shipTo: undefined, lines }))
  const order = (await primary.get(`/v1/orders/${answer.orderNumber}`)).body
  assert.equal(order.shipTo, null)
  const { items } = (await primary.get(`/v1/orders/${answer.orderNumber}/items`)).body
  const numbers = items.map((item: Json) => item.itemNumber)
  const { shipments } = (await primary.get(`/v1/orders/${answer.orderNumber}/shipments`)).body
  assert.deepEqual(
    (shipments as { shipTo: Json; items: Json[] }[]).map(({ shipTo: place, items: packed }) => [
      place.name,
      packed.map((item) => item.itemNumber),
    ]),
    [
      ['Dana Reyes', [numbers[0], numbers[2]]],
      ['Sam Ortiz', [numbers[1]]],
    ],
  )
})

test('SUB-28 SUB-31 SUB-32 bill-to and division are kept with the order', async () => {
  const { root } = service.manifest.fixtures.divisions
  const billTo = { ...shipTo, name: 'Accounts payable' }
  const answer = await submitted(build.order({ billTo, divisionId: root }))
  const order = (await primary.get(`/v1/orders/${answer.orderNumber}`)).body
  assert.equal(order.divisionId, root)
  assert.deepEqual(order.billTo, { ...billTo, company: null, address2: null, phone: null })
})

test("SUB-36 shipping notes are the shipment's internal notes, and no read shows them", async () => {
  const shippingNotes = `Ring twice ${randomUUID()}`
  const answer = await submitted(build.order({ shippingNotes }))
  const stored = await rows<Json>(sql`
    select internal_notes from shipment where order_number = ${answer.orderNumber}`)
  assert.deepEqual(stored, [{ internalNotes: shippingNotes }])
  const reads = await Promise.all(
    [
      `/v1/orders/${answer.orderNumber}`,
      `/v1/orders/${answer.orderNumber}/items`,
      `/v1/orders/${answer.orderNumber}/shipments`,
      `/v1/orders/submissions/${answer.body.submissionId}`,
    ].map((path) => primary.get(path)),
  )
  for (const read of [answer, ...reads]) assert.ok(!JSON.stringify(read.body).includes(shippingNotes))
})

test("SUB-33 SUB-34 SUB-35 provider and method match a service in any letter case, otherwise the site's default applies", async () => {
  const ground = ['Parcelway', 'Parcelway Ground']
  const wishes: [provider: string | undefined, method: string | undefined, chosen: string[]][] = [
    [undefined, undefined, ground],
    ['', '', ground],
    ['   ', '\n', ground],
    ['Nobody', undefined, ground],
    ['Nobody', 'Nothing', ground],
    ['sWiFtLiNe', undefined, ['Swiftline', 'Swiftline Home']],
    ['Swiftline', '', ['Swiftline', 'Swiftline Home']],
    ['Swiftline', 'swiftline EXPRESS', ['Swiftline', 'Swiftline Express']],
    [undefined, ' Parcelway 2nd Day Air ', ['Parcelway', 'Parcelway 2nd Day Air']],
    [undefined, 'will call', ['Store', 'Will call']],
    ['Nobody', 'Will call', ['Store', 'Will call']],
    // not enabled on the site
    ['Swiftline', 'Swiftline Freight', ['Swiftline', 'Swiftline Home']],
    [undefined, 'Swiftline Freight', ground],
  ]
  for (const [shippingProvider, shippingMethod, chosen] of wishes) {
    const answer = await submitted(build.order({ shippingProvider, shippingMethod }))
    const order = (await primary.get(`/v1/orders/${answer.orderNumber}`)).body
    assert.deepEqual([order.shippingProvider, order.shippingMethod], chosen, `${shippingProvider} / ${shippingMethod}`)
    const { shipments } = (await primary.get(`/v1/orders/${answer.orderNumber}/shipments`)).body
    assert.deepEqual([shipments[0].provider, shipments[0].serviceName], chosen)
  }
})

test('SUB-17 SUB-08 SUB-09 SUB-45 SUB-47 SUB-48 an order that the catalog or the stock does not allow fails with one entry for each problem', async () => {
  const { products, foreign } = service.manifest.fixtures
  const { stock, pod, unpriceable, maxQuantity } = products
  const cases: [title: string, line: Json, fields: string[]][] = [
    ['an unknown product', { productId: 'SLO_999999' }, ['productId']],
    ['a number no product can have', { productId: 'SLO_999999999999999999' }, ['productId']],
    ['a product of another site', { productId: foreign.productId }, ['productId']],
    ['a shared product under the wrong prefix', { productId: pod.replace('SLO', 'SLS') }, ['productId']],
    ['leading zeros', { productId: pod.replace('_', '_0') }, ['productId']],
    ['an inactive product', { productId: 'SLO_100015' }, ['productId']],
    ['a hidden product', { productId: 'SLO_100014' }, ['productId']],
    ['a product for others', { productId: 'SLO_100013' }, ['productId']],
    ['a product without a price', { productId: unpriceable }, ['productId']],
    ['a STOCK product without variant', { productId: stock }, ['variantId']],
    ['a variant of another product', { productId: stock, variantId: 60_021 }, ['variantId']],
    ['a variant not positive', { productId: stock, variantId: -1 }, ['variantId']],
    ['a variant beyond its column', { productId: stock, variantId: 2 ** 31 }, ['variantId']],
    ['an inactive variant', { productId: stock, variantId: 60_006 }, ['variantId']],
    ['a POD product with a variant', { productId: pod, variantId: 60_001 }, ['variantId']],
    ["more than the product's maximum", { productId: maxQuantity, quantity: 501 }, ['quantity']],
    ["fewer than the product's minimum", { productId: 'SLO_100010', quantity: 99 }, ['quantity']],
    ['more than there are', { productId: stock, variantId: 60_003, quantity: 6 }, ['quantity']],
    ['template variables for no template', { productId: pod, templateVariables: { a: 'b' } }, ['templateVariables']],
    ["a SKU that is not the variant's", { productId: stock, variantId: 60_001, quantity: 1, sku: 'MINE' }, ['sku']],
    ['two problems', { productId: stock, templateVariables: { a: 'b' } }, ['variantId', 'templateVariables']],
  ]
  for (const [title, line, fields] of cases) {
    const errors = await rejected(
      build.order({ lines: [build.podLine({ partnerLineId: 'good' }), build.podLine(line)] }),
    )
    assert.deepEqual(
      errors.map(({ code, field, partnerLineId }) => ({ code, field, partnerLineId })),
      fields.map((field) => ({ code: 'order_rejected', field: `lines[1].${field}`, partnerLineId: 'cards' })),
      title,
    )
    for (const { detail } of errors) assert.match(detail as string, /^[A-Z].*\.$/)
  }
})

test('SUB-08 SUB-09 problems of several lines and of the order are reported together', async () => {
  const errors = await rejected(
    build.order({
      shipTo: { ...shipTo, state: 'ZZ', postalCode: 'wrong' },
      lines: [build.podLine({ productId: 'SLO_1' }), build.stockLine({ variantId: undefined })],
    }),
  )
  assert.deepEqual(
    errors.map(({ field, partnerLineId }) => [field, partnerLineId]),
    [
      ['shipTo.state', undefined],
      ['shipTo.postalCode', undefined],
      ['lines[0].productId', 'cards'],
      ['lines[1].variantId', 'shirts'],
    ],
  )
  for (const error of errors) assert.equal(error.code, 'order_rejected')
})

test('GEN-13 GEN-15 SUB-45 a product id is valid only on the site of its product', async () => {
  const { second } = service.manifest.sites
  const mug = { productId: 'SLO_100101', variantId: 60_101, partnerLineId: 'mug', quantity: 1 }
  const [onMain] = await rejected(build.order({ lines: [mug] }))
  const [onSecond] = await rejected(build.order({ siteId: second, lines: [build.podLine()] }))
  assert.deepEqual([onMain!.field, onSecond!.field], ['lines[0].productId', 'lines[0].productId'])
  await submitted(build.order({ siteId: second, lines: [mug] }))
})

test('SUB-17 an address outside every delivery zone fails the submission', async () => {
  const berlin = { ...shipTo, city: 'Berlin', state: 'BE', postalCode: '10115', country: 'DE' }
  const [error, ...more] = await rejected(build.order({ shipTo: berlin }))
  assert.deepEqual([error!.field, more], ['shipTo', []])
  const [ofLine] = await rejected(build.order({ shipTo: undefined, lines: [build.podLine({ shipTo: berlin })] }))
  assert.equal(ofLine!.field, 'lines[0].shipTo')
})

test('SUB-17 two lines that need more of one variant than there is fail together, and the stock stays', async () => {
  const lines = ['a', 'b'].map((partnerLineId) => build.stockLine({ partnerLineId, variantId: 60_003, quantity: 3 }))
  const errors = await rejected(build.order({ lines }))
  assert.deepEqual(
    errors.map(({ field, partnerLineId }) => [field, partnerLineId]),
    [['lines[1].quantity', 'b']],
  )
  const [variant] = await rows<Json>(sql`select stock_quantity from variant where variant_id = 60003`)
  assert.deepEqual(variant, { stockQuantity: 5 })
})

test('SUB-44 SUB-17 an impossibly large quantity fails the submission and is not treated as a bug', async () => {
  const { pod, stock, stockVariantId, withImages } = service.manifest.fixtures.products
  for (const quantity of [1_000_000_000, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1]) {
    for (const line of [
      { productId: pod },
      { productId: withImages },
      // neither tracked nor weighed
      { productId: stock, variantId: 60_005 },
      { productId: stock, variantId: stockVariantId },
      { productId: stock, variantId: 60_004 },
    ]) {
      const errors = await rejected(
        build.order({ shippingMethod: 'Will call', lines: [build.podLine({ ...line, quantity })] }),
      )
      assert.ok(errors.length >= 1)
      for (const error of errors) assert.equal(error.field, 'lines[0].quantity', JSON.stringify(errors))
    }
  }
  assert.ok(!service.logLines.some((line) => line.includes('a bug keeps')))
})

test('SUB-44 SUB-17 the lines of an order may together backorder as many pieces as the stock record can hold, and no more', async () => {
  const kit = { productId: 'SLO_100016', variantId: 60_021, quantity: 999_999_999 }
  await rows(sql`update product set shippable = false where product_number = 100016`)
  await rows(sql`update variant set stock_quantity = 10, backorderable = true where variant_id = 60021`)
  const lines = ['a', 'b', 'c'].map((partnerLineId) => ({ ...kit, partnerLineId }))
  const errors = await rejected(build.order({ lines }))
  assert.deepEqual(
    errors.map(({ field, partnerLineId }) => [field, partnerLineId]),
    [['lines[2].quantity', 'c']],
  )
  const answer = await submitted(build.order({ lines: lines.slice(0, 2) }))
  const { items } = (await primary.get(`/v1/orders/${answer.orderNumber}/items`)).body
  assert.deepEqual(
    items.map((item: Json) => item.backorderQuantity),
    [999_999_989, 999_999_999],
  )
  assert.ok(!service.logLines.some((line) => line.includes('a bug keeps')))
})

test('SUB-10 SUB-18 a failed submission stays failed: the identical body gets the same answer', async () => {
  const body = build.order({ lines: [build.stockLine({ variantId: undefined })] })
  const first = await primary.post('/v1/orders', body)
  assert.equal(first.body.status, 'failed')
  const again = await primary.post('/v1/orders', body)
  assert.equal(again.status, 200)
  assert.deepEqual(again.body, first.body)
  const other = await primary.post('/v1/orders', { ...body, lines: [build.stockLine()] })
  assert.equal(other.body.code, 'partner_order_id_reused')
})

test('SUB-44 a blank job name and blank notes count as none; notes may have several lines', async () => {
  for (const blank of ['', ' ', '\u200b', '\u00a0']) {
    const lines = [build.podLine({ jobName: blank, sku: blank })]
    const { orderNumber } = await submitted(build.order({ shippingNotes: blank, lines }))
    const [item] = (await primary.get(`/v1/orders/${orderNumber}/items`)).body.items
    assert.deepEqual([item.jobName, item.sku], [null, null], JSON.stringify(blank))
    assert.deepEqual(await notesOf(orderNumber), [null])
  }
  const notes = 'Ring twice.\r\n\tThen wait.\nThen ring.'
  const { orderNumber } = await submitted(build.order({ shippingNotes: notes }))
  assert.deepEqual(new Set(await notesOf(orderNumber)), new Set([notes]))
})

async function notesOf(orderNumber: number): Promise<unknown[]> {
  const shipments = await rows<{ internalNotes: string | null }>(sql`
    select internal_notes from shipment where order_number = ${orderNumber}`)
  return shipments.map((each) => each.internalNotes)
}

test("SUB-44 SUB-49 a line keeps its name, sku, template variables and the partner's own id", async () => {
  const { template } = service.manifest.fixtures.products
  const templateVariables = { Name: 'Dana Reyes', 'Job title': '', 'weird "key"\n': '🖨' }
  const lines = [
    build.podLine({ productId: template, jobName: "Dana's cards", sku: 'MY-SKU', templateVariables }),
    build.stockLine(),
  ]
  const answer = await submitted(build.order({ lines }))
  const { items } = (await primary.get(`/v1/orders/${answer.orderNumber}/items`)).body
  assert.deepEqual(
    items.map((item: Json) => [item.externalId, item.jobName, item.sku]),
    [
      ['cards', "Dana's cards", 'MY-SKU'],
      ['shirts', null, items[1].sku],
    ],
  )
  assert.ok(items[1].sku)
  const stored = await rows<Json>(sql`
    select template_variables from order_line where order_number = ${answer.orderNumber} order by line_number`)
  assert.deepEqual(stored, [{ templateVariables: templateVariables }, { templateVariables: null }])
})

test("SUB-45 a shared product is ordered by its own id and taken from its master's stock", async () => {
  const [earlier] = await rows<{ stock: number }>(
    sql`select stock_quantity as stock from variant where variant_id = 60101`,
  )
  const lines = [
    { productId: service.manifest.fixtures.products.shared, variantId: 60_011, partnerLineId: 'mug', quantity: 7 },
  ]
  await submitted(build.order({ lines }))
  const [now] = await rows<{ stock: number }>(sql`select stock_quantity as stock from variant where variant_id = 60101`)
  assert.equal(now!.stock, earlier!.stock - 7)
})

test("SUB-02 SUB-23 SUB-25 PAG-05 the list shows the partner's own submissions, newest first, each once", async () => {
  for (let turn = 0; turn < 3; turn++) {
    await submitted(build.order())
    await submitted(build.order(), neighbour)
  }
  const stored = await rows<{ submissionId: string }>(sql`
    select submission_id from submission where partner_id = ${service.manifest.partners.primary!.partnerId}
    order by created_on desc, submission_id desc`)
  const seen: Json[] = []
  let path = '/v1/orders/submissions?limit=2'
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Answer = await primary.get(cursor ? `${path}&cursor=${cursor}` : path)
    assert.equal(page.status, 200)
    assert.ok(page.body.submissions.length === 2 || page.body.nextCursor === null)
    seen.push(...page.body.submissions)
    cursor = page.body.nextCursor
  }
  assert.deepEqual(
    seen.map((submission) => submission.submissionId),
    stored.map((row) => row.submissionId),
  )
  path = `/v1/orders/submissions/${seen[0]!.submissionId}`
  assert.deepEqual((await primary.get(path)).body, seen[0])
})

test('SUB-22 the list, the single read and the answer to the POST show the same submission', async () => {
  for (const body of [build.order(), build.order({ lines: [build.stockLine({ variantId: undefined })] })]) {
    const posted = await primary.post('/v1/orders', body)
    const read = await primary.get(`/v1/orders/submissions/${posted.body.submissionId}`)
    const listed = await primary.get('/v1/orders/submissions?limit=1')
    assert.deepEqual(read.body, posted.body)
    assert.deepEqual(listed.body.submissions, [posted.body])
  }
})

test('SUB-24 the status filter accepts only its four values', async () => {
  const { completed, failed } = service.manifest.fixtures.submissions
  for (const [status, submissionId] of [
    ['completed', completed],
    ['failed', failed],
  ]) {
    const { submissions } = (await primary.get(`/v1/orders/submissions?limit=100&status=${status}`)).body
    assert.ok(submissions.every((each: Json) => each.status === status))
    assert.ok(submissions.some((each: Json) => each.submissionId === submissionId))
  }
  for (const status of ['queued', 'processing']) {
    const answer = await primary.get(`/v1/orders/submissions?status=${status}`)
    assert.deepEqual(answer.body, { submissions: [], nextCursor: null })
  }
  for (const wrong of ['', 'Completed', 'done', 'completed,failed']) {
    const answer = await primary.get(`/v1/orders/submissions?status=${wrong}`)
    assert.equal(answer.body.code, 'invalid_request', wrong)
  }
})

test('LIM-15 a page holds 50 submissions by default and 100 at most, and a higher limit is refused', async () => {
  const { partnerId } = service.manifest.partners.primary!
  await rows(sql`
    insert into submission (submission_id, partner_id, partner_order_id, site_id, ordering_user_id, body_hash, body, status,
      outcome, created_on, updated_on)
    select gen_random_uuid(), ${partnerId}, 'crowd-' || turn, 101, 20001, '', '{}', 'failed', '{"errors":[]}', now(), now()
    from generate_series(1, 110) turn`)
  for (const [query, length] of [
    ['', 50],
    ['?limit=100', 100],
    ['?limit=1', 1],
  ]) {
    assert.equal((await primary.get(`/v1/orders/submissions${query}`)).body.submissions.length, length)
  }
  for (const limit of ['101', '1000000', '0', '-1', '1.5', 'ten', '']) {
    assert.equal((await primary.get(`/v1/orders/submissions?limit=${limit}`)).body.code, 'invalid_request', limit)
  }
})

test('ERR-09 ERR-18 ERR-20 the list refuses a foreign cursor, updatedSince and parameters it does not know', async () => {
  const { nextCursor } = (await primary.get('/v1/orders/submissions?limit=1')).body
  for (const [path, by] of [
    ['/v1/orders/submissions?cursor=nonsense', primary],
    [`/v1/orders/submissions?status=failed&cursor=${nextCursor}`, primary],
    [`/v1/orders/submissions?cursor=${nextCursor}`, neighbour],
    [`/v1/orders?cursor=${nextCursor}`, primary],
  ] as const) {
    assert.equal((await by.get(path)).body.code, 'invalid_cursor', path)
  }
  assert.equal((await primary.get('/v1/orders/submissions?updatedSince=x')).body.code, 'updated_since_not_supported')
  const unknown = await primary.get('/v1/orders/submissions?Status=failed')
  assert.equal(unknown.body.code, 'unknown_query_parameter')
  assert.match(unknown.body.detail, /"Status".*status, cursor, limit/)
})

/** A refusal without the fields that differ between any two. */
function problem({ status, body }: Answer): unknown {
  return [status, { ...body, requestId: undefined }]
}

test("SUB-03 ERR-21 ERR-48 TEN-02 a partner reads only its own submissions: a missing one and another partner's get the same answer", async () => {
  const own = await submitted(build.order())
  const path = `/v1/orders/submissions/${own.body.submissionId}`
  assert.deepEqual(
    (await primary.get(path.toUpperCase().replace('/V1/ORDERS/SUBMISSIONS', '/v1/orders/submissions'))).body,
    own.body,
  )
  const missing = await primary.get(`/v1/orders/submissions/${randomUUID()}`)
  assert.equal(missing.body.code, 'submission_not_found')
  assert.deepEqual(problem(await neighbour.get(path)), problem(missing))
  const foreign = service.manifest.fixtures.foreign.submissionId
  assert.deepEqual(problem(await primary.get(`/v1/orders/submissions/${foreign}`)), problem(missing))
  for (const wrong of ['1', 'x', `${own.body.submissionId}0`, own.body.submissionId.replaceAll('-', '')]) {
    const answer = await primary.get(`/v1/orders/submissions/${wrong}`)
    assert.equal(answer.body.code, 'invalid_submission_id', wrong)
  }
  assert.equal((await primary.get(`${path}?limit=1`)).body.code, 'unknown_query_parameter')
})

test('AUTH-19 an order without a credential is refused with 401, whether it is valid or not', async () => {
  const earlier = await counts()
  for (const body of [build.order(), '{']) {
    const answer = await send(primary.baseUrl, 'POST', '/v1/orders', body)
    assert.equal(answer.body.code, 'invalid_token')
  }
  assert.deepEqual(await counts(), earlier)
})
