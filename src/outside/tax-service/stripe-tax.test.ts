import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { startStripeTax } from '../../../test/world/outside-companies.ts'
import { Outage } from '../../vocabulary/outage.ts'
import { createEgress } from '../egress/guarded-request.ts'
import { stripeTax } from './stripe-tax.ts'

const company = await startStripeTax()
const egress = createEgress({ allowedHosts: (host) => host === '127.0.0.1' })
const service = stripeTax(egress, company)
after(async () => {
  egress.close()
  await company.close()
})
afterEach(() => (company.fault = undefined))

const seattle = {
  countryCode: 'US',
  stateCode: 'WA',
  postalCode: '98101',
  city: 'Seattle',
  address1: '1301 Second Ave',
}
const sale = { currency: 'USD', to: seattle }

test('the percents of all jurisdictions at a destination are added up', async () => {
  assert.deepEqual(await service.percentsAt(sale), { onGoods: '10.35', onHandling: '10.35', onDelivery: '10.35' })
  const inPennsylvania = { ...sale, to: { ...seattle, stateCode: 'PA', postalCode: '19107' } }
  assert.deepEqual(await service.percentsAt(inPennsylvania), { onGoods: '6', onHandling: '0', onDelivery: '0' })
  const inOregon = { ...sale, to: { ...seattle, stateCode: 'OR', postalCode: '97201' } }
  assert.deepEqual(await service.percentsAt(inOregon), { onGoods: '0', onHandling: '0', onDelivery: '0' })
})

test('a tax on a part of the amount counts in proportion', async () => {
  const levy = { taxable_amount: 2500, tax_rate_details: { percentage_decimal: '8' } }
  const taxed = { amount_tax: 200, tax_breakdown: [levy] }
  company.fault = {
    status: 200,
    body: {
      line_items: {
        data: [
          { reference: 'goods', ...taxed },
          { reference: 'handling', ...taxed },
        ],
      },
      shipping_cost: taxed,
    },
  }
  assert.deepEqual(await service.percentsAt(sale), { onGoods: '2', onHandling: '2', onDelivery: '2' })
})

test('an address that Stripe does not know has no percents', async () => {
  assert.equal(await service.percentsAt({ ...sale, to: { ...seattle, postalCode: '00000' } }), null)
})

test('a wrong key, another fault and a broken answer are outages, and none of them tells the key', async () => {
  const isOutage = (error: unknown): boolean =>
    error instanceof Outage && !`${error.message} ${String(error.cause)}`.includes(company.key)
  await assert.rejects(stripeTax(egress, { ...company, key: 'another-key' }).percentsAt(sale), isOutage)
  const levy = (tax: object) => ({ line_items: { data: [] }, shipping_cost: { tax_breakdown: [tax] } })
  const faults = [
    { status: 400, body: { error: { code: 'parameter_missing' } } },
    { status: 429, body: {} },
    { status: 500, body: {} },
    { status: 200, body: 'not JSON' },
    { status: 200, body: {} },
    { status: 200, body: levy({ taxable_amount: 10000, tax_rate_details: { percentage_decimal: 'much' } }) },
  ]
  for (const fault of faults) {
    company.fault = fault
    await assert.rejects(service.percentsAt(sale), isOutage, JSON.stringify(fault))
  }
})
