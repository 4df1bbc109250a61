import { Type, type Static } from 'typebox'
import {
  anyIdInBody,
  bodyObject,
  described,
  idInBody,
  instant,
  int32,
  lineUpTo,
  longNumber,
  notesUpTo,
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
import type { BodyFault } from '../../contract/refusal.ts'
import { sentPlaceWithoutEmail, sentShipTo } from '../../contract/ship-to.ts'
import { isJsonObject, type JsonObject } from '../../vocabulary/json.ts'
import { isEmailForm, isName } from '../../vocabulary/text.ts'
import { countryByCode, countryCodeOf } from '../../vocabulary/regions.ts'
import { orderStatuses, submissionStatuses } from '../../vocabulary/statuses.ts'

const wholeLine = 'JSON number, for the whole line; the decimal strings of the items list are authoritative'

export const SubmittedOrder = record('SubmittedOrder', {
  orderNumber: longNumber,
  status: openEnum(orderStatuses, "the order's status now"),
  totalPrice: Type.Number({ description: "JSON number: the order's totalPrice now, after adjustments" }),
  projectId: longNumber,
  lines: Type.Array(
    record('SubmittedOrderLine', {
      partnerLineId: described(text, 'as you sent it'),
      quantity: described(whole, 'as ordered'),
      lineListTotal: Type.Number({ description: `list amount before discounts: ${wholeLine}` }),
      lineTotalBeforeAdjustments: Type.Number({
        description: `${wholeLine}. Adjusted lines do not add up to totalPrice`,
      }),
    }),
  ),
})

export const SubmissionError = record('SubmissionError', {
  code: described(text, '`order_rejected`; these codes are separate from the problem codes'),
  detail: text,
  field: Type.Optional(described(text, 'the request field that is wrong, such as `lines[2].variantId`')),
  partnerLineId: Type.Optional(described(text, 'present when the problem is with one line')),
})

export const Submission = record('Submission', {
  submissionId: uuid,
  partnerOrderId: text,
  siteId: int32,
  status: described(oneOf(submissionStatuses), '`completed` and `failed` are final'),
  createdOn: described(instant, 'when you sent it; its order is dated when it is placed'),
  updatedOn: described(instant, 'moves with every change of its status'),
  order: Type.Optional(SubmittedOrder),
  errors: Type.Optional(Type.Array(SubmissionError, { description: 'one entry per problem; present when failed' })),
})

const orderLine = bodyObject({
  productId: described(productId, 'as the product list shows it'),
  partnerLineId: described(printableAscii(100), 'your name for the line, unique within the order'),
  quantity: Type.Integer({ minimum: 1 }),
  variantId: Type.Optional(described(anyIdInBody, 'required for a STOCK product; leave it out for a POD product')),
  // The specification gives `sku` no length; 255 is our own bound.
  sku: Type.Optional(
    described(
      lineUpTo(255),
      "of a STOCK product: the variant's SKU, and nothing else. Of a POD product: a name of your own, which the line shows",
    ),
  ),
  jobName: Type.Optional(described(lineUpTo(200), "the customer's name for the line; a blank one counts as none")),
  artworkUrl: Type.Optional(described(textUpTo(2000), 'the URL of the print file')),
  templateVariables: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      maxProperties: 50,
      propertyNames: { not: { enum: ['__proto__', 'constructor', 'prototype'] } },
      additionalProperties: { type: 'string' },
      description:
        'values of the template variables, by name; the print file is drawn from them, and one that does not fit its field rejects the order',
    }),
  ),
  shipTo: Type.Optional(sentPlaceWithoutEmail),
})

const orderBody = bodyObject({
  siteId: idInBody,
  partnerOrderId: described(
    printableAscii(100),
    'your name for the purchase, and the idempotency key: the same body with the same key orders once',
  ),
  shipTo: Type.Optional(sentShipTo),
  billTo: Type.Optional(sentPlaceWithoutEmail),
  divisionId: Type.Optional(described(anyIdInBody, 'an active division of the site')),
  shippingProvider: Type.Optional(
    described(textUpTo(100), "a carrier, in any letter case; the site's default if it is blank or not offered"),
  ),
  shippingMethod: Type.Optional(
    described(textUpTo(100), "a shipping option or carrier service; the site's default if it is blank or not offered"),
  ),
  shippingNotes: Type.Optional(described(notesUpTo(1000), 'for the people who pack the order')),
  lines: Type.Array(orderLine, { minItems: 1, maxItems: 100 }),
})

