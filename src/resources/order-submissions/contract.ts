import { Type, type Static } from 'typebox'
import {
  anyInt32,
  bodyObject,
  described,
  idInBody,
  instant,
  int32,
  longNumber,
  oneOf,
  openEnum,
  pageOf,
  printableAscii,
  productId,
  record,
  text,
  textUpTo,
  uuid,
  whole,
} from '../../contract/fields.ts'
import { operation } from '../../contract/operation.ts'
import { paged, wordFilter } from '../../contract/parameters.ts'
import { sentPlaceWithoutEmail, sentShipTo } from '../../contract/ship-to.ts'
import { countryByCode } from '../../vocabulary/places.ts'
import { orderStatuses, submissionStatuses } from '../../vocabulary/statuses.ts'

const wholeLine = "JSON number, for the whole line; the items list's decimal strings are authoritative"

export const SubmittedOrder = record('SubmittedOrder', {
  orderNumber: longNumber,
  status: openEnum(orderStatuses),
  totalPrice: Type.Number({ description: 'JSON number, after adjustments' }),
  projectId: longNumber,
  lines: Type.Array(
    record('SubmittedOrderLine', {
      partnerLineId: described(text, 'as you sent it'),
      quantity: whole,
      lineListTotal: Type.Number({ description: `list amount before discounts: ${wholeLine}` }),
      lineTotalBeforeAdjustments: Type.Number({
        description: `${wholeLine}. Adjusted lines do not add up to totalPrice`,
      }),
    }),
  ),
})

export const SubmissionError = record('SubmissionError', {
  code: described(text, '`order_rejected`; a vocabulary of its own, apart from the problem codes'),
  detail: text,
  field: Type.Optional(described(text, 'the request field concerned, such as `lines[2].variantId`')),
  partnerLineId: Type.Optional(described(text, 'present when one line is concerned')),
})

export const Submission = record('Submission', {
  submissionId: uuid,
  partnerOrderId: text,
  siteId: int32,
  status: described(oneOf(submissionStatuses), '`completed` and `failed` are final'),
  createdOn: instant,
  updatedOn: instant,
  order: Type.Optional(SubmittedOrder),
  errors: Type.Optional(Type.Array(SubmissionError, { description: 'one entry per problem; present when failed' })),
})

const orderLine = bodyObject({
  productId: described(productId, 'as the product list shows it'),
  partnerLineId: described(printableAscii(100), 'your name for the line, unique within the order'),
  quantity: Type.Integer({ minimum: 1 }),
  variantId: Type.Optional(described(anyInt32, 'required for STOCK products, left out for POD products')),
  // The specification gives `sku` no length; 255 is our own bound.
  sku: Type.Optional(textUpTo(255)),
  jobName: Type.Optional(textUpTo(200)),
  artworkUrl: Type.Optional(described(textUpTo(2000), 'where the print file can be fetched')),
  templateVariables: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      maxProperties: 50,
      propertyNames: { not: { enum: ['__proto__', 'constructor', 'prototype'] } },
      additionalProperties: { type: 'string' },
      description: "the template's variables by name",
    }),
  ),
  shipTo: Type.Optional(sentPlaceWithoutEmail),
})

const orderBody = bodyObject({
  siteId: idInBody,
  partnerOrderId: described(
    printableAscii(100),
    'your name for the purchase and the idempotency key: the same body under the same key makes one order, however often it is sent',
  ),
  shipTo: Type.Optional(sentShipTo),
  billTo: Type.Optional(sentPlaceWithoutEmail),
  divisionId: Type.Optional(described(anyInt32, 'an active division of the site')),
  shippingProvider: Type.Optional(
    described(textUpTo(100), "a carrier, in any letter case; the site's default where blank or not offered"),
  ),
  shippingMethod: Type.Optional(
    described(textUpTo(100), "a shipping option or carrier service; the site's default where blank or not offered"),
  ),
  shippingNotes: Type.Optional(described(textUpTo(1000), 'for the people who pack')),
  lines: Type.Array(orderLine, { minItems: 1, maxItems: 100 }),
})

export type OrderBody = Static<typeof orderBody>

