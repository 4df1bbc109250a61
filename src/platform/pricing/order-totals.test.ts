import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { decimalString, money, sum } from '../../vocabulary/money.ts'
import { type OrderToTotal, totalOrder } from './order-totals.ts'

const twoLines: OrderToTotal = {
  lines: [
    { lineListTotal: money('100.00'), lineTotal: money('90.00'), handlingTotal: money('2.50'), taxable: true },
    { lineListTotal: money('40.00'), lineTotal: money('40.00'), handlingTotal: money('0'), taxable: false },
  ],
  shippingTotal: money('12.30'),
  taxPercent: money('8.25'),
  taxOnShipping: false,
  taxOnHandling: false,
  exempt: false,
  scale: 2,
}

function totals(changes: Partial<OrderToTotal> = {}) {
  const result = totalOrder({ ...twoLines, ...changes })
  return Object.fromEntries(Object.entries(result).map(([name, amount]) => [name, decimalString(amount, 2)]))
}

test('an order adds up: items less discounts, plus handling, shipping and tax on the taxable lines', () => {
  assert.deepEqual(totals(), {
    itemTotal: '140.00',
    discountTotal: '10.00',
    handlingTotal: '2.50',
    shippingTotal: '12.30',
    taxTotal: '7.43', // 90.00 × 8.25 % = 7.425
    totalPrice: '152.23',
  })
})

test('shipping and handling are taxed where the place says so', () => {
  assert.equal(totals({ taxOnShipping: true }).taxTotal, '8.44') // 102.30 × 8.25 % = 8.43975
  assert.equal(totals({ taxOnShipping: true, taxOnHandling: true }).taxTotal, '8.65') // 104.80 × 8.25 % = 8.646
})

test('an exempt buyer pays no tax', () => {
  assert.deepEqual([totals({ exempt: true }).taxTotal, totals({ exempt: true }).totalPrice], ['0.00', '144.80'])
})

test('tax is rounded once on the sum, not line by line', () => {
  const cheap = { lineListTotal: money('0.10'), lineTotal: money('0.10'), handlingTotal: money(0), taxable: true }
  const result = totals({ lines: Array.from({ length: 10 }, () => cheap), taxPercent: money('4') })
  assert.equal(result.taxTotal, '0.04') // ten times round(0.004) would be 0.00
})

test('a line adjusted above its list amount makes the discount negative and keeps the sum true', () => {
  const lines = [{ lineListTotal: money('10'), lineTotal: money('12'), handlingTotal: money(0), taxable: false }]
  assert.deepEqual([totals({ lines }).discountTotal, totals({ lines }).totalPrice], ['-2.00', '24.30'])
})

const cents = (max: number) => fc.integer({ min: 0, max }).map((amount) => money(amount).div(100))
const anyOrder: fc.Arbitrary<OrderToTotal> = fc.record({
  lines: fc.array(
    fc.record({
      lineListTotal: cents(10_000_000),
      lineTotal: cents(10_000_000),
      handlingTotal: cents(10_000),
      taxable: fc.boolean(),
    }),
    { minLength: 1, maxLength: 20 },
  ),
  shippingTotal: cents(100_000),
  taxPercent: fc.integer({ min: 0, max: 30_000 }).map((thousandths) => money(thousandths).div(1000)),
  taxOnShipping: fc.boolean(),
  taxOnHandling: fc.boolean(),
  exempt: fc.boolean(),
  scale: fc.constant(2),
})

test('whatever the order: the published totals add up to the cent', () => {
  fc.assert(
    fc.property(anyOrder, (order) => {
      const result = totalOrder(order)
      for (const amount of Object.values(result)) assert.ok(amount.eq(decimalString(amount, 2)), 'a whole cent')
      const { itemTotal, discountTotal, handlingTotal, shippingTotal, taxTotal } = result
      const added = sum([itemTotal, discountTotal.neg(), handlingTotal, shippingTotal, taxTotal])
      assert.ok(added.eq(result.totalPrice))
      assert.ok(sum(order.lines.map((line) => line.lineTotal)).lte(result.totalPrice))
    }),
  )
})

test('whatever the order: taxing more of it, at a higher rate, never makes the tax smaller', () => {
  fc.assert(
    fc.property(anyOrder, (order) => {
      const { taxTotal } = totalOrder(order)
      for (const more of [
        { taxOnShipping: true },
        { taxOnHandling: true },
        { taxPercent: order.taxPercent.plus(1) },
        { lines: order.lines.map((line) => ({ ...line, taxable: true })) },
      ]) {
        assert.ok(totalOrder({ ...order, ...more }).taxTotal.gte(taxTotal))
      }
      assert.ok(totalOrder({ ...order, exempt: true }).taxTotal.eq(0))
    }),
  )
})
