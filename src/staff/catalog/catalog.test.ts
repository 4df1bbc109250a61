import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newProduct } from '../../../test/every-staff-operation/samples/catalog.ts'
import { partner, type Answer } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'
import { sql } from '../../database/sql.ts'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')

const products = '/staff/v1/production/products'

/** A product of the main site. */
async function created(more: Record<string, unknown> = {}): Promise<Answer['body']> {
  const at = `/staff/v1/production/sites/${service.manifest.sites.main}/products`
  const { serviceType = 'POD', ...changes } = more
  const answer = await admin.post(at, { ...newProduct(serviceType as 'POD'), ...changes })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body
}

const sizes = {
  serviceType: 'STOCK',
  attributeNames: ['Size'],
  variants: [{ attribute1Choice: 'Small', sku: 'S-1' }, { attribute1Choice: 'Large' }],
}

test('partners at once read and find by search a product that staff create', async () => {
  const own = await created({ ...sizes, name: 'Quokka jersey', description: 'For marsupials', minQuantity: 2 })
  const seen = (await primary.get(`/v1/products/${own.productId}`)).body
  assert.deepEqual(
    [seen.name, seen.code, seen.serviceType, seen.minQuantity, seen.description, seen.attributeNames, seen.active],
    ['Quokka jersey', own.code, 'STOCK', 2, 'For marsupials', ['Size'], true],
  )
  assert.deepEqual(
    seen.variants.map((variant: Record<string, unknown>) => [variant.attribute1Choice, variant.sku]),
    [
      ['Small', 'S-1'],
      ['Large', null],
    ],
  )
  const found = await primary.get(`/v1/sites/${service.manifest.sites.main}/products?q=quokka`)
  assert.deepEqual(
    found.body.products.map((each: { productId: string }) => each.productId),
    [own.productId],
  )
  const ofStaff = await admin.get(`${products}?q=quokka&siteId=${service.manifest.sites.main}`)
  assert.equal(ofStaff.body.products[0].productId, own.productId)
  await admin.patch(`${products}/${own.productId}`, { name: 'Numbat jersey', active: false })
  const renamed = await primary.get(`/v1/sites/${service.manifest.sites.main}/products?q=numbat`)
  assert.deepEqual([renamed.body.products[0].name, renamed.body.products[0].active], ['Numbat jersey', false])
})

