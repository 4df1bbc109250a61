import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Static } from 'typebox'
import { sql } from '../../database/sql.ts'
import { partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import type { Variant } from './contract.ts'

/** More than the largest page, on a site of their own among the granted ones. */
const crowdCount = 600

const service = await testService()
const primary = await partner(service, 'primary')
const outsider = await partner(service, 'outsider')
await change(sql`
  insert into product (kind, site_id, name, code, service_type, artwork_source, created_on, updated_on)
  select 'SLO', ${service.manifest.sites.divisionAddresses}, 'Crowd ' || turn, 'CROWD-' || turn,
    case when turn % 3 = 0 then 'STOCK' else 'POD' end, 'NONE', now(), now()
  from generate_series(1, ${crowdCount}::int) turn`)

async function change(statement: ReturnType<typeof sql>): Promise<void> {
  await service.production.database.statements.rows(statement)
}

/** The published ids of all products on the sites, as stored, by number. */
async function stored(siteIds: readonly number[], serviceType?: string): Promise<string[]> {
  const rows = await service.production.database.statements.rows<{ productId: string }>(sql`
    select kind || '_' || product_number as product_id from product
    where site_id = any(${siteIds}::int[]) and (${serviceType ?? null}::text is null or service_type = ${serviceType ?? null})
    order by product_number`)
  return rows.map((row) => row.productId)
}

type Listed = { productId: string }
type ShownVariant = Static<typeof Variant>

/** Follows nextCursor to its end. */
async function walk(path: string, limit: number): Promise<{ ids: string[]; sizes: number[] }> {
  const ids: string[] = []
  const sizes: number[] = []
  let cursor: string | null = null
  do {
    const join = path.includes('?') ? '&' : '?'
    const answer = await primary.get(
      `${path}${join}limit=${limit}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    )
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    ids.push(...answer.body.products.map((each: Listed) => each.productId))
    sizes.push(answer.body.products.length)
    cursor = answer.body.nextCursor
  } while (cursor !== null)
  return { ids, sizes }
}

test('CAT-01 TEN-03 PAG-05 the list contains every product of the granted sites once, and no others', async () => {
  const granted = service.manifest.partners.primary!.siteIds
  const { ids } = await walk('/v1/products', 200)
  assert.deepEqual(ids, await stored(granted))
  assert.ok(!ids.includes(service.manifest.fixtures.foreign.productId))
})

test('CAT-01 PAG-03 siteId narrows the list, every page but the last is full, and only the last has no cursor', async () => {
  const { main } = service.manifest.sites
  const all = await stored([main])
  const { ids, sizes } = await walk(`/v1/products?siteId=${main}`, 4)
  assert.deepEqual(ids, all)
  assert.deepEqual(sizes.slice(0, -1), sizes.slice(0, -1).fill(4))
  assert.equal(sizes.length, Math.ceil(all.length / 4))
})

test('CAT-02 the route of a site gives the same list as the site filter', async () => {
  const { second } = service.manifest.sites
  const [ofRoute, ofFilter] = await Promise.all([
    primary.get(`/v1/sites/${second}/products?serviceType=STOCK`),
    primary.get(`/v1/products?siteId=${second}&serviceType=STOCK`),
  ])
  assert.equal(ofRoute.status, 200, JSON.stringify(ofRoute.body))
  assert.deepEqual(ofRoute.body, ofFilter.body)
  assert.deepEqual(
    ofRoute.body.products.map((each: Listed) => each.productId),
    await stored([second], 'STOCK'),
  )
})

test('CAT-11 serviceType narrows the list to STOCK or POD, on one site and on all', async () => {
  for (const serviceType of ['STOCK', 'POD']) {
    const { ids } = await walk(`/v1/products?serviceType=${serviceType}`, 500)
    assert.deepEqual(ids, await stored(service.manifest.partners.primary!.siteIds, serviceType))
  }
})

test('CAT-01 CAT-02 code and sku find the products that bear them, shares by their masters, alone and together', async () => {
  const { main, second } = service.manifest.sites
  const { shared, stock, stockVariantId } = service.manifest.fixtures.products
  const everything = await walk('/v1/products', 500)
  const shown = await Promise.all(everything.ids.slice(0, 60).map((id) => primary.get(`/v1/products/${id}`)))
  const details = [...shown, await primary.get(`/v1/products/${shared}`)].map(({ body }) => body)
  const bearing = (code: string): string[] =>
    details.filter((each) => each.code === code).map((each): string => each.productId)

  const share = details.find((each) => each.productId === shared)
  assert.ok(bearing(share.code).length > 0 && share.siteId !== undefined)
  for (const { code } of details.slice(0, 20)) {
    const { ids } = await walk(`/v1/products?code=${encodeURIComponent(code)}`, 1)
    for (const id of bearing(code)) assert.ok(ids.includes(id), `${code}: ${id}`)
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => Number(a.slice(4)) - Number(b.slice(4))),
    )
  }
  for (const product of [details.find((each) => each.productId === stock), share]) {
    for (const { sku } of product.variants as ShownVariant[]) {
      if (sku === null) continue
      const { ids } = await walk(`/v1/sites/${product.siteId}/products?sku=${encodeURIComponent(sku)}`, 1)
      assert.ok(ids.includes(product.productId), `${product.productId}: ${sku}`)
    }
  }
  const { sku } = details
    .flatMap((each): ShownVariant[] => each.variants)
    .find((variant) => variant.variantId === stockVariantId)!
  const of = details.find((each) => each.productId === stock)
  const both = `sku=${encodeURIComponent(sku!)}&code=${encodeURIComponent(of.code)}`
  assert.deepEqual((await walk(`/v1/products?siteId=${of.siteId}&${both}`, 500)).ids, [stock])
  assert.deepEqual((await walk(`/v1/products?siteId=${of.siteId === main ? second : main}&${both}`, 500)).ids, [])
  assert.deepEqual((await walk(`/v1/products?serviceType=POD&${both}`, 500)).ids, [])
  assert.equal((await walk('/v1/products?code=CROWD-7', 500)).ids.length, 1)
  for (const unknown of ['code=crowd-7', 'code=CROWD', 'sku=CROWD-7', 'code=%25']) {
    assert.deepEqual((await walk(`/v1/products?${unknown}`, 500)).ids, [], unknown)
  }
  assert.deepEqual(
    (await outsider.get(`/v1/products?${both}`)).body.products.filter((each: Listed) =>
      everything.ids.includes(each.productId),
    ),
    [],
  )
  for (const wrong of [
    'code=',
    'sku=%20',
    `code=${'x'.repeat(256)}`,
    `q=card&siteId=${main}&code=x`,
    `q=card&siteId=${main}&sku=x`,
  ]) {
    assert.equal((await primary.get(`/v1/products?${wrong}`)).body.code, 'invalid_request', wrong)
  }
})

async function sizeOf(query: string): Promise<number> {
  return (await primary.get(`/v1/products${query}`)).body.products.length
}

test('LIM-13 a page holds 100 products by default and never more than 500', async () => {
  assert.equal(await sizeOf(''), 100)
  assert.equal(await sizeOf('?limit=500'), 500)
  assert.equal(await sizeOf('?limit=501'), 500)
  assert.equal(await sizeOf('?limit=1'), 1)
})

test('PAG-02 ERR-09 a cursor of the list is refused with other filters and on the route of a site', async () => {
  const { main } = service.manifest.sites
  const first = await primary.get(`/v1/products?siteId=${main}&limit=2`)
  const cursor = encodeURIComponent(first.body.nextCursor)
  for (const path of [`/v1/products?cursor=${cursor}`, `/v1/sites/${main}/products?cursor=${cursor}`]) {
    const answer = await primary.get(path)
    assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_cursor'])
  }
})

test('ERR-10 ERR-13 ERR-14 ERR-15 ERR-16 ERR-18 each wrong filter has its own error code', async () => {
  const { main, foreign } = service.manifest.sites
  const expected: Record<string, string> = {
    '?serviceType=stock': 'invalid_service_type',
    '?siteId=0': 'invalid_site_id',
    [`?siteId=${foreign}`]: 'invalid_site_id',
    [`?siteId=${main}&q=`]: 'invalid_query',
    [`?siteId=${main}&q=%20%20`]: 'invalid_query',
    '?q=card': 'site_id_required_for_search',
    [`?siteId=${main}&q=card&cursor=x`]: 'cursor_not_supported_with_search',
    '?updatedSince=2026-01-01T00:00:00Z': 'updated_since_not_supported',
    '?siteid=1': 'unknown_query_parameter',
  }
  for (const [query, code] of Object.entries(expected)) {
    const answer = await primary.get(`/v1/products${query}`)
    assert.deepEqual([answer.status, answer.body.code], [400, code], query)
  }
})

test('CAT-03 a product is shown with its variants and their stock', async () => {
  const { stock, stockVariantId } = service.manifest.fixtures.products
  const answer = await primary.get(`/v1/products/${stock}`)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const { variants, ...product } = answer.body
  assert.equal(product.productId, stock)
  assert.equal(product.overrideDisplay, null)
  assert.equal(product.primaryImagePath, 'product-images/demo/101/mer-tee/front.jpeg')
  assert.deepEqual(product.attributeNames, ['Color', 'Size'])
  assert.deepEqual(
    variants.map((each: ShownVariant) => [each.variantId, each.attribute2Choice, each.availableQuantity, each.active]),
    [
      [stockVariantId, 'Medium', 5_000_000, true],
      [60_002, 'Large', 5_000_000, true],
      [60_003, 'Medium', 5, true],
      [60_004, 'Large', 2, true],
      [60_005, 'Medium', null, true],
      [60_006, 'Large', 5_000_000, false],
    ],
  )
  assert.deepEqual(
    [variants[0].attribute1Name, variants[0].attribute1Choice, variants[0].attribute3Name, variants[0].productId],
    ['Color', 'Black', null, stock],
  )
})

test('CAT-03 a POD product has no variants, and the list shows a product as its detail does', async () => {
  const { pod, stock } = service.manifest.fixtures.products
  const listed = (await primary.get(`/v1/products?siteId=${service.manifest.sites.main}`)).body.products
  for (const productId of [pod, stock]) {
    const {
      description,
      metaDescription,
      metaKeywords,
      artworkTypes,
      attributeNames,
      variants,
      primaryImageUrl: _url,
      primaryImageUrlExpiresOn: _expiry,
      ...shown
    } = (await primary.get(`/v1/products/${productId}`)).body
    assert.ok(artworkTypes.includes('application/pdf'))
    assert.deepEqual(
      listed.find((each: Listed) => each.productId === productId),
      shown,
    )
    assert.deepEqual([typeof description, Array.isArray(attributeNames)], ['string', true])
    if (productId === pod) assert.deepEqual([variants, metaDescription, metaKeywords], [[], null, null])
  }
})

test("GEN-14 CAT-27 a share shows its master's texts until it overrides them, and its master's stock always", async () => {
  const { shared } = service.manifest.fixtures.products
  const master = (await primary.get('/v1/products/SLO_100101')).body
  const share = await primary.get(`/v1/products/${shared}`)
  assert.equal(share.status, 200, JSON.stringify(share.body))
  assert.deepEqual(
    [share.body.siteId, share.body.overrideDisplay, share.body.name, share.body.code],
    [service.manifest.sites.main, false, master.name, master.code],
  )
  for (const text of ['description', 'metaDescription', 'metaKeywords']) assert.equal(share.body[text], master[text])
  assert.deepEqual(
    share.body.variants.map((each: ShownVariant) => [each.variantId, each.productId, each.availableQuantity]),
    [
      [60_011, shared, 5_000_000],
      [60_012, shared, 5_000_000],
    ],
  )

  await change(sql`
    update product set override_display = true, description = 'Our own words' where product_number = 100006`)
  const overridden = (await primary.get(`/v1/products/${shared}`)).body
  assert.deepEqual(
    [overridden.description, overridden.metaDescription, overridden.metaKeywords],
    ['Our own words', null, null],
  )
})

test('a share of an inactive master is inactive too', async () => {
  await change(sql`update product set active = false where product_number = 100101`)
  const share = (await primary.get(`/v1/products/${service.manifest.fixtures.products.shared}`)).body
  assert.equal(share.active, false)
  await change(sql`update product set active = true where product_number = 100101`)
})

test('TEN-01 TEN-02 ERR-45 a foreign product, a missing one, a wrong kind and leading zeros get the same answer', async () => {
  const { foreign, products: fixtures } = service.manifest.fixtures
  const answers = await Promise.all(
    [foreign.productId, 'SLO_999999999999999999', fixtures.stock.replace('SLO', 'SLS'), 'SLO_000100001', 'SLS_0'].map(
      (id) => primary.get(`/v1/products/${id}`),
    ),
  )
  for (const answer of answers) {
    assert.deepEqual([answer.status, answer.body.code], [404, 'product_not_found'])
    assert.deepEqual({ ...answer.body, requestId: '' }, { ...answers[0]!.body, requestId: '' })
  }
  assert.equal((await outsider.get(`/v1/products/${foreign.productId}`)).status, 200)
})

test('ERR-12 a product id of another form is refused before anything is looked up', async () => {
  for (const id of ['100001', 'slo_1', 'SLO_', 'SLO_1x', 'SLX_1', `SLO_${'1'.repeat(19)}`]) {
    const answer = await primary.get(`/v1/products/${id}`)
    assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_product_id'], id)
  }
})

test('TEN-04 the route of a site that is not granted answers 404', async () => {
  const answer = await primary.get(`/v1/sites/${service.manifest.sites.foreign}/products`)
  assert.deepEqual([answer.status, answer.body.code], [404, 'site_not_found'])
})
