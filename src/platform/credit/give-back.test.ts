import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { money, sum, zero } from '../../vocabulary/money.ts'
import { drawDown, type Charges } from './draw-down.ts'
import { giveBack, type DrawnCredit } from './give-back.ts'

const charges = (product: string, shipping = '0', handling = '0', tax = '0'): Charges => ({
  product: money(product),
  shipping: money(shipping),
  handling: money(handling),
  tax: money(tax),
})

const shown = (returned: ReturnType<typeof giveBack>) =>
  returned.map(({ creditAccountId, type, amount }) => [creditAccountId, type, amount.toFixed(2)])

const drawn: DrawnCredit[] = [
  { creditAccountId: 1, type: 'PRODUCT_DEBIT', amount: money('30.00') },
  { creditAccountId: 1, type: 'TAX_DEBIT', amount: money('2.00') },
  { creditAccountId: 2, type: 'PRODUCT_DEBIT', amount: money('20.00') },
]

test('the part that an order still costs stays drawn', () => {
  assert.deepEqual(shown(giveBack(drawn, charges('50', '0', '0', '2'))), [])
  assert.deepEqual(shown(giveBack(drawn, charges('80', '5', '5', '9'))), [])
})

test('an order that no longer costs anything gives everything back to the accounts it came from', () => {
  assert.deepEqual(shown(giveBack(drawn, charges('0'))), [
    [2, 'PRODUCT_CREDIT', '20.00'],
    [1, 'PRODUCT_CREDIT', '30.00'],
    [1, 'TAX_CREDIT', '2.00'],
  ])
})

test('the account drawn on last gets credit back first', () => {
  assert.deepEqual(shown(giveBack(drawn, charges('45', '0', '0', '2'))), [[2, 'PRODUCT_CREDIT', '5.00']])
  assert.deepEqual(shown(giveBack(drawn, charges('12.50', '0', '0', '2'))), [
    [2, 'PRODUCT_CREDIT', '20.00'],
    [1, 'PRODUCT_CREDIT', '17.50'],
  ])
})

test('a negative charge for goods gives back no more than was drawn', () => {
  assert.deepEqual(shown(giveBack(drawn, charges('-10', '0', '0', '2'))), [
    [2, 'PRODUCT_CREDIT', '20.00'],
    [1, 'PRODUCT_CREDIT', '30.00'],
  ])
})

test('for any draw-downs and remaining charges, no charge keeps more credit than it costs and no account gets back more than it gave', () => {
  const cents = fc.integer({ min: 0, max: 20_000 }).map((value) => money(value).div(100))
  const anyCharges = fc.record({ product: cents, shipping: cents, handling: cents, tax: cents })
  fc.assert(
    fc.property(fc.array(cents, { maxLength: 4 }), anyCharges, anyCharges, (balances, before, after) => {
      const accounts = balances.map((balance, index) => ({
        creditAccountId: index + 1,
        balance,
        shippingApplicable: true,
        handlingApplicable: null,
        taxApplicable: index % 2 === 0,
      }))
      const taken = drawDown(accounts, before).map(({ creditAccountId, type, amount }) => ({
        creditAccountId,
        type,
        amount: amount.neg(),
      }))
      const returned = giveBack(taken, after)
      for (const [charge, word] of Object.entries({
        product: 'PRODUCT',
        shipping: 'SHIPPING',
        handling: 'HANDLING',
        tax: 'TAX',
      })) {
        const of = (moves: readonly { type: string; amount: typeof zero }[]) =>
          sum(moves.filter((move) => move.type.startsWith(word)).map((move) => move.amount))
        const kept = of(taken).minus(of(returned))
        const least = of(taken).lt(after[charge as keyof Charges]) ? of(taken) : after[charge as keyof Charges]
        assert.ok(kept.eq(least), `${word}: ${kept} kept of ${of(taken)} for ${after[charge as keyof Charges]}`)
      }
      for (const { creditAccountId, type, amount } of returned) {
        const gave = taken.find(
          (each) => each.creditAccountId === creditAccountId && each.type === type.replace('CREDIT', 'DEBIT'),
        )
        assert.ok(amount.gt(zero) && gave && amount.lte(gave.amount))
      }
    }),
  )
})