test('staff find products on all sites and in every state by words of the name and the beginning of the code', async () => {
  const own = await created({ name: 'Potoroo parasol', code: 'POTO-9' })
  const idsOf = async (query: string) => {
    const { status, body } = await admin.get(`${products}?${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body.products.map((each: { productId: string }) => each.productId)
  }
  assert.deepEqual(await idsOf('q=parasol'), [own.productId])
  assert.deepEqual(await idsOf('q=paras+poto'), [own.productId])
  assert.deepEqual(await idsOf('q=poto-'), [own.productId])
  assert.deepEqual(await idsOf('q=%26%7C%27'), [])
  const at = `siteId=${service.manifest.sites.main}`
  assert.deepEqual(await idsOf(`q=parasol&${at}&active=true`), [own.productId])
  assert.deepEqual(await idsOf(`q=parasol&${at}&active=false`), [])
  assert.deepEqual(await idsOf('q=parasol&serviceType=STOCK'), [])
  assert.deepEqual(await idsOf('q=parasol&archived=true'), [])
  assert.equal((await admin.get(`${products}?q=parasol&cursor=abc`)).status, 400)
})

test('an invalid definition is refused with the name of the field, and nothing is created', async () => {
  const at = `/staff/v1/production/sites/${service.manifest.sites.main}/products`
  const count = () =>
    service.production.database.statements.row<{ count: number }>(sql`select count(*)::int as count from product`)
  const former = await count()
  for (const [wish, code] of [
    [{ name: ' ' }, 'product_not_usable'],
    [{ handlingFee: '1.005' }, 'product_not_usable'],
    [{ handlingFee: '1e3' }, 'product_not_usable'],
    [{ unitWeightOunces: '0' }, 'product_not_usable'],
    [{ attributeNames: ['Size'] }, 'product_not_usable'],
    [{ fulfilmentCenterId: 987_654 }, 'fulfilment_center_unknown'],
    [{ minQuantity: 5, maxQuantity: 4 }, 'limits_crossed'],
    [{ code: 'MER-TEE' }, 'code_taken'],
    [{ variants: [{}] }, 'not_a_stock_product'],
    [{ serviceType: 'STOCK', variants: [{}, { weight: '-1' }] }, 'variant_not_usable'],
    [{ serviceType: 'SERVICE' }, 'invalid_request'],
  ] as const) {
    assert.equal((await admin.post(at, { ...newProduct(), ...wish })).body.code, code, JSON.stringify(wish))
  }
  assert.equal((await admin.post('/staff/v1/production/sites/987654/products', newProduct())).status, 404)
  assert.deepEqual(await count(), former)
})

test('a variant obeys the same rules whoever writes it, and an attribute that a variant uses cannot go', async () => {
  const own = await created(sizes)
  const at = `${products}/${own.productId}`
  const [small, large] = own.variants.map(({ variantId }: { variantId: number }) => `${at}/variants/${variantId}`)
  for (const [send, wish] of [
    [admin.patch, { attribute1Choice: 'small' }],
    [admin.patch, { attribute2Choice: 'Blue' }],
    [admin.patch, { location: '\u200b' }],
  ] as const) {
    const answer = await send(large, wish)
    assert.deepEqual([answer.status, answer.body.code], [422, 'variant_not_usable'], JSON.stringify(wish))
  }
  for (const wish of [{ attribute1Choice: 'Small ' }, { attribute1Choice: 'Huge', attribute3Choice: 'x' }]) {
    assert.equal((await admin.post(`${at}/variants`, wish)).body.code, 'variant_not_usable', JSON.stringify(wish))
  }
  // Another may have the choices of one that is not sold, which then cannot be sold beside it.
  assert.equal((await admin.patch(small, { active: false })).status, 200)
  assert.equal((await admin.patch(large, { attribute1Choice: 'Small' })).status, 200)
  assert.equal((await admin.patch(small, { active: true })).body.code, 'variant_not_usable')
  assert.equal((await admin.patch(small, { active: true, attribute1Choice: 'Tiny' })).status, 200)

  const without = await admin.patch(at, { attributeNames: [] })
  assert.deepEqual([without.status, without.body.code], [422, 'product_not_usable'])
  assert.match(without.body.detail, /attributeNames|choices for 1 attributes/)
  const { main } = service.manifest.sites
  const file = ((await admin.get(`/staff/v1/production/sites/${main}/products.csv`)).body as string).split('\r\n')
  const line = file.find((each) => each.includes(own.productId))!.replace('"Size"', '')
  const csv = [file[0], line].join('\n')
  const report = await admin.call('POST', `/staff/v1/production/sites/${main}/products.csv`, csv, {
    'content-type': 'text/csv',
  })
  assert.deepEqual(
    [report.status, report.body.errors?.[0]?.column],
    [422, 'attributeNames'],
    JSON.stringify(report.body),
  )
  assert.equal((await admin.patch(at, { attributeNames: ['Format', 'Color'] })).status, 200)
  assert.equal((await admin.patch(large, { attribute2Choice: 'Blue' })).status, 200)
  assert.equal((await admin.patch(at, { attributeNames: ['Format'] })).body.code, 'product_not_usable')
})

test('limits that no order can satisfy are refused from staff and in files alike', async () => {
  const { productId } = await created()
  const at = `${products}/${productId}`
  await admin.put(`${at}/prices`, { priceBreaks: [{ fromQuantity: 50, unitPrice: '1' }] })
  assert.equal((await admin.patch(at, { minQuantity: 1_000_000_000 })).body.code, 'invalid_request')
  assert.equal((await admin.patch(at, { maxQuantity: 49 })).body.code, 'product_not_usable')
  assert.equal((await admin.patch(at, { maxQuantity: 50, minQuantity: 50 })).status, 200)
})

test('staff are warned of a product that nobody sees, and of a maximum below where the prices start', async () => {
  const { segments } = service.manifest.fixtures
  const own = await created()
  const at = `${products}/${own.productId}`
  assert.deepEqual(own.warnings, [])
  const unseen = await admin.patch(at, { visibility: 'SEGMENTS' })
  assert.equal(unseen.status, 200)
  assert.match(unseen.body.warnings.join(), /^The visibility is SEGMENTS and no segment is assigned/)
  const assigned = await admin.put(`${at}/segments`, { segmentIds: [segments.main[0]!] })
  assert.deepEqual(assigned.body.warnings, [])
  assert.deepEqual((await admin.get(at)).body.warnings, [])
  const emptied = await admin.put(`${at}/segments`, { segmentIds: [] })
  assert.match(emptied.body.warnings.join(), /no segment is assigned/)
  const sold = await admin.patch(at, { visibility: 'PUBLIC', maxQuantity: 10 })
  assert.deepEqual(sold.body.warnings, [])
  await admin.put(`${at}/prices`, { priceBreaks: [{ fromQuantity: 11, unitPrice: '1' }] })
  assert.deepEqual((await admin.get(at)).body.warnings, [
    'No quantity can be ordered: the prices start at 11, and maxQuantity is 10.',
  ])
  const hidden = await admin.post(`/staff/v1/production/sites/${service.manifest.sites.main}/products`, {
    ...newProduct(),
    visibility: 'SEGMENTS',
  })
  assert.equal(hidden.body.warnings.length, 1)
})

test('GEN-14 a share follows its master’s definition, and has its own status, texts and variants', async () => {
  const { main, second } = service.manifest.sites
  const master = await created({ ...sizes, description: 'Of the master' })
  const shared = await admin.post(`${products}/${master.productId}/shares`, { siteId: second })
  assert.equal(shared.status, 201)
  const share = shared.body
  assert.deepEqual([share.masterId, share.siteId, share.variants.length], [master.productId, second, 2])
  assert.deepEqual(
    share.variants.map((variant: { masterVariantId: number }) => variant.masterVariantId),
    master.variants.map((variant: { variantId: number }) => variant.variantId),
  )
  await admin.patch(`${products}/${master.productId}`, { name: 'Renamed at the master' })
  await admin.post(`${products}/${master.productId}/variants`, { attribute1Choice: 'Huge' })
  const seen = (await primary.get(`/v1/products/${share.productId}`)).body
  assert.deepEqual([seen.name, seen.description, seen.variants.length], ['Renamed at the master', 'Of the master', 3])

  const at = `${products}/${share.productId}`
  assert.equal((await admin.patch(at, { name: 'Mine' })).body.code, 'product_not_usable')
  assert.equal((await admin.patch(at, { description: null, overrideDisplay: true })).status, 200)
  assert.equal((await admin.post(`${at}/variants`, {})).body.code, 'variants_of_master')
  assert.equal((await admin.post(`${at}/shares`, { siteId: main })).body.code, 'not_shareable')
  const again = `${products}/${master.productId}/shares`
  assert.equal((await admin.post(again, { siteId: second })).body.code, 'already_shared')
  assert.equal((await admin.post(again, { siteId: service.manifest.sites.foreign })).body.code, 'currencies_differ')
  assert.equal((await admin.post(again, { siteId: 987_654 })).body.code, 'site_not_found')
  const counted = { counted: 1, reason: 'Counted' }
  const variantAt = `${at}/variants/${share.variants[0].variantId}/stock`
  assert.equal((await admin.post(variantAt, counted)).body.code, 'counted_at_master')
})

test('of two products that get the same code at the same time, one is refused', async () => {
  const at = `/staff/v1/production/sites/${service.manifest.sites.main}/products`
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => admin.post(at, { ...newProduct(), code: 'ONE-OF-SIX' })),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409, 409, 409, 409])
})

test('two products of a site get new codes while a file names both: no change deadlocks', async () => {
  const { main } = service.manifest.sites
  const pair = await Promise.all([created(), created()])
  const at = `/staff/v1/production/sites/${main}/products.csv`
  const file = (await admin.get(at)).body as string
  const renamed = file.replaceAll(/"Sample (\d+)"/g, '"Renamed $1"')
  const answers = await Promise.all([
    admin.call('POST', at, renamed, { 'content-type': 'text/csv' }),
    ...pair.flatMap(({ productId }, index) =>
      [1, 2, 3].map((turn) => admin.patch(`${products}/${productId}`, { code: `NEW-${index}-${turn}` })),
    ),
  ])
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
})

test('a stock correction adds to what orders take, is recorded with its reason, and is refused below zero', async () => {
  const own = await created(sizes)
  const at = `${products}/${own.productId}/variants/${own.variants[0].variantId}/stock`
  assert.equal((await admin.post(at, { pieces: 1, reason: 'Found' })).body.code, 'stock_not_tracked')
  assert.equal((await admin.post(at, { counted: 100, reason: 'Counted' })).body.stockQuantity, 100)
  await Promise.all(Array.from({ length: 10 }, () => admin.post(at, { pieces: -3, reason: 'Broken' })))
  const seen = (await primary.get(`/v1/products/${own.productId}`)).body
  assert.equal(seen.variants[0].availableQuantity, 70)
  assert.equal((await admin.post(at, { pieces: -71, reason: 'Lost' })).body.code, 'stock_below_zero')
  assert.equal((await admin.post(at, { pieces: 2_147_483_647, reason: 'Found' })).body.code, 'stock_out_of_range')
  assert.equal((await admin.post(at, { pieces: 1, counted: 1, reason: 'Both' })).body.code, 'invalid_request')
  assert.equal((await admin.post(at, { pieces: 1, reason: ' ' })).body.code, 'invalid_request')
  const records = await service.production.database.statements.rows<{ detail: Record<string, unknown> }>(sql`
    select detail from audit_record
    where action = 'variant.stock_adjusted' and subject_id = ${String(own.variants[0].variantId)}
    order by audit_id`)
  assert.deepEqual(records[0]!.detail, { before: null, after: 100, reason: 'Counted' })
  assert.equal(records.length, 11)
})

test('GEN-06 a decimal that is the same number changes neither a product nor a variant', async () => {
  const own = await created({ ...sizes, handlingFee: '5', unitWeightOunces: '2.50' })
  const at = `${products}/${own.productId}`
  const variant = `${at}/variants/${own.variants[0].variantId}`
  const former = (await admin.patch(variant, { weight: '6.5', weightUnit: 'OZ' })).body
  assert.deepEqual((await admin.patch(variant, { weight: '6.50' })).body, former)
  assert.deepEqual((await admin.patch(at, { handlingFee: '5.00', unitWeightOunces: '2.5' })).body, former)
  assert.equal((await admin.patch(at, { unitWeightOunces: '2.51' })).body.unitWeightOunces, '2.51')
})

test('a variant is changed field by field, and its SKU is found at once', async () => {
  const own = await created(sizes)
  const at = `${products}/${own.productId}/variants/${own.variants[1].variantId}`
  const changed = await admin.patch(at, { sku: 'ZEBRA-77', weight: '1.25', weightUnit: 'LB', backorderable: true })
  const { sku, weight, weightUnit, backorderable, attribute1Choice } = changed.body.variants[1]
  assert.deepEqual(
    [sku, weight, weightUnit, backorderable, attribute1Choice],
    ['ZEBRA-77', '1.25', 'LB', true, 'Large'],
  )
  const found = await primary.get(`/v1/sites/${service.manifest.sites.main}/products?q=zebra-77`)
  assert.equal(found.body.products[0].productId, own.productId)
  await admin.post(`${at}/stock`, { counted: 0, reason: 'Counted' })
  await admin.post(`${at}/stock`, { pieces: -2, reason: 'Owed' })
  assert.equal((await admin.patch(at, { backorderable: false })).body.code, 'pieces_owed')
  assert.equal((await admin.post(`${at}/stock`, { counted: null, reason: 'Stop' })).body.code, 'pieces_owed')
  assert.equal((await admin.patch(`${products}/${own.productId}/variants/60001`, { sku: 'x' })).status, 404)
})
