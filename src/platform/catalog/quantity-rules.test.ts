import assert from 'node:assert/strict'
import { test } from 'node:test'
import { money } from '../../vocabulary/money.ts'
import type { OrderableProduct, OrderableVariant } from './orderable-products.ts'
import { type AskedGoods, goodsProblems, piecesShort } from './quantity-rules.ts'

const variant: OrderableVariant = {
  variantId: 60001,
  sku: null,
  choices: ['Black', null, null],
  active: true,
  stockVariantId: 60001,
  availableQuantity: null,
  backorderable: false,
  weight: null,
  weightUnit: null,
}

const stock: OrderableProduct = {
  productId: 'SLO_100001',
  productNumber: 100001,
  name: 'T-shirt',
  code: 'TEE',
  serviceType: 'STOCK',
  artworkSource: 'NONE',
  artworkTypes: ['application/pdf'],
  active: true,
  visibility: 'PUBLIC',
  segmentIds: [],
  minQuantity: null,
  maxQuantity: null,
  requiresApproval: false,
  requiresProof: false,
  attributeNames: ['Color'],
  handlingFee: null,
  taxable: true,
  shippable: true,
  digitalDelivery: false,
  unitWeightOunces: null,
  turnaroundBusinessDays: null,
  fulfilmentCenter: null,
  templateVendor: null,
  templateId: null,
  variants: [variant],
  priceBreaks: [{ variantId: null, fromQuantity: 1, unitPrice: money('2') }],
  productDiscounts: [],
}

const printed: OrderableProduct = { ...stock, serviceType: 'POD', variants: [] }

/** The broken rules, each with its field. */
function broken(product: Partial<OrderableProduct>, asked: Partial<AskedGoods> = {}): string[] {
  const goods = { variantId: 60001, quantity: 10, buyer: null, ...asked, product: { ...stock, ...product } }
  return goodsProblems(goods).map(({ rule, field }) => `${rule} in ${field}`)
}

test('valid goods have no problem', () => {
  assert.deepEqual(broken({}), [])
  assert.deepEqual(broken(printed, { variantId: undefined }), [])
})

test('SUB-47 SUB-48 a STOCK product needs a variant of its own that is active, a POD product accepts none', () => {
  assert.deepEqual(broken({}, { variantId: undefined }), ['variant_required in variantId'])
  assert.deepEqual(broken({}, { variantId: 60002 }), ['variant_unknown in variantId'])
  assert.deepEqual(broken({ variants: [{ ...variant, active: false }] }), ['variant_inactive in variantId'])
  assert.deepEqual(broken(printed, { variantId: 60001 }), ['variant_not_accepted in variantId'])
})

test('ERR-63 a quantity outside the configured limits is a problem that names the limit', () => {
  const limits = { minQuantity: 5, maxQuantity: 20 }
  assert.deepEqual(broken(limits, { quantity: 5 }), [])
  assert.deepEqual(broken(limits, { quantity: 20 }), [])
  assert.deepEqual(broken(limits, { quantity: 4 }), ['quantity_below_minimum in quantity'])
  assert.deepEqual(broken(limits, { quantity: 21 }), ['quantity_above_maximum in quantity'])
  assert.deepEqual(broken(printed, { variantId: undefined, quantity: 999_999_999 }), [])
  assert.deepEqual(broken(printed, { variantId: undefined, quantity: 1_000_000_000 }), [
    'quantity_above_maximum in quantity',
  ])
  const [problem] = goodsProblems({ product: { ...stock, ...limits }, variantId: 60001, quantity: 21, buyer: null })
  assert.equal(problem?.message, 'The quantity must be at most 20.')
})

test('ERR-46 goods without a price, or in a quantity below the first price break, cannot be ordered', () => {
  assert.deepEqual(broken({ priceBreaks: [] }), ['not_priced in productId'])
  const ofOther = [{ variantId: 60009, fromQuantity: 1, unitPrice: money(1) }]
  assert.deepEqual(broken({ priceBreaks: ofOther }), ['not_priced in productId'])
  assert.deepEqual(broken({ priceBreaks: ofOther }, { variantId: undefined }), ['variant_required in variantId'])
  const fromTwelve = [{ variantId: null, fromQuantity: 12, unitPrice: money(1) }]
  assert.deepEqual(broken({ priceBreaks: fromTwelve }, { quantity: 11 }), ['quantity_below_minimum in quantity'])
  assert.deepEqual(broken({ priceBreaks: fromTwelve }, { quantity: 12 }), [])
})

test('insufficient stock is a problem only if it is tracked and backorders are not allowed', () => {
  const inStock = (pieces: number | null, backorderable: boolean) =>
    broken({ variants: [{ ...variant, availableQuantity: pieces, backorderable }] })
  assert.deepEqual(inStock(10, false), [])
  assert.deepEqual(inStock(9, false), ['out_of_stock in quantity'])
  assert.deepEqual(inStock(9, true), [])
  assert.deepEqual(inStock(null, false), [])
  assert.equal(piecesShort({ ...variant, availableQuantity: 3 }, 10), 7)
  assert.equal(piecesShort({ ...variant, availableQuantity: -2 }, 10), 10)
})

test('an inactive product, or one that the ordering user may not see, is not for sale', () => {
  const outsider = { allSegmentsVisible: false, segmentIds: [301] }
  const insider = { allSegmentsVisible: false, segmentIds: [301, 302] }
  const seesAll = { allSegmentsVisible: true, segmentIds: [] }
  const segmented = { visibility: 'SEGMENTS', segmentIds: [302, 303] } as const
  assert.deepEqual(broken({ active: false }), ['product_inactive in productId'])
  assert.deepEqual(broken({ visibility: 'HIDDEN' }, { buyer: seesAll }), ['product_not_offered in productId'])
  assert.deepEqual(broken(segmented, { buyer: outsider }), ['product_not_offered in productId'])
  assert.deepEqual(broken(segmented, { buyer: insider }), [])
  assert.deepEqual(broken(segmented, { buyer: seesAll }), [])
  assert.deepEqual(broken(segmented, { buyer: null }), [])
})

test('SUB-09 every problem of a line is reported, not only the first', () => {
  assert.deepEqual(broken({ active: false, minQuantity: 20 }, { variantId: undefined }), [
    'product_inactive in productId',
    'variant_required in variantId',
    'quantity_below_minimum in quantity',
  ])
})
