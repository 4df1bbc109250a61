import assert from 'node:assert/strict'
import { test } from 'node:test'
import { money } from '../../vocabulary/money.ts'
import { pieceWeightOunces, priceBreaksOf } from './chosen-variant.ts'
import type { OrderableProduct, OrderableVariant } from './orderable-products.ts'

const variant = { variantId: 7, stockVariantId: 7, weight: null, weightUnit: null } as OrderableVariant
const product = {
  unitWeightOunces: money('3.5'),
  priceBreaks: [
    { variantId: null, fromQuantity: 1, unitPrice: money('2') },
    { variantId: 7, fromQuantity: 10, unitPrice: money('1') },
  ],
} as unknown as OrderableProduct

function prices(chosen: OrderableVariant | null): string[] {
  return priceBreaksOf(product, chosen).map(({ unitPrice }) => unitPrice.toString())
}

test("a variant's own breaks replace the product's", () => {
  assert.deepEqual(prices(variant), ['1'])
  assert.deepEqual(prices({ ...variant, variantId: 8, stockVariantId: 8 }), ['2'])
  assert.deepEqual(prices(null), ['2'])
})

test("a share's variant has the price breaks of the master's variant", () => {
  assert.deepEqual(prices({ ...variant, variantId: 107 }), ['1'])
})

test('a piece has the weight of its variant, in any unit, else of its product', () => {
  const weighs = (weight: string, weightUnit: OrderableVariant['weightUnit']) =>
    pieceWeightOunces(product, { ...variant, weight: money(weight), weightUnit })?.toFixed(6)
  assert.equal(weighs('2', 'LB'), '32.000000')
  assert.equal(weighs('8', 'OZ'), '8.000000')
  assert.equal(weighs('1', 'KG'), '35.273962')
  assert.equal(weighs('100', 'G'), '3.527396')
  assert.equal(weighs('9', null), '3.500000')
  assert.equal(pieceWeightOunces(product, null)?.toString(), '3.5')
  assert.equal(pieceWeightOunces({ ...product, unitWeightOunces: null }, variant), null)
})
