import { Type } from 'typebox'
import {
  bodyObject,
  decimal,
  described,
  filledText,
  idInBody,
  instant,
  nullable,
  productId,
  record,
  sentCountry,
  text,
} from '../../contract/fields.ts'
import { operation } from '../../contract/operation.ts'

const estimate = (says: string) => nullable(described(instant, `${says}; null = unknown`))

export const ShippingQuote = record('ShippingQuote', {
  quotes: Type.Array(
    record('ShippingServiceQuote', {
      serviceName: text,
      price: decimal,
      estimatedShipBy: estimate('when an order of the product alone, placed now, would leave'),
      estimatedDeliveryFrom: estimate('when it would arrive at the earliest'),
      estimatedDeliveryTo: estimate('when it would arrive at the latest'),
    }),
    { minItems: 1 },
  ),
  warnings: Type.Array(text, { description: 'for people to read; an entry means that the result is partial' }),
  messages: Type.Array(text, { description: 'for people to read' }),
})

export const shippingQuotes = {
  quoteShipping: operation({
    id: 'quoteShipping',
    at: 'POST /v1/shipping/quote',
    scope: 'products:read',
    body: {
      schema: bodyObject({
        siteId: idInBody,
        productId: Type.Optional(
          described(productId, 'determines where the goods leave from; without it no service can be priced'),
        ),
        shipTo: bodyObject({
          country: sentCountry,
          // Our own bound: ISO 3166-2 codes have at most three characters after the country.
          state: described(filledText(100), 'the code of a state of the country'),
          postalCode: Type.String({ minLength: 1, maxLength: 20 }),
        }),
        weightOunces: Type.Number({
          exclusiveMinimum: 0,
          maximum: 5_000_000,
          description: 'weight of the whole shipment: the weight of one piece times the quantity',
        }),
      }),
      malformed: 'invalid_shipping_quote_request',
      fieldProblems: { siteId: 'invalid_site_id' },
      example: {
        siteId: 101,
        productId: 'SLO_100001',
        shipTo: { country: 'US', state: 'PA', postalCode: '19107' },
        weightOunces: 96.5,
      },
    },
    answers: { 200: ShippingQuote },
    refuses: [
      'invalid_site_id',
      'product_not_found',
      'unknown_country_code',
      'unknown_state_code',
      'shipping_quote_unavailable',
    ],
    says: 'Prices the delivery of a shipment with every service that can be priced, and tells the days it means.',
    agents: { readOnly: true },
  }),
}
