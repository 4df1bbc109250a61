import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../database/sql.ts'
import { newKey, orderBuilder, shipTo, type Json } from '../../../test/world/order-builder.ts'
import { everyPage, sameButRequestId } from '../../../test/world/pages.ts'
import { partner, type Answer, type Partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'

/** More than the largest page, all placed at one instant, on a site of their own among the granted ones. */
const crowdCount = 210

const service = await testService()
const { fixtures, sites } = service.manifest
const primary = await partner(service, 'primary')
const neighbour = await partner(service, 'neighbour')
const outsider = await partner(service, 'outsider')
const build = orderBuilder(service.manifest)
await rows(sql`
  insert into orders (site_id, status, placed_on, updated_on, currency)
  select ${sites.divisionAddresses}, 'IN_PROCESS', now() - interval '90 days', now(), 'USD'
  from generate_series(1, ${crowdCount}::int)`)

async function rows<Row = Json>(query: ReturnType<typeof sql>): Promise<Row[]> {
  return service.production.database.statements.rows<Row>(query)
}

/** The numbers of all orders on the sites, as stored, newest first. */
async function stored(siteIds: readonly number[]): Promise<number[]> {
  const found = await rows<{ orderNumber: number }>(sql`
    select order_number from orders where site_id = any(${siteIds}::int[])
    order by placed_on desc, order_number desc`)
  return found.map((row) => row.orderNumber)
}

function numbers(records: readonly Json[]): unknown[] {
  return records.map((order) => order.orderNumber)
}

async function listed(query: string, by: Partner = primary): Promise<Json[]> {
  return (await everyPage<Json>(by, `/v1/orders${query && `?${query}`}`, 'orders', 200)).items
}

async function code(path: string, by: Partner = primary): Promise<string> {
  return (await by.get(path)).body.code
}

async function detail(orderNumber: number, by: Partner = primary): Promise<Json> {
  const answer = await by.get(`/v1/orders/${orderNumber}`)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

const listKeys = [
  'orderNumber',
  'siteId',
  'status',
  'partnerOrderId',
  'submissionId',
  'projectId',
  'userId',
  'divisionId',
  'purchaseOrderNumber',
  'placedOn',
  'updatedOn',
  'cancelledOn',
  'completedOn',
  'currency',
  'itemTotal',
  'discountTotal',
  'handlingTotal',
  'shippingTotal',
  'taxTotal',
  'creditApplied',
  'totalPrice',
  'itemCount',
  'shippedItemCount',
  'cancelledItemCount',
  'awaitingProof',
]
const placeKeys = ['name', 'company', 'address1', 'address2', 'city', 'state', 'postalCode', 'country', 'phone']
const amountKeys = listKeys.filter((key) => /Total|Price|Applied/.test(key))
const instantKeys = listKeys.filter((key) => key.endsWith('On'))

test('ORD-01 TEN-03 PAG-01 PAG-03 PAG-05 the list contains every order of the granted sites once, newest first, and no others', async () => {
  const granted = [sites.main, sites.second, sites.noOrdering, sites.divisionAddresses]
  const { items, sizes } = await everyPage<Json>(primary, '/v1/orders', 'orders', 17)
  assert.deepEqual(numbers(items), await stored(granted))
  assert.ok(sizes.slice(0, -1).every((size) => size === 17))
  const foreign = await everyPage<Json>(outsider, '/v1/orders', 'orders', 50)
  assert.deepEqual(numbers(foreign.items), await stored([sites.foreign]))
})

test('PAG-05 orders placed during paging neither repeat nor hide earlier orders', async () => {
  const earlier = await stored([sites.main])
  const path = `/v1/orders?siteId=${sites.main}&limit=5`
  const first = await primary.get(path)
  const placed = await primary.post('/v1/orders', build.order())
  const seen = numbers(first.body.orders)
  for (let cursor: string | null = first.body.nextCursor; cursor !== null;) {
    const page: Answer = await primary.get(`${path}&cursor=${cursor}`)
    seen.push(...numbers(page.body.orders))
    cursor = page.body.nextCursor
  }
  assert.deepEqual(seen, earlier)
  assert.deepEqual(numbers((await primary.get(path)).body.orders)[0], placed.body.order.orderNumber)
})

test('GEN-12 GEN-06 an order has the published keys, its instants in UTC and its amounts as exact decimals', async () => {
  const orders = await listed(`siteId=${sites.main}`)
  for (const order of orders) {
    assert.deepEqual(Object.keys(order), listKeys)
    for (const key of instantKeys) {
      if (order[key] !== null) assert.match(order[key] as string, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, key)
    }
    for (const key of amountKeys) {
      if (order[key] !== null) assert.match(order[key] as string, /^-?\d+\.\d\d$/, key)
    }
  }
  const one = await detail(fixtures.orders.pendingReview.orderNumber)
  assert.deepEqual(Object.keys(one), [...listKeys, 'shipTo', 'billTo', 'shippingProvider', 'shippingMethod', 'notes'])
  assert.deepEqual(Object.keys(one.shipTo as Json), [...placeKeys, 'email'])
})

test('ORD-02 the single read shows the fields of the list and the destination of the order', async () => {
  const orders = await listed(`siteId=${sites.main}`)
  for (const order of orders) {
    const {
      shipTo: to,
      billTo,
      shippingProvider,
      shippingMethod,
      notes,
      ...header
    } = await detail(order.orderNumber as number)
    assert.deepEqual(header, order)
    assert.deepEqual(notes, [])
    assert.ok(to === null || typeof to === 'object')
    assert.equal(typeof shippingProvider, 'string')
    assert.equal(typeof shippingMethod, 'string')
    assert.equal(billTo === null, order.purchaseOrderNumber !== 'PO-44120')
    if (billTo) assert.deepEqual(Object.keys(billTo), placeKeys)
  }
})

test('GEN-06 GEN-07 GEN-08 amounts too large for a float are returned to the cent, and null is not zero', async () => {
  const { orderNumber } = fixtures.orders.noProofing
  await rows(sql`
    update orders set total_price = 90071992547409.93, item_total = 0.10, tax_total = null, discount_total = 0.00
    where order_number = ${orderNumber}`)
  const order = await detail(orderNumber)
  assert.deepEqual(
    [order.totalPrice, order.itemTotal, order.taxTotal, order.discountTotal],
    ['90071992547409.93', '0.10', null, '0.00'],
  )
})

test('GEN-08 an order with a line without a price has no totals', async () => {
  const [held] = await listed('status=ON_HOLD')
  for (const key of amountKeys) assert.equal(held![key], null, key)
})

test('TEN-05 only the partner that submitted an order sees its partnerOrderId', async () => {
  const own = await primary.post('/v1/orders', build.order())
  const { orderNumber } = own.body.order
  const mine = await detail(orderNumber)
  assert.deepEqual([mine.partnerOrderId, mine.submissionId], [own.body.partnerOrderId, own.body.submissionId])
  const theirs = await detail(orderNumber, neighbour)
  assert.deepEqual([theirs.partnerOrderId, theirs.submissionId], [null, null])
  assert.deepEqual({ ...theirs, partnerOrderId: mine.partnerOrderId, submissionId: mine.submissionId }, mine)
  const ofNeighbour = (await listed(`siteId=${sites.main}`, neighbour)).find(
    (order) => order.orderNumber === orderNumber,
  )
  assert.equal(ofNeighbour!.partnerOrderId, null)
  // An order of the storefront has neither for anybody.
  const storefront = await detail(fixtures.orders.approved.orderNumber)
  assert.deepEqual([storefront.partnerOrderId, storefront.submissionId], [null, null])
})

test("ORD-01 partnerOrderId finds the order the partner submitted under it, and never another partner's", async () => {
  const body = build.order()
  const own = await primary.post('/v1/orders', body)
  const theirs = await neighbour.post('/v1/orders', body)
  const key = `partnerOrderId=${body.partnerOrderId}`
  assert.deepEqual(numbers(await listed(key)), [own.body.order.orderNumber])
  assert.deepEqual(numbers(await listed(key, neighbour)), [theirs.body.order.orderNumber])
  assert.deepEqual(await listed('partnerOrderId=OTHER-0001'), [])
  assert.deepEqual(await listed(`partnerOrderId=${newKey()}`), [])
  assert.equal(await code(`/v1/orders?partnerOrderId=${'x'.repeat(101)}`), 'invalid_request')
  assert.equal(await code('/v1/orders?partnerOrderId=%C3%A9'), 'invalid_request')
  assert.equal(await code('/v1/orders?partnerOrderId='), 'invalid_request')
})

test('ORD-01 ERR-10 ERR-23 ERR-27 the list is narrowed by site, status, user and division, alone and together', async () => {
  const all = await listed('')
  const narrowed = async (query: string, keep: (order: Json) => boolean): Promise<void> => {
    const expected = all.filter(keep)
    assert.deepEqual(numbers(await listed(query)), numbers(expected), query)
  }
  const user = fixtures.users.plain
  await narrowed(`siteId=${sites.second}`, (order) => order.siteId === sites.second)
  await narrowed('siteId=104', () => false)
  for (const status of ['CANCELLED', 'PARTIALLY_SHIPPED', 'IN_PROCESS', 'PENDING_APPROVAL', 'COMPLETED', 'UNKNOWN']) {
    await narrowed(`status=${status}`, (order) => order.status === status)
  }
  await narrowed(`userId=${user}`, (order) => order.userId === user)
  await narrowed('divisionId=5051', (order) => order.divisionId === 5051)
  await narrowed(
    `siteId=${sites.main}&status=IN_PROCESS&userId=${user}`,
    (order) => order.siteId === sites.main && order.status === 'IN_PROCESS' && order.userId === user,
  )
  await narrowed('userId=999999999', () => false)
  for (const [query, refused] of [
    [`siteId=${sites.foreign}`, 'invalid_site_id'],
    ['siteId=999999', 'invalid_site_id'],
    ['siteId=0', 'invalid_site_id'],
    ['siteId=01', 'invalid_site_id'],
    ['siteId=x', 'invalid_site_id'],
    ['userId=-1', 'invalid_user_id'],
    ['userId=1234567890', 'invalid_user_id'],
    ['divisionId=x', 'invalid_division_id'],
    ['status=shipped', 'invalid_request'],
    ['status=', 'invalid_request'],
  ] as const) {
    assert.equal(await code(`/v1/orders?${query}`), refused, query)
  }
})

test('ORD-01 ERR-19 awaitingProof and several values of status narrow the list, alone, together and page by page', async () => {
  const all = await listed('')
  const narrowed = async (query: string, keep: (order: Json) => boolean): Promise<void> => {
    const expected = numbers(all.filter(keep))
    assert.ok(expected.length > 1, query)
    for (const limit of [3, 200]) {
      const { items } = await everyPage<Json>(primary, `/v1/orders?${query}`, 'orders', limit)
      assert.deepEqual(numbers(items), expected, `${query} by ${limit}`)
    }
  }
  const isOneOf = (order: Json, ...statuses: string[]): boolean => statuses.includes(order.status as string)
  await narrowed('awaitingProof=true', (order) => order.awaitingProof === true)
  await narrowed(
    `awaitingProof=false&siteId=${sites.main}`,
    (order) => order.awaitingProof === false && order.siteId === sites.main,
  )
  for (const status of [
    'CANCELLED,PARTIALLY_SHIPPED',
    'PARTIALLY_SHIPPED,CANCELLED',
    'CANCELLED%2CPARTIALLY_SHIPPED',
  ]) {
    await narrowed(`status=${status}`, (order) => isOneOf(order, 'CANCELLED', 'PARTIALLY_SHIPPED'))
  }
  await narrowed(
    `status=IN_PRODUCTION,IN_PROCESS,CANCELLED&siteId=${sites.main}&awaitingProof=true`,
    (order) =>
      isOneOf(order, 'IN_PRODUCTION', 'IN_PROCESS', 'CANCELLED') &&
      order.siteId === sites.main &&
      order.awaitingProof === true,
  )
  const { nextCursor } = (await primary.get('/v1/orders?limit=1&status=CANCELLED,PARTIALLY_SHIPPED')).body
  const next = (status: string) => primary.get(`/v1/orders?limit=1&status=${status}&cursor=${nextCursor}`)
  assert.equal((await next('PARTIALLY_SHIPPED,CANCELLED')).status, 200)
  assert.equal((await next('CANCELLED')).body.code, 'invalid_cursor')
  for (const query of [
    'status=CANCELLED,',
    'status=,',
    'status=CANCELLED,cancelled',
    'status=CANCELLED, SHIPPED',
    'status=CANCELLED&status=SHIPPED',
    'awaitingProof=True',
    'awaitingProof=',
    'awaitingProof=1',
  ]) {
    assert.equal(await code(`/v1/orders?${query.replace(' ', '%20')}`), 'invalid_request', query)
  }
  assert.equal(await code('/v1/orders?status=CANCELLED,SHIPPED&updatedSince=2026-01-01'), 'updated_since_not_supported')
})

test('ORD-01 ERR-19 placedFrom includes its instant and placedTo excludes it, in any zone', async () => {
  const all = await listed(`siteId=${sites.main}`)
  const instants = all.map((order) => order.placedOn as string)
  const newest = instants[0]!
  const middle = instants[Math.floor(instants.length / 2)]!
  const between = async (query: string): Promise<unknown[]> => numbers(await listed(`siteId=${sites.main}&${query}`))
  const expected = (keep: (placedOn: string) => boolean): unknown[] =>
    numbers(all.filter((order) => keep(order.placedOn as string)))

  assert.deepEqual(
    await between(`placedFrom=${middle}`),
    expected((on) => on >= middle),
  )
  assert.deepEqual(
    await between(`placedTo=${middle}`),
    expected((on) => on < middle),
  )
  assert.deepEqual(
    await between(`placedFrom=${middle}&placedTo=${newest}`),
    expected((on) => on >= middle && on < newest),
  )
  assert.deepEqual(await between(`placedFrom=${newest}&placedTo=${newest}`), [])
  const elsewhere = new Date(new Date(middle).getTime() + 5.5 * 3_600_000).toISOString().replace('Z', '%2B05:30')
  assert.deepEqual(
    await between(`placedFrom=${elsewhere}`),
    expected((on) => on >= middle),
  )
  const inLowerCase = middle.toLowerCase()
  const withNanoseconds = (digits: string) => middle.replace(/\.\d+Z$/, `.${digits}Z`)
  const milliseconds = /\.(\d{3})Z$/.exec(middle)![1]!
  for (const same of [inLowerCase, withNanoseconds(`${milliseconds}000000`)]) {
    assert.deepEqual(
      await between(`placedFrom=${same}`),
      expected((on) => on >= middle),
    )
  }
  const justAfter = withNanoseconds(`${milliseconds}000001`)
  assert.deepEqual(
    await between(`placedFrom=${justAfter}`),
    expected((on) => on > middle),
  )
  assert.deepEqual(
    await between(`placedTo=${justAfter}`),
    expected((on) => on <= middle),
  )
  const day = middle.slice(0, 10)
  assert.deepEqual(
    await between(`placedFrom=${day}`),
    expected((on) => on >= day),
  )
  for (const wrong of [
    '',
    'yesterday',
    '2026-13-01',
    '2026-02-30',
    '2026-01-01T25:00:00Z',
    '1700000000',
    `${middle}x`,
    withNanoseconds('1234567890'),
  ]) {
    assert.equal(await code(`/v1/orders?placedFrom=${wrong}`), 'invalid_request', wrong)
    assert.equal(await code(`/v1/orders?placedTo=${wrong}`), 'invalid_request', wrong)
  }
})

test('LIM-11 a page holds 50 orders by default and never more than 200', async () => {
  for (const [query, length] of [
    ['', 50],
    ['&limit=1', 1],
    ['&limit=200', 200],
    ['&limit=201', 200],
    ['&limit=999999999999999', 200],
  ]) {
    const page = await primary.get(`/v1/orders?siteId=${sites.divisionAddresses}${query}`)
    assert.equal(page.body.orders.length, length, `${query}`)
  }
  for (const limit of ['0', '-1', '1.5', '1e1', '+1', '01', 'all', '']) {
    assert.equal(await code(`/v1/orders?limit=${limit}`), 'invalid_request', limit)
  }
})

test('PAG-05 orders placed at the same instant are paged by their number', async () => {
  const { items } = await everyPage<Json>(primary, `/v1/orders?siteId=${sites.divisionAddresses}`, 'orders', 23)
  assert.deepEqual(numbers(items), await stored([sites.divisionAddresses]))
})

test('PAG-02 PAG-04 ERR-09 a cursor works only on the route that issued it, with the same filters', async () => {
  const { nextCursor } = (await primary.get('/v1/orders?limit=3&status=IN_PROCESS')).body
  assert.equal((await primary.get(`/v1/orders?limit=5&status=IN_PROCESS&cursor=${nextCursor}`)).status, 200)
  for (const [path, by] of [
    [`/v1/orders?cursor=${nextCursor}`, primary],
    [`/v1/orders?status=SHIPPED&cursor=${nextCursor}`, primary],
    [`/v1/orders?status=IN_PROCESS&siteId=${sites.main}&cursor=${nextCursor}`, primary],
    [`/v1/orders?status=IN_PROCESS&cursor=${nextCursor}`, neighbour],
    [`/v1/orders?status=IN_PROCESS&cursor=${nextCursor}x`, primary],
    [`/v1/orders?status=IN_PROCESS&cursor=${nextCursor.slice(1)}`, primary],
    ['/v1/orders?cursor=', primary],
    [`/v1/sites?cursor=${nextCursor}`, primary],
    [`/v1/orders/${fixtures.orders.split.orderNumber}/items?cursor=${nextCursor}`, primary],
  ] as const) {
    assert.equal(await code(path, by), 'invalid_cursor', path)
  }
  assert.equal((await primary.get('/v1/orders?status=IN_PROCESS')).status, 200)
})

test('ERR-18 ERR-20 GEN-09 GEN-10 a parameter that is unknown, misspelt or repeated is refused and named', async () => {
  const unknown = await primary.get('/v1/orders?siteid=101')
  assert.equal(unknown.body.code, 'unknown_query_parameter')
  assert.match(
    unknown.body.detail,
    /"siteid".*siteId, status, awaitingProof, partnerOrderId, userId, divisionId, placedFrom, placedTo, cursor, limit/,
  )
  assert.equal(await code('/v1/orders?updatedSince=2026-01-01'), 'updated_since_not_supported')
  assert.equal(await code('/v1/orders?updatedSince='), 'updated_since_not_supported')
  const repeated = await primary.get(`/v1/orders?siteId=${sites.main}&siteId=${sites.main}`)
  assert.equal(repeated.body.code, 'invalid_request')
  assert.match(repeated.body.detail, /siteId/)
  const onSingle = await primary.get(`/v1/orders/${fixtures.orders.split.orderNumber}?limit=1`)
  assert.equal(onSingle.body.code, 'unknown_query_parameter')
  assert.match(onSingle.body.detail, /"limit".*none/)
  assert.equal(await code(`/v1/orders/${fixtures.orders.split.orderNumber}?updatedSince=1`), 'unknown_query_parameter')
})

test('ERR-11 an order number that is no positive whole number is refused before anything is looked up', async () => {
  for (const wrong of ['0', '-1', '01', '1.0', '1e3', 'x', '1234567890123456', '%31x', '+1']) {
    for (const rest of ['', '/items', '/shipments']) {
      assert.equal(await code(`/v1/orders/${wrong}${rest}`), 'invalid_order_number', `${wrong}${rest}`)
    }
  }
})

test('ERR-43 TEN-01 TEN-02 a missing order and one outside the grant get the same answer, on every read of it', async () => {
  const { foreign } = fixtures
  for (const rest of ['', '/items', '/shipments']) {
    const missing = await primary.get(`/v1/orders/999999999999999${rest}`)
    assert.equal(missing.body.code, 'order_not_found')
    assert.deepEqual(
      sameButRequestId(await primary.get(`/v1/orders/${foreign.orderNumber}${rest}`)),
      sameButRequestId(missing),
    )
    assert.equal((await outsider.get(`/v1/orders/${foreign.orderNumber}${rest}`)).status, 200)
  }
})

test('ERR-42 without orders:read every read of orders is refused, even if the request is wrong', async () => {
  const onlySites = service.manifest.partners.primary!.scopes.find((scope) => scope.endsWith('sites:read'))
  const without = await partner(service, 'primary', onlySites)
  for (const path of [
    '/v1/orders',
    '/v1/orders?limit=x',
    '/v1/orders/x',
    '/v1/orders/1/items',
    '/v1/orders/1/shipments',
  ]) {
    const answer = await without.get(path)
    assert.equal(answer.body.code, 'insufficient_scope', path)
    assert.match(answer.headers.get('www-authenticate')!, /orders:read/)
  }
})

test('ORD-26 ORD-27 ORD-28 an order counts its visible lines only, and waits for a proof only if a visible line does', async () => {
  const expected: [keyof typeof fixtures.orders, Json][] = [
    ['pendingReview', { itemCount: 2, shippedItemCount: 0, cancelledItemCount: 0, awaitingProof: true }],
    ['declined', { itemCount: 1, shippedItemCount: 0, cancelledItemCount: 0, awaitingProof: true }],
    ['approved', { itemCount: 1, shippedItemCount: 0, cancelledItemCount: 0, awaitingProof: false }],
    ['notCreated', { itemCount: 1, shippedItemCount: 0, cancelledItemCount: 0, awaitingProof: false }],
    ['cancelledLine', { itemCount: 2, shippedItemCount: 0, cancelledItemCount: 1, awaitingProof: false }],
    ['empty', { itemCount: 0, shippedItemCount: 0, cancelledItemCount: 0, awaitingProof: false }],
    ['hiddenLine', { itemCount: 1, shippedItemCount: 0, cancelledItemCount: 0, awaitingProof: false }],
    ['internalLine', { itemCount: 1, shippedItemCount: 0, cancelledItemCount: 0, awaitingProof: false }],
    ['siteMismatch', { itemCount: 1, shippedItemCount: 0, cancelledItemCount: 0, awaitingProof: false }],
    ['split', { itemCount: 3, shippedItemCount: 1, cancelledItemCount: 0, awaitingProof: false }],
    ['manyLines', { itemCount: 210, shippedItemCount: 210, cancelledItemCount: 0, awaitingProof: false }],
  ]
  for (const [name, counts] of expected) {
    const order = await detail(fixtures.orders[name].orderNumber)
    const { itemCount, shippedItemCount, cancelledItemCount, awaitingProof } = order
    assert.deepEqual({ itemCount, shippedItemCount, cancelledItemCount, awaitingProof }, counts, name)
  }
  assert.equal((await detail(fixtures.orders.split.orderNumber)).status, 'PARTIALLY_SHIPPED')
  assert.equal((await detail(fixtures.orders.manyLines.orderNumber)).status, 'SHIPPED')
})

test('the paths of orders refuse other methods and list those they accept', async () => {
  const path = `/v1/orders/${fixtures.orders.split.orderNumber}`
  const put = await primary.put(path, {})
  assert.deepEqual([put.status, put.body.code, put.headers.get('allow')], [405, 'method_not_allowed', 'GET, HEAD'])
  const removed = await primary.call('DELETE', '/v1/orders')
  assert.deepEqual([removed.status, removed.headers.get('allow')], [405, 'GET, HEAD, POST'])
})

test('SUB-28 ORD-02 an order shows its requested shipping, with every address field present', async () => {
  const body = build.order({ billTo: shipTo, shippingMethod: 'Will call' })
  const placed = await primary.post('/v1/orders', body)
  const order = await detail(placed.body.order.orderNumber)
  const sparse = { ...shipTo, company: null, address2: null, phone: null }
  assert.deepEqual(order.shipTo, { ...sparse, email: null })
  assert.deepEqual(order.billTo, sparse)
  assert.deepEqual([order.shippingProvider, order.shippingMethod], ['Store', 'Will call'])
})
