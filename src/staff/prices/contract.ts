import { Type } from 'typebox'
import { bodyObject, described, idInBody, nullable, record, textUpTo } from '../../contract/fields.ts'
import { priceRowsMax } from '../../platform/catalog/price-tables.ts'
import { DiscountView, PriceBreakView } from '../catalog/product-records.ts'
import { staffOperation, staffSubject } from '../operation.ts'
import { priceBreak, pricesNotUsable } from './price-bodies.ts'

const PriceTable = record('PriceTable', { priceBreaks: Type.Array(PriceBreakView) })
const Discounts = record('ProductDiscounts', { discounts: Type.Array(DiscountView) })
const decimalText = (says: string) => Type.String({ maxLength: 20, description: says })
const moment = (says: string) => nullable(Type.String({ format: 'date-time', description: says }))

export const prices = staffSubject({
  name: 'Prices',
  says: 'The quantity price breaks of products and the discounts on them. Amounts are exact decimals; orders round once.',
  problems: {
    product_not_found: [404, 'No such product.'],
    prices_not_usable: pricesNotUsable,
    discounts_not_usable: [422, 'A discount is not usable.'],
  },
  operations: {
    readPrices: staffOperation({
      id: 'readPrices',
      at: 'GET /staff/v1/{environment}/products/{productId}/prices',
      permission: 'prices:read',
      answers: { 200: PriceTable },
      refuses: ['product_not_found'],
      says: "Shows the price breaks of a product. A share without any sells at its master's prices.",
    }),
    replacePrices: staffOperation({
      id: 'replacePrices',
      at: 'PUT /staff/v1/{environment}/products/{productId}/prices',
      revises: 'readPrices',
      permission: 'prices:write',
      body: {
        schema: bodyObject({
          priceBreaks: Type.Array(
            bodyObject({
              variantId: Type.Optional(
                nullable(described(idInBody, 'left out = for all variants without breaks of their own')),
              ),
              ...priceBreak,
            }),
            { maxItems: priceRowsMax, description: 'quantities ascending for each variant; [] = not for sale' },
          ),
        }),
      },
      answers: { 200: PriceTable },
      refuses: ['product_not_found', 'prices_not_usable'],
      says: 'Replaces the whole price table of a product.',
    }),
    replaceDiscounts: staffOperation({
      id: 'replaceDiscounts',
      at: 'PUT /staff/v1/{environment}/products/{productId}/discounts',
      revises: 'readProduct',
      permission: 'prices:write',
      body: {
        schema: bodyObject({
          discounts: Type.Array(
            bodyObject({
              name: Type.Optional(nullable(textUpTo(200))),
              percent: decimalText('more than 0 and at most 100'),
              startsOn: Type.Optional(moment('null = no start')),
              stopsOn: Type.Optional(moment('null = no end')),
            }),
            { maxItems: 100 },
          ),
        }),
      },
      answers: { 200: Discounts },
      refuses: ['product_not_found', 'discounts_not_usable'],
      says: 'Replaces all discounts on a product. Of those in force, the best applies.',
    }),
  },
})
