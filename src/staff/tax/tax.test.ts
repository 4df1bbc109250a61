import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')
const taxesAt = `/staff/v1/production/sites/${service.manifest.sites.main}/taxes`

async function placed(): Promise<{ orderNumber: number; itemTotal: string; taxTotal: string; shippingTotal: string }> {
  const submitted = await primary.post('/v1/orders', orderBuilder(service.manifest).order())
  assert.equal(submitted.status, 201, JSON.stringify(submitted.body))
  return (await primary.get(`/v1/orders/${submitted.body.order.orderNumber}`)).body
}

const california = { countryCode: 'US', stateCode: 'CA' }

test('a tax that staff set applies to the next order; placed orders keep theirs', async () => {
  await admin.put(taxesAt, { taxes: [{ ...california, percent: '10' }] })
  const first = await placed()
  assert.equal(Number(first.taxTotal), Math.round(Number(first.itemTotal) * 10) / 100)
  const set = await admin.put(taxesAt, { taxes: [{ ...california, percent: '20', shippingTaxed: true }] })
  assert.deepEqual(set.body.taxes, [{ ...california, percent: '20', shippingTaxed: true, handlingTaxed: false }])
  assert.deepEqual((await admin.get(taxesAt)).body, set.body)
  const second = await placed()
  const taxed = Number(second.itemTotal) + Number(second.shippingTotal)
  assert.equal(Number(second.taxTotal), Math.round(taxed * 20) / 100)
  assert.equal((await primary.get(`/v1/orders/${first.orderNumber}`)).body.taxTotal, first.taxTotal)
  await admin.put(taxesAt, { taxes: [] })
  assert.equal((await placed()).taxTotal, '0.00')
})

test('invalid taxes are refused with their row, and the old ones stay', async () => {
  const taxes = [{ ...california, percent: '5', shippingTaxed: false, handlingTaxed: true }]
  await admin.put(taxesAt, { taxes })
  for (const [wrong, detail] of [
    [{ countryCode: 'US', stateCode: 'ZZ', percent: '1' }, /taxes\[1\].*state/],
    [{ countryCode: 'uk', stateCode: 'NY', percent: '1' }, /taxes\[1\].*countryCode/],
    [{ countryCode: 'US', stateCode: 'NY', percent: '100' }, /taxes\[1\].*percent/],
    [{ countryCode: 'US', stateCode: 'NY', percent: '1e1' }, /taxes\[1\].*percent/],
    [{ ...california, percent: '6' }, /taxes\[1\].*earlier/],
  ] as const) {
    const answer = await admin.put(taxesAt, { taxes: [...taxes, wrong] })
    assert.equal(answer.body.code, 'taxes_not_usable')
    assert.match(answer.body.detail, detail)
  }
  assert.deepEqual((await admin.get(taxesAt)).body.taxes, taxes)
})

test('of two staff who write the taxes of a site at once the last one wins as a whole', async () => {
  const states = ['CA', 'NY', 'TX', 'OH']
  const tables = [1, 2, 3, 4, 5].map((percent) => ({
    taxes: states.map((stateCode) => ({ countryCode: 'US', stateCode, percent: String(percent) })),
  }))
  const answers = await Promise.all(tables.map((table) => admin.put(taxesAt, table)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  const left = (await admin.get(taxesAt)).body.taxes as { percent: string }[]
  assert.equal(left.length, 4)
  assert.equal(new Set(left.map(({ percent }) => percent)).size, 1)
})
