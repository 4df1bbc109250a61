import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { decimalString, money, sum } from '../../vocabulary/money.ts'
import { totalOrder } from './order-totals.ts'

type OrderToTotal = Parameters<typeof totalOrder>[0]

const ninety = {
  lineListTotal: money('100.00'),
  lineTotalBeforeAdjustments: money('90.00'),
  lineTotal: money('90.00'),
  handlingTotal: money('2.50'),
  taxPercent: money('8.25'),
  handlingTaxPercent: money(0),
}
const forty = {
  lineListTotal: money('40.00'),
  lineTotalBeforeAdjustments: money('40.00'),
  lineTotal: money('40.00'),
  handlingTotal: money('0'),
  taxPercent: money(0),
  handlingTaxPercent: money(0),
}
const shipment = { shippingTotal: money('12.30'), taxPercent: money(0) }
const order: OrderToTotal = { lines: [ninety, forty], shipments: [shipment], scale: 2 }

function totals(changes: Partial<OrderToTotal> = {}) {
  const result = totalOrder({ ...order, ...changes })
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

test('shipping and handling are taxed if the region says so', () => {
  const shipments = [{ ...shipment, taxPercent: money('8.25') }]
  const lines = [{ ...ninety, handlingTaxPercent: money('8.25') }, forty]
  assert.equal(totals({ shipments }).taxTotal, '8.44') // 102.30 × 8.25 % = 8.43975
  assert.equal(totals({ shipments, lines }).taxTotal, '8.65') // 104.80 × 8.25 % = 8.646
})

test('lines to two addresses are each taxed at the percent of their own region', () => {
  const lines = [ninety, { ...forty, taxPercent: money('4') }]
  assert.equal(totals({ lines }).taxTotal, '9.03') // 7.425 + 1.60
})

test('tax is rounded once on the sum, not line by line', () => {
  const ten = money('0.10')
  const cheap = {
    ...forty,
    lineListTotal: ten,
    lineTotalBeforeAdjustments: ten,
    lineTotal: ten,
    taxPercent: money('4'),
  }
  const result = totals({ lines: Array.from({ length: 10 }, () => cheap) })
  assert.equal(result.taxTotal, '0.04') // ten times round(0.004) would be 0.00
})

test('an adjusted line raises or lowers the item total, and the discount stays as ordered', () => {
  for (const [lineTotal, itemTotal, totalPrice] of [
    ['142.00', '152.00', '168.52'],
    ['90.00', '100.00', '112.23'],
    ['12.00', '22.00', '27.79'],
    ['0.00', '10.00', '14.80'],
  ] as const) {
    const shown = totals({ lines: [{ ...ninety, lineTotal: money(lineTotal) }] })
    assert.deepEqual([shown.itemTotal, shown.discountTotal, shown.totalPrice], [itemTotal, '10.00', totalPrice])
  }
})

test('a line charged above its list amount from the start has no discount', () => {
  const lines = [{ ...forty, lineTotalBeforeAdjustments: money('42'), lineTotal: money('42') }]
  assert.deepEqual([totals({ lines }).itemTotal, totals({ lines }).discountTotal], ['42.00', '0.00'])
})

const cents = (max: number) => fc.integer({ min: 0, max }).map((amount) => money(amount).div(100))
const percent = fc.integer({ min: 0, max: 30_000 }).map((thousandths) => money(thousandths).div(1000))
const anyOrder: fc.Arbitrary<OrderToTotal> = fc.record({
  lines: fc.array(
    fc.record({
      lineListTotal: cents(10_000_000),
      lineTotalBeforeAdjustments: cents(10_000_000),
      lineTotal: cents(10_000_000),
      handlingTotal: cents(10_000),
      taxPercent: percent,
      handlingTaxPercent: percent,
    }),
    { minLength: 1, maxLength: 20 },
  ),
  shipments: fc.array(fc.record({ shippingTotal: cents(100_000), taxPercent: percent }), { maxLength: 4 }),
  scale: fc.constant(2),
})

test('for any order: the published totals add up to the cent', () => {
  fc.assert(
    fc.property(anyOrder, (each) => {
      const result = totalOrder(each)
      for (const amount of Object.values(result)) assert.ok(amount.eq(decimalString(amount, 2)), 'a whole cent')
      const { itemTotal, discountTotal, handlingTotal, shippingTotal, taxTotal } = result
      const added = sum([itemTotal, discountTotal.neg(), handlingTotal, shippingTotal, taxTotal])
      assert.ok(added.eq(result.totalPrice))
      assert.ok(discountTotal.gte(0))
      assert.ok(itemTotal.gte(discountTotal))
      assert.ok(sum(each.lines.map((line) => line.lineTotal)).lte(result.totalPrice))
    }),
  )
})

test('for any order: a higher percent never makes the tax smaller, and without percents it is zero', () => {
  fc.assert(
    fc.property(anyOrder, (each) => {
      const { taxTotal } = totalOrder(each)
      const lines = each.lines.map((line) => ({ ...line, taxPercent: line.taxPercent.plus('0.5') }))
      const shipments = each.shipments.map((one) => ({ ...one, taxPercent: one.taxPercent.plus(1) }))
      assert.ok(totalOrder({ ...each, lines }).taxTotal.gte(taxTotal))
      assert.ok(totalOrder({ ...each, shipments }).taxTotal.gte(taxTotal))
      const untaxed = {
        ...each,
        lines: lines.map((line) => ({ ...line, taxPercent: money(0), handlingTaxPercent: money(0) })),
        shipments: shipments.map((one) => ({ ...one, taxPercent: money(0) })),
      }
      assert.ok(totalOrder(untaxed).taxTotal.eq(0))
    }),
  )
})
