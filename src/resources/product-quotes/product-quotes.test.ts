import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../database/sql.ts'
import { money } from '../../vocabulary/money.ts'
import { type Answer, partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'

/** Products of the demo cast that its manifest does not name. */
const kit = 'SLO_100016'
const digital = 'SLO_100011'
const forSegment = 'SLO_100013'
const hidden = 'SLO_100014'
const inactive = 'SLO_100015'
const discounted = 'SLO_100017'
const mug = 'SLO_100101'
const sharedBack = 'SLS_100103'
const apron = 'SLO_100401'
const brochure = 'SLO_100102'
const withoutOrdering = 'SLO_100302'

const service = await testService()
const primary = await partner(service, 'primary')

async function change(statement: ReturnType<typeof sql>): Promise<void> {
  await service.owner.production.statements.rows(statement)
}

function quote(productId: string, body: unknown): Promise<Answer> {
  return primary.post(`/v1/products/${productId}/quote`, body)
}

async function priced(productId: string, body: unknown): Promise<Answer['body']> {
  const answer = await quote(productId, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

/** Status, code and detail of a refused quote. */
async function refused(productId: string, body: unknown): Promise<[number, string, string]> {
  const { status, body: problem } = await quote(productId, body)
  return [status, problem.code, problem.detail]
}

test('PQ-01 a quote prices the quantity at its break and shows every break', async () => {
  const { pod } = service.manifest.fixtures.products
  const { quotedOn, ...quoted } = await priced(pod, { quantity: 300 })
  assert.ok(Math.abs(Date.now() - Date.parse(quotedOn)) < 60_000)
  assert.deepEqual(quoted, {
    productId: pod,
    siteId: service.manifest.sites.main,
    variantId: null,
    quantity: 300,
    currency: 'USD',
    lineListTotal: '63.00', // 300 at 0.42 × 0.5
    productDiscount: null,
    lineTotal: '63.00',
    handlingTotal: '0.00',
    turnaroundBusinessDays: 3,
    quantityBreaks: [
      { quantity: 1, lineListTotal: '0.42' },
      { quantity: 100, lineListTotal: '29.40' },
      { quantity: 250, lineListTotal: '52.50' },
      { quantity: 500, lineListTotal: '75.60' },
      { quantity: 1000, lineListTotal: '105.00' },
    ],
    grid: [],
    messages: [],
  })
})

test('other quantities are priced beside the one that is asked for, each as a quote of its own prices it', async () => {
  for (const [productId, variantId] of [[discounted], [mug, 60_101], [kit, 60_021]] as const) {
    const quantities = [1, 24, 25, 96, 100, 249, 250, 1000]
    const which = variantId ? { variantId } : {}
    const { grid } = await priced(productId, { quantity: 5, quantities, ...which })
    assert.deepEqual(
      grid.map((each: { quantity: number }) => each.quantity),
      quantities,
    )
    for (const { quantity, unitPrice, problem, ...amounts } of grid) {
      const { lineListTotal, productDiscount, lineTotal, handlingTotal } = await priced(productId, {
        quantity,
        ...which,
      })
      assert.deepEqual(
        amounts,
        { lineListTotal, productDiscount, lineTotal, handlingTotal },
        `${productId} ${quantity}`,
      )
      assert.equal(money(unitPrice).times(quantity).toFixed(2), money(lineListTotal).toFixed(2))
      assert.equal(problem, null)
    }
  }
})

test('of other quantities that cannot be ordered the quote says why, and still prices those that have a price', async () => {
  const { maxQuantity } = service.manifest.fixtures.products
  const { grid } = await priced(maxQuantity, { quantity: 100, quantities: [500, 501] })
  assert.deepEqual([grid[0].problem, grid[1].lineTotal], [null, '460.92'])
  assert.match(grid[1].problem, /500/)
  const letterhead = (await priced('SLO_100010', { quantity: 100, quantities: [99] })).grid
  assert.match(letterhead[0].problem, /100/)
  await change(sql`update price_break set from_quantity = 50 where product_number = 100010 and from_quantity = 1`)
  const [none] = (await priced('SLO_100010', { quantity: 100, quantities: [49] })).grid
  assert.deepEqual([none.unitPrice, none.lineListTotal, none.lineTotal, none.handlingTotal], [null, null, null, null])
  assert.ok(none.problem)
  await change(sql`update price_break set from_quantity = 1 where product_number = 100010 and from_quantity = 50`)
})

test('other quantities are a list of 1 to 20 different positive whole numbers', async () => {
  const { pod } = service.manifest.fixtures.products
  for (const quantities of [
    [],
    [0],
    [1.5],
    ['5'],
    [5, 5],
    null,
    5,
    Array.from({ length: 21 }, (_, index) => index + 1),
  ]) {
    const [status, code] = await refused(pod, { quantity: 100, quantities })
    assert.deepEqual([status, code], [400, 'invalid_request'], JSON.stringify(quantities))
  }
})

test('PQ-01 a quote shows the product discount, includes the user discount without showing it, and lists handling apart', async () => {
  const season = await priced(discounted, { quantity: 100 })
  assert.deepEqual(season.productDiscount, { name: 'Season opener', percent: '12.5', amount: '3.68' })
  assert.deepEqual([season.lineListTotal, season.lineTotal], ['29.40', '25.72'])

  const ofSecond = await priced(mug, { quantity: 10, variantId: 60_101 })
  assert.deepEqual([ofSecond.lineListTotal, ofSecond.productDiscount, ofSecond.lineTotal], ['99.50', null, '94.52'])

  const welcome = await priced(kit, { quantity: 2, variantId: 60_021 })
  assert.deepEqual([welcome.lineTotal, welcome.handlingTotal], ['92.00', '4.50'])
  assert.deepEqual(welcome.messages, ['Orders of this product wait for approval.'])
})

test('a discount outside its dates does not apply, and the better of two valid ones does', async () => {
  const { pod } = service.manifest.fixtures.products
  await change(sql`
    insert into product_discount (site_id, product_number, name, percent, starts_on, stops_on) values
      (101, 100002, 'Tomorrow', 50, now() + interval '1 day', null),
      (101, 100002, 'Yesterday', 50, null, now() - interval '1 day'),
      (101, 100002, 'Small', 5, null, null),
      (101, 100002, 'Better', 10, now() - interval '1 day', now() + interval '1 day')`)
  assert.equal((await priced(pod, { quantity: 100 })).productDiscount.name, 'Better')
  await change(sql`delete from product_discount where product_number = 100002`)
  assert.equal((await priced(pod, { quantity: 100 })).productDiscount, null)
})

test("a share sells at its master's prices until it has its own, with the discount of the user of its own site", async () => {
  const ofMaster = await priced(sharedBack, { quantity: 100 })
  assert.deepEqual([ofMaster.lineListTotal, ofMaster.lineTotal, ofMaster.siteId], ['29.40', '27.93', 102])
  await change(sql`insert into price_break (product_number, from_quantity, unit_price) values (100103, 1, 0.5)`)
  const own = await priced(sharedBack, { quantity: 100 })
  assert.deepEqual(own.quantityBreaks, [{ quantity: 1, lineListTotal: '0.50' }])
  assert.equal(own.lineListTotal, '50.00')
})

test('ERR-63 a share is not sold while its master is inactive', async () => {
  const setActive = (active: boolean) =>
    change(sql`
      update product set active = ${active}
      where product_number = (select master_number from product where product_number = 100103)`)
  await setActive(false)
  const [status, code, detail] = await refused(sharedBack, { quantity: 100 })
  assert.deepEqual([status, code], [422, 'quote_invalid'])
  assert.match(detail, /not active/)
  await setActive(true)
  assert.equal((await quote(sharedBack, { quantity: 100 })).status, 200)
})

test("a variant's own prices replace the product's, also on a share", async () => {
  const { shared } = service.manifest.fixtures.products
  await change(sql`
    insert into price_break (product_number, variant_id, from_quantity, unit_price) values (100101, 60102, 1, 9)`)
  const each = { quantity: 1 }
  assert.equal((await priced(mug, { ...each, variantId: 60_102 })).lineListTotal, '9.00')
  assert.equal((await priced(mug, { ...each, variantId: 60_101 })).lineListTotal, '9.95')
  assert.equal((await priced(mug, each)).lineListTotal, '9.95')
  assert.equal((await priced(shared, { ...each, variantId: 60_012 })).lineListTotal, '9.00')
  assert.equal((await priced(shared, { ...each, variantId: 60_011 })).lineListTotal, '9.95')
})

test('if only some variants have prices, the request must name one of them', async () => {
  await change(sql`update price_break set variant_id = 60401 where product_number = 100401`)
  await change(sql`
    insert into variant (variant_id, site_id, product_number, created_on, updated_on)
    values (60499, 105, 100401, now(), now())`)
  assert.deepEqual(await refused(apron, { quantity: 1 }), [422, 'quote_invalid', 'A stock product needs a variantId.'])
  assert.equal((await quote(apron, { quantity: 1, variantId: 60_401 })).status, 200)
  assert.equal((await refused(apron, { quantity: 1, variantId: 60_499 }))[1], 'quote_product_not_found')
})

test('ERR-38 quantity must be a positive integer', async () => {
  const { pod } = service.manifest.fixtures.products
  for (const body of [
    {},
    { quantity: 0 },
    { quantity: -1 },
    { quantity: 1.5 },
    { quantity: '5' },
    { quantity: null },
  ]) {
    assert.deepEqual((await refused(pod, body)).slice(0, 2), [400, 'invalid_quantity'], JSON.stringify(body))
  }
  for (const body of [[], 'x', { quantity: 1, price: 1 }]) {
    assert.deepEqual((await refused(pod, body)).slice(0, 2), [400, 'invalid_request'], JSON.stringify(body))
  }
})

test('ERR-29 a variantId must be a positive integer, and a POD product accepts none', async () => {
  const { pod, stock, stockVariantId } = service.manifest.fixtures.products
  for (const variantId of [0, -1, 1.5, '60001', null]) {
    const body = { quantity: 1, variantId }
    assert.deepEqual((await refused(stock, body)).slice(0, 2), [400, 'invalid_variant_id'], JSON.stringify(body))
  }
  const [status, code, detail] = await refused(pod, { quantity: 1, variantId: stockVariantId })
  assert.deepEqual([status, code], [400, 'invalid_variant_id'])
  assert.equal(detail, 'A print-on-demand product has no variants: leave variantId out.')
})

test('ERR-63 PQ-02 a quantity outside the limits is refused with the limit in the detail', async () => {
  const { maxQuantity } = service.manifest.fixtures.products
  assert.equal((await quote(maxQuantity, { quantity: 500 })).status, 200)
  assert.deepEqual(await refused(maxQuantity, { quantity: 501 }), [
    422,
    'quote_invalid',
    'The quantity must be at most 500.',
  ])
  assert.deepEqual(await refused('SLO_100010', { quantity: 99 }), [
    422,
    'quote_invalid',
    'The quantity must be at least 100.',
  ])
  assert.equal((await refused(maxQuantity, { quantity: Number.MAX_SAFE_INTEGER }))[1], 'quote_invalid')
})

test('ERR-63 a quote is refused for the reasons that an order would be refused for', async () => {
  const { stock } = service.manifest.fixtures.products
  const expected: [string, object, RegExp][] = [
    [inactive, { quantity: 1 }, /not active/],
    [hidden, { quantity: 1 }, /not offered/],
    [forSegment, { quantity: 1 }, /not offered/],
    [stock, { quantity: 1, variantId: 60_006 }, /variant is not active/],
    [stock, { quantity: 6, variantId: 60_003 }, /Only 5 are in stock/],
    [stock, { quantity: 1, variantId: 60_201 }, /no such variant/],
    [stock, { quantity: 1, variantId: 999_999_999 }, /no such variant/],
  ]
  for (const [productId, body, detail] of expected) {
    const [status, code, said] = await refused(productId, body)
    assert.deepEqual([status, code], [422, 'quote_invalid'], productId)
    assert.match(said, detail)
  }
  await change(sql`
    insert into user_segment (site_id, user_id, segment_id, auto_assigned)
    select site_id, ordering_user_id, 301, false from site where site_id = 101`)
  assert.equal((await quote(forSegment, { quantity: 1 })).status, 200)
})

test('a shortage that may be backordered is a message, not a refusal', async () => {
  const quoted = await priced(service.manifest.fixtures.products.stock, { quantity: 6, variantId: 60_004 })
  assert.deepEqual(quoted.messages, ['4 of 6 are not in stock and will be backordered.'])
})

test('ERR-46 a product without any price cannot be quoted', async () => {
  const { unpriceable } = service.manifest.fixtures.products
  assert.deepEqual((await refused(unpriceable, { quantity: 1 })).slice(0, 2), [404, 'quote_product_not_found'])
})

test('GEN-08 a price of zero is a price', async () => {
  assert.equal((await priced(digital, { quantity: 1 })).lineTotal, '0.00')
})

test('a quote for a site without an ordering user has no user discount, and says so', async () => {
  const quoted = await priced(withoutOrdering, { quantity: 100 })
  assert.deepEqual([quoted.lineTotal, quoted.messages.length], ['29.40', 1])
})

test('TEN-02 ERR-45 a foreign product and a missing one get the same answer to every request', async () => {
  const { foreign } = service.manifest.fixtures
  const answers = await Promise.all(
    [foreign.productId, 'SLO_999999999', 'SLS_100002', 'SLO_0100002'].flatMap((id) => [
      quote(id, { quantity: 1 }),
      quote(id, { quantity: 1, variantId: foreign.variantId }),
    ]),
  )
  for (const answer of answers) {
    assert.deepEqual([answer.status, answer.body.code], [404, 'product_not_found'])
    assert.deepEqual({ ...answer.body, requestId: '' }, { ...answers[0]!.body, requestId: '' })
  }
})

test('PQ-01 an order placed right after a quote costs what the quote says, to the cent', async () => {
  const { second } = service.manifest.sites
  await change(sql`
    insert into product_discount (site_id, product_number, name, percent) values (102, 100102, 'Paper', 7.5)`)
  const lines = [
    { productId: mug, variantId: 60_102, quantity: 37 },
    { productId: brochure, quantity: 333 },
  ]
  const quotes = []
  for (const { productId, ...body } of lines) quotes.push(await priced(productId, body))
  const submitted = await primary.post('/v1/orders', {
    siteId: second,
    partnerOrderId: `quoted-${process.pid}`,
    shipTo: {
      name: 'Dana Reyes',
      address1: '500 Howard St',
      city: 'San Francisco',
      state: 'CA',
      postalCode: '94105',
      country: 'US',
    },
    lines: lines.map((line, index) => ({ ...line, partnerLineId: `line-${index}` })),
  })
  assert.equal(submitted.body.status, 'completed', JSON.stringify(submitted.body))
  const { items } = (await primary.get(`/v1/orders/${submitted.body.order.orderNumber}/items`)).body
  for (const [index, quoted] of quotes.entries()) {
    for (const field of ['quantity', 'lineListTotal', 'productDiscount', 'lineTotal', 'handlingTotal']) {
      assert.deepEqual(items[index][field], quoted[field], field)
    }
  }
})