/** What the schema cannot say: where ship-to stands (SUB-41 to SUB-43), unique line ids (SUB-46), real countries (SUB-38). */
function checkOrder(order: OrderBody): string | undefined {
  return misplacedShipTo(order) ?? repeatedLineId(order) ?? unknownCountry(order)
}

function misplacedShipTo({ shipTo, lines }: OrderBody): string | undefined {
  const linesWithShipTo = lines.filter((line) => line.shipTo).length
  if (shipTo && linesWithShipTo > 0) return 'shipTo must stand on the order or on every line, not on both'
  if (shipTo || linesWithShipTo === lines.length) return undefined
  if (linesWithShipTo === 0) return 'shipTo is missing: it must stand on the order or on every line'
  return `lines[${lines.findIndex((line) => !line.shipTo)}].shipTo is missing: shipTo must stand on every line or on the order`
}

function repeatedLineId({ lines }: OrderBody): string | undefined {
  const seen = new Set<string>()
  for (const [index, { partnerLineId }] of lines.entries()) {
    if (seen.has(partnerLineId)) return `lines[${index}].partnerLineId is used by an earlier line`
    seen.add(partnerLineId)
  }
  return undefined
}

function unknownCountry({ shipTo, billTo, lines }: OrderBody): string | undefined {
  const places = [
    ['shipTo', shipTo],
    ['billTo', billTo],
    ...lines.map((line, index) => [`lines[${index}].shipTo`, line.shipTo] as const),
  ] as const
  const wrong = places.find(([, place]) => place && !countryByCode(place.country))
  return wrong && `${wrong[0]}.country is not an ISO 3166-1 alpha-2 code`
}

export const orderSubmissions = {
  submitOrder: operation({
    id: 'submitOrder',
    at: 'POST /v1/orders',
    scope: 'orders:write',
    body: {
      schema: orderBody,
      malformed: 'invalid_request',
      fieldProblems: { siteId: 'invalid_site_id' },
      check: checkOrder,
      example: {
        siteId: 101,
        partnerOrderId: 'PO-2031-000417',
        shipTo: {
          name: 'Dana Whitfield',
          company: 'Whitfield Dental',
          address1: '1200 Market St',
          city: 'Philadelphia',
          state: 'PA',
          postalCode: '19107',
          country: 'US',
          email: 'dana@whitfield.test',
        },
        lines: [
          { productId: 'SLO_100001', partnerLineId: '1', quantity: 250, variantId: 60001 },
          {
            productId: 'SLO_100003',
            partnerLineId: '2',
            quantity: 500,
            jobName: 'Cards for the front desk',
            templateVariables: { Name: 'Dana Whitfield', Title: 'Office manager', Office: 'Boston' },
          },
        ],
      },
    },
    answers: { 200: Submission, 201: Submission },
    headers: { 200: ['Location', 'Retry-After'], 201: ['Location', 'Retry-After'] },
    takesTime: true,
    refuses: ['partner_order_id_reused', 'invalid_site_id', 'ordering_not_provisioned', 'invalid_request'],
    says: 'Submits an order and waits up to 20 seconds for its outcome.',
    agentNote:
      'Choose partnerOrderId once per purchase. After a timeout or an error that may be retried, send the SAME ' +
      'partnerOrderId with the SAME body: that returns the first submission and never orders twice. While the status ' +
      'is queued or processing, read the submission again after the seconds Retry-After names.',
    agents: { idempotent: true },
  }),
  listSubmissions: operation({
    id: 'listSubmissions',
    at: 'GET /v1/orders/submissions',
    scope: 'orders:write',
    query: {
      status: wordFilter(submissionStatuses, 'invalid_request', 'only submissions with this status'),
      ...paged({ default: 50, max: 100, aboveMax: 'refused' }),
    },
    collection: 'submissions',
    answers: { 200: pageOf('SubmissionPage', 'submissions', Submission) },
    refuses: [],
    says: 'Lists your order submissions, newest first.',
  }),
  getSubmission: operation({
    id: 'getSubmission',
    at: 'GET /v1/orders/submissions/{submissionId}',
    scope: 'orders:write',
    answers: { 200: Submission },
    headers: { 200: ['Retry-After'] },
    refuses: ['submission_not_found'],
    says: 'Shows how far a submitted order has come.',
  }),
}