export type OrderBody = Static<typeof orderBody>

/** What the schema cannot say: where ship-to stands (SUB-41 to SUB-43), unique line ids (SUB-46), real countries (SUB-38). */
function checkOrder(order: JsonObject): BodyFault[] {
  const lines = Array.isArray(order.lines) ? (order.lines as unknown[]) : []
  const places = placesOf(order, lines)
  return [
    ...misplacedShipTo(order, lines),
    ...repeatedLineIds(lines),
    ...unseenParts(places),
    ...unknownCountries(places),
    ...unusableEmail(order),
  ]
}

function misplacedShipTo({ shipTo }: JsonObject, lines: readonly unknown[]): BodyFault[] {
  if (!lines.every(isJsonObject)) return []
  const rule = 'shipToPlacement'
  const without = [...lines.keys()].filter((index) => lines[index]!.shipTo === undefined)
  if (shipTo !== undefined && without.length < lines.length) {
    return [{ path: 'shipTo', rule, detail: 'Send shipTo on the order or on every line, not on both.' }]
  }
  if (shipTo !== undefined || without.length === 0) return []
  if (without.length === lines.length) {
    return [{ path: 'shipTo', rule, detail: 'The field shipTo is missing. Send it on the order or on every line.' }]
  }
  return without.map((index) => ({
    path: `lines[${index}].shipTo`,
    rule,
    detail: `The field lines[${index}].shipTo is missing. Send shipTo on every line or on the order.`,
  }))
}

function repeatedLineIds(lines: readonly unknown[]): BodyFault[] {
  const seen = new Set<string>()
  return lines.flatMap((line, index) => {
    const id = isJsonObject(line) ? line.partnerLineId : undefined
    if (typeof id !== 'string') return []
    const isRepeated = seen.has(id)
    seen.add(id)
    if (!isRepeated) return []
    const path = `lines[${index}].partnerLineId`
    const detail = `The field ${path} repeats the id of an earlier line. Line ids must be unique.`
    return [{ path, rule: 'uniqueLineId', detail }]
  })
}

type Places = readonly (readonly [path: string, place: JsonObject])[]

/** Every address of the order, by its path. */
function placesOf({ shipTo, billTo }: JsonObject, lines: readonly unknown[]): Places {
  const places: [string, unknown][] = [
    ['shipTo', shipTo],
    ['billTo', billTo],
    ...lines.map((line, index): [string, unknown] => [`lines[${index}].shipTo`, isJsonObject(line) && line.shipTo]),
  ]
  return places.flatMap(([path, place]) => (isJsonObject(place) ? [[path, place] as const] : []))
}

/** The schema refuses blank parts, but not those of characters that nobody sees. */
function unseenParts(places: Places): BodyFault[] {
  return places.flatMap(([name, place]) =>
    ['name', 'address1', 'city'].flatMap((part) => {
      const path = `${name}.${part}`
      const sent = place[part]
      if (typeof sent !== 'string' || isName(sent, sent.length)) return []
      return [{ path, rule: 'visible', detail: `The field ${path} must have a character that can be seen.` }]
    }),
  )
}

function unknownCountries(places: Places): BodyFault[] {
  return places.flatMap(([name, { country }]) => {
    if (typeof country !== 'string' || countryByCode(countryCodeOf(country))) return []
    const path = `${name}.country`
    return [{ path, rule: 'country', detail: `The field ${path} must be an ISO 3166-1 alpha-2 code such as US.` }]
  })
}

/** A blank address counts as left out. */
function unusableEmail({ shipTo }: JsonObject): BodyFault[] {
  const sent = isJsonObject(shipTo) ? shipTo.email : undefined
  const email = typeof sent === 'string' ? sent.trim() : ''
  if (email === '' || isEmailForm(email)) return []
  const detail = 'The field shipTo.email must be an e-mail address such as dana@example.com.'
  return [{ path: 'shipTo.email', rule: 'email', detail }]
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
      'This costs money: an order that is accepted is produced and charged. Choose partnerOrderId once per purchase. After a timeout or a retryable error, send the SAME ' +
      'partnerOrderId with the SAME body: this returns the first submission and never orders twice. While the status ' +
      'is queued or processing, read the submission again after the seconds in Retry-After.',
    agents: { idempotent: true, destructive: true },
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
    says: 'Shows a submission: its status, and its order or its errors.',
  }),
}
