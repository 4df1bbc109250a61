import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { money } from '../../vocabulary/money.ts'
import { type LineToPrice, listTotal, priceLine } from './price-line.ts'

function line(changes: Partial<LineToPrice> = {}): LineToPrice {
  return {
    quantity: 100,
    breaks: [{ fromQuantity: 1, unitPrice: money('0.125') }],
    productDiscounts: [],
    userDiscount: null,
    handlingFee: null,
    currencyScale: 2,
    ...changes,
  }
}

/** Every amount in text, as it would be published. */
function priced(changes: Partial<LineToPrice> = {}) {
  const result = priceLine(line(changes))
  return (
    result && {
      lineListTotal: result.lineListTotal.toFixed(2),
      productDiscount: result.productDiscount?.amount.toFixed(2) ?? null,
      userDiscount: result.userDiscount?.amount.toFixed(2) ?? null,
      lineTotal: result.lineTotal.toFixed(2),
      handlingTotal: result.handlingTotal.toFixed(2),
    }
  )
}

const threeBreaks = [
  { fromQuantity: 500, unitPrice: money('0.07') },
  { fromQuantity: 50, unitPrice: money('0.10') },
  { fromQuantity: 100, unitPrice: money('0.09') },
]

test('ORD-12 the list total is the whole line at the break with the greatest quantity not above the ordered one', () => {
  const totals = [50, 99, 100, 499, 500].map((quantity) => listTotal(threeBreaks, quantity, 2)?.toFixed(2))
  assert.deepEqual(totals, ['5.00', '9.90', '9.00', '44.91', '35.00'])
})

test('GEN-08 below the first break, or without any, a line has no price rather than a price of zero', () => {
  assert.equal(priced({ breaks: threeBreaks, quantity: 49 }), null)
  assert.equal(priced({ breaks: [] }), null)
  assert.equal(priced({ breaks: [{ fromQuantity: 1, unitPrice: money(0) }] })?.lineListTotal, '0.00')
})

test('ORD-19 the best product discount applies to the list total, the user discount to what remains', () => {
  assert.deepEqual(
    priced({
      breaks: [{ fromQuantity: 1, unitPrice: money('1') }],
      productDiscounts: [
        { name: 'spring', percent: money('10') },
        { name: 'clearance', percent: money('12.5') },
      ],
      userDiscount: { name: 'staff', percent: money('20') },
    }),
    {
      lineListTotal: '100.00',
      productDiscount: '12.50',
      userDiscount: '17.50',
      lineTotal: '70.00',
      handlingTotal: '0.00',
    },
  )
})

test('ORD-20 handling is charged once a line and stays outside the line total', () => {
  const result = priced({
    quantity: 7,
    breaks: [{ fromQuantity: 1, unitPrice: money('2') }],
    handlingFee: money('3.50'),
  })
  assert.deepEqual([result?.lineTotal, result?.handlingTotal], ['14.00', '3.50'])
})

test('GEN-06 each amount is rounded half away from zero to the currency, at every step', () => {
  assert.deepEqual(
    priced({
      quantity: 1,
      breaks: [{ fromQuantity: 1, unitPrice: money('10.005') }],
      productDiscounts: [{ name: null, percent: money('33.333') }],
      userDiscount: { name: null, percent: money('7.5') },
    }),
    // 10.005 → 10.01; 3.3366… → 3.34; (6.67 × 7.5 %) 0.50025 → 0.50
    { lineListTotal: '10.01', productDiscount: '3.34', userDiscount: '0.50', lineTotal: '6.17', handlingTotal: '0.00' },
  )
  const yen = priceLine(
    line({ quantity: 3, breaks: [{ fromQuantity: 1, unitPrice: money('33.5') }], currencyScale: 0 }),
  )
  assert.equal(yen?.lineTotal.toString(), '101')
})

const amount = fc.integer({ min: 0, max: 5_000_000 }).map((tenThousandths) => money(tenThousandths).div(10_000))
const percent = fc.integer({ min: 1, max: 100_000 }).map((thousandths) => money(thousandths).div(1000))
const discount = fc.record({ name: fc.constant(null), percent })
const anyLine: fc.Arbitrary<LineToPrice> = fc.record({
  quantity: fc.integer({ min: 1, max: 1_000_000 }),
  breaks: fc.uniqueArray(fc.record({ fromQuantity: fc.integer({ min: 1, max: 2_000_000 }), unitPrice: amount }), {
    selector: (each) => each.fromQuantity,
    maxLength: 6,
  }),
  productDiscounts: fc.array(discount, { maxLength: 3 }),
  userDiscount: fc.option(discount),
  handlingFee: fc.option(amount),
  currencyScale: fc.constantFrom(0, 2, 3),
})

test('ORD-13 for any prices: list less discounts is the line total, and no discount exceeds the amount it is taken from', () => {
  fc.assert(
    fc.property(anyLine, (each) => {
      const result = priceLine(each)
      if (!result) return assert.ok(each.breaks.every((one) => one.fromQuantity > each.quantity))
      const off = money(0)
        .plus(result.productDiscount?.amount ?? 0)
        .plus(result.userDiscount?.amount ?? 0)
      assert.ok(result.lineListTotal.minus(off).eq(result.lineTotal))
      assert.ok(result.lineTotal.gte(0) && result.lineTotal.lte(result.lineListTotal))
      assert.ok(result.lineTotal.eq(result.lineTotalBeforeAdjustments))
      for (const one of [result.lineListTotal, result.lineTotal, off, result.handlingTotal]) {
        assert.ok(one.eq(one.round(each.currencyScale)), 'no amount has a fraction the currency has not')
      }
    }),
  )
})

test('ORD-12 the order of breaks and discounts changes no price', () => {
  fc.assert(
    fc.property(anyLine, (each) => {
      const turned = {
        ...each,
        breaks: each.breaks.toReversed(),
        productDiscounts: each.productDiscounts.toReversed(),
      }
      assert.deepEqual(priceLine(turned), priceLine(each))
    }),
  )
})

test('ORD-12 within one break, more pieces never cost less', () => {
  const two = fc.tuple(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 100_000 }))
  fc.assert(
    fc.property(amount, fc.option(discount), two, (unitPrice, userDiscount, [one, other]) => {
      const total = (quantity: number) =>
        priceLine(line({ breaks: [{ fromQuantity: 1, unitPrice }], userDiscount, quantity }))!.lineListTotal
      assert.ok(total(Math.min(one, other)).lte(total(Math.max(one, other))))
    }),
  )
})

test('GEN-07 the list total is exact where binary fractions are not', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 9n }),
      fc.bigInt({ min: 1n, max: 10n ** 6n }),
      (tenThousandths, quantity) => {
        // the reference counts in whole ten-thousandths and rounds half up to hundredths
        const hundredths = (tenThousandths * quantity + 50n) / 100n
        const unitPrice = money(tenThousandths.toString()).div(10_000)
        const total = listTotal([{ fromQuantity: 1, unitPrice }], Number(quantity), 2)!
        assert.equal(total.times(100).toFixed(0), hundredths.toString())
      },
    ),
  )
})
