import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newProduct } from '../../../test/every-staff-operation/samples/catalog.ts'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'
import { sql } from '../../database/sql.ts'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')

async function created(): Promise<string> {
  const at = `/staff/v1/production/sites/${service.manifest.sites.main}/products`
  return (await admin.post(at, newProduct())).body.productId
}

const pricesOf = (productId: string) => `/staff/v1/production/products/${productId}/prices`
const discountsOf = (productId: string) => `/staff/v1/production/products/${productId}/discounts`

test('GEN-06 a price table that staff write applies to the next quote and order, to the cent', async () => {
  const productId = await created()
  assert.equal(
    (await primary.post(`/v1/products/${productId}/quote`, { quantity: 3 })).body.code,
    'quote_product_not_found',
  )
  const priceBreaks = [
    { fromQuantity: 1, unitPrice: '0.335' },
    { fromQuantity: 100, unitPrice: '0.333333' },
  ]
  const put = await admin.put(pricesOf(productId), { priceBreaks })
  assert.deepEqual(
    put.body.priceBreaks,
    priceBreaks.map((row) => ({ variantId: null, ...row })),
  )
  assert.deepEqual((await admin.get(pricesOf(productId))).body, put.body)
  const build = orderBuilder(service.manifest)
  for (const [quantity, listTotal] of [
    [3, '1.01'],
    [100, '33.33'],
  ] as const) {
    const quoted = (await primary.post(`/v1/products/${productId}/quote`, { quantity })).body
    assert.equal(quoted.lineListTotal, listTotal)
    const submitted = await primary.post('/v1/orders', build.order({ lines: [build.podLine({ productId, quantity })] }))
    const { orderNumber } = submitted.body.order
    const { items } = (await primary.get(`/v1/orders/${orderNumber}/items`)).body
    assert.equal(items[0].lineTotal, quoted.lineTotal)
  }
})

test('a table that is not ascending, not exact or for other goods is refused with its row, and the old one stays', async () => {
  const productId = await created()
  const priceBreaks = [{ variantId: null, fromQuantity: 1, unitPrice: '9' }]
  await admin.put(pricesOf(productId), { priceBreaks })
  const row = (fromQuantity: number, unitPrice: string, variantId?: number) => ({ fromQuantity, unitPrice, variantId })
  for (const [table, place] of [
    [[row(10, '1'), row(5, '2')], 'priceBreaks[1].fromQuantity'],
    [[row(1, '1'), row(1, '2')], 'priceBreaks[1].fromQuantity'],
    [[row(1, '1.0000001')], 'priceBreaks[0].unitPrice'],
    [[row(1, '-1')], 'priceBreaks[0].unitPrice'],
    [[row(1, '1,5')], 'priceBreaks[0].unitPrice'],
    [[row(1, '1'), row(1, '1', 60_001)], 'priceBreaks[1].variantId'],
  ] as const) {
    const answer = await admin.put(pricesOf(productId), { priceBreaks: table })
    assert.equal(answer.body.code, 'prices_not_usable')
    assert.ok(answer.body.detail.startsWith(`In ${place}: The `), answer.body.detail)
  }
  assert.equal((await admin.put(pricesOf(productId), { priceBreaks: [row(0, '1')] })).body.code, 'invalid_request')
  assert.equal((await admin.put(pricesOf('SLO_987654'), { priceBreaks: [] })).body.code, 'product_not_found')
  assert.deepEqual((await admin.get(pricesOf(productId))).body.priceBreaks, priceBreaks)
})

test('of two staff who write one price table at once the last one wins, and the tables never mix', async () => {
  const productId = await created()
  const tables = Array.from({ length: 8 }, (_, turn) =>
    Array.from({ length: 5 }, (_each, step) => ({
      fromQuantity: step * 10 + turn + 1,
      unitPrice: `${turn + 1}.${step}`,
    })),
  )
  const answers = await Promise.all(tables.map((priceBreaks) => admin.put(pricesOf(productId), { priceBreaks })))
  assert.ok(answers.every(({ status }) => status === 200))
  const left = (await admin.get(pricesOf(productId))).body.priceBreaks
  assert.equal(left.length, 5)
  assert.equal(new Set(left.map(({ unitPrice }: { unitPrice: string }) => unitPrice.split('.')[0])).size, 1)
})

test('a new name of a discount on a product is recorded, and orders and quotes show it', async () => {
  const productId = await created()
  await admin.put(pricesOf(productId), { priceBreaks: [{ fromQuantity: 1, unitPrice: '10' }] })
  const named = (name: string) => ({ name, percent: '5', startsOn: null, stopsOn: null })
  await admin.put(discountsOf(productId), { discounts: [named('Spring')] })
  const renamed = await admin.put(discountsOf(productId), { discounts: [named('Summer')] })
  const records = await service.production.database.statements.rows<{ action: string; detail: unknown }>(sql`
    select action, detail from audit_record where request_id = ${renamed.headers.get('request-id')}`)
  const detail = { before: [named('Spring')], after: [named('Summer')] }
  assert.deepEqual(records, [{ action: 'product.discounts_replaced', detail }])
  const quote = await primary.post(`/v1/products/${productId}/quote`, { quantity: 1 })
  assert.equal(quote.body.productDiscount.name, 'Summer')
})

test('the best discount in force applies, and a past or future one does not', async () => {
  const productId = await created()
  await admin.put(pricesOf(productId), { priceBreaks: [{ fromQuantity: 1, unitPrice: '10' }] })
  const quoted = async () =>
    (await primary.post(`/v1/products/${productId}/quote`, { quantity: 1 })).body.productDiscount
  const hour = 3_600_000
  const at = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()
  const exact = [{ percent: '1', startsOn: '2090-01-01t00:00:00.987123321z' }]
  const stored = await admin.put(discountsOf(productId), { discounts: exact })
  assert.equal(stored.body.discounts[0].startsOn, '2090-01-01T00:00:00.987Z')
  const put = await admin.put(discountsOf(productId), {
    discounts: [
      { percent: '90', stopsOn: at(-hour) },
      { name: 'Spring', percent: '12.5', startsOn: at(-hour), stopsOn: at(hour) },
      { percent: '5' },
      { percent: '80', startsOn: at(hour) },
    ],
  })
  assert.equal(put.status, 200)
  assert.deepEqual(await quoted(), { name: 'Spring', percent: '12.5', amount: '1.25' })
  for (const discount of [
    { percent: '0' },
    { percent: '100.01' },
    { percent: '5', startsOn: at(hour), stopsOn: at(0) },
  ]) {
    const refused = await admin.put(discountsOf(productId), { discounts: [discount] })
    assert.equal(refused.body.code, 'discounts_not_usable', JSON.stringify(discount))
  }
  for (const startsOn of ['soon', '2030-01-01', '2030-12-31T23:59:60Z', '0000-01-01T00:00:00Z']) {
    const refused = await admin.put(discountsOf(productId), { discounts: [{ percent: '5', startsOn }] })
    assert.equal(refused.body.code, 'invalid_request', startsOn)
  }
  assert.equal((await quoted()).name, 'Spring')
  await admin.put(discountsOf(productId), { discounts: [] })
  assert.equal(await quoted(), null)
})
