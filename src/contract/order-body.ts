import { Type, type Static } from 'typebox'
import { isJsonObject, type JsonObject } from '../vocabulary/json.ts'
import { countryByCode, countryCodeOf } from '../vocabulary/regions.ts'
import { isEmailForm, isName } from '../vocabulary/text.ts'
import {
  anyIdInBody,
  bodyObject,
  described,
  idInBody,
  lineUpTo,
  notesUpTo,
  printableAscii,
  productId,
  textUpTo,
} from './fields.ts'
import type { BodyFault } from './refusal.ts'
import { sentPlaceWithoutEmail, sentShipTo } from './ship-to.ts'

/** An order as partners send it, to submit it and to quote it. */

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

const partnerOrderId = described(
  printableAscii(100),
  'your name for the purchase, and the idempotency key: the same body with the same key orders once',
)

export const orderBody = bodyObject({
  siteId: idInBody,
  partnerOrderId,
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

/** The same, of an order that is not placed yet. */
export const orderBodyToQuote = bodyObject({
  ...orderBody.properties,
  partnerOrderId: Type.Optional(described(partnerOrderId, 'it means nothing here')),
})

/** What the schema cannot say: where ship-to stands (SUB-41 to SUB-43), unique line ids (SUB-46), real countries (SUB-38). */
export function checkOrder(order: JsonObject): BodyFault[] {
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

/** The demo data accepts it. */
export const orderExample = {
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
}
