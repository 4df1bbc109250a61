import { Type } from 'typebox'
import { Discount } from '../../contract/discount.ts'
import {
  bodyObject,
  decimal,
  described,
  idInBody,
  instant,
  int32,
  nullable,
  productId,
  record,
  text,
  whole,
} from '../../contract/fields.ts'
import { operation } from '../../contract/operation.ts'

export const ProductQuote = record('ProductQuote', {
  productId,
  siteId: int32,
  variantId: nullable(int32),
  quantity: whole,
  currency: described(text, 'ISO 4217 code'),
  lineListTotal: nullable(described(decimal, 'for the whole quantity, before discounts; null = not priced')),
  productDiscount: nullable(Discount),
  lineTotal: nullable(described(decimal, 'after discounts, without handling; null = not priced')),
  handlingTotal: nullable(described(decimal, 'charged in addition to lineTotal')),
  turnaroundBusinessDays: nullable(whole),
  quantityBreaks: Type.Array(record('QuantityBreak', { quantity: whole, lineListTotal: decimal })),
  grid: Type.Array(
    record('QuotedQuantity', {
      quantity: whole,
      unitPrice: nullable(
        described(
          decimal,
          'list price of one piece at this quantity, before discounts; it may have more decimals than the currency. null = not priced',
        ),
      ),
      lineListTotal: nullable(described(decimal, 'for the whole quantity, before discounts; null = not priced')),
      productDiscount: nullable(Discount),
      lineTotal: nullable(described(decimal, 'after discounts, without handling; null = not priced')),
      handlingTotal: nullable(described(decimal, 'charged in addition to lineTotal; null = not priced')),
      problem: nullable(described(text, 'why this quantity cannot be ordered, for people; null = it can')),
    }),
    { description: 'the same for each of the quantities that you sent, in their order; [] = you sent none' },
  ),
  messages: Type.Array(text),
  quotedOn: instant,
})

export const productQuotes = {
  quoteProduct: operation({
    id: 'quoteProduct',
    at: 'POST /v1/products/{productId}/quote',
    scope: 'products:read',
    body: {
      schema: bodyObject({
        quantity: Type.Integer({ minimum: 1 }),
        quantities: Type.Optional(
          Type.Array(Type.Integer({ minimum: 1 }), {
            minItems: 1,
            maxItems: 20,
            uniqueItems: true,
            description: 'other quantities to price beside it, each once',
          }),
        ),
        variantId: Type.Optional(described(idInBody, 'a variant of a STOCK product; POD products have none')),
      }),
      malformed: 'invalid_request',
      fieldProblems: { quantity: 'invalid_quantity', variantId: 'invalid_variant_id' },
      missingProblems: { quantity: 'invalid_quantity' },
      example: { quantity: 250, quantities: [100, 500, 1000], variantId: 60001 },
    },
    answers: { 200: ProductQuote },
    refuses: ['product_not_found', 'invalid_variant_id', 'quote_product_not_found', 'quote_invalid'],
    says: 'Prices a quantity of a product, and others beside it, as in an order placed now.',
    agents: { readOnly: true },
  }),
}
