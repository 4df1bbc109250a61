import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { OrderBody } from '../../contract/order-body.ts'
import { orderSubmissions } from './contract.ts'

const { schema, check } = orderSubmissions.submitOrder.body
const hasShape = new Ajv2020({ strict: false }).compile(schema)

const place = { name: 'A', address1: '1 St', city: 'B', state: 'PA', postalCode: '19107', country: 'US' }
const line = { productId: 'SLO_1', partnerLineId: '1', quantity: 1 }
const order: OrderBody = { siteId: 101, partnerOrderId: 'PO-1', shipTo: place, lines: [line] }

function accepts(body: unknown): boolean {
  return hasShape(body) && check(body as OrderBody).length === 0
}

/** The order with one value somewhere replaced; undefined removes the key. */
function withLine(change: Record<string, unknown>): unknown {
  return JSON.parse(JSON.stringify({ ...order, lines: [{ ...line, ...change }] }))
}
function withOrder(change: Record<string, unknown>): unknown {
  return JSON.parse(JSON.stringify({ ...order, ...change }))
}

function manyVariables(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`v${index}`, 'x']))
}
function manyLines(count: number): unknown[] {
  return Array.from({ length: count }, (_, index) => ({ ...line, partnerLineId: `${index}` }))
}

const details = (body: unknown) => check(body as OrderBody).map(({ detail }) => detail)

test('SUB-28 SUB-44 the smallest order is accepted, and an order without any one required field is refused', () => {
  assert.ok(accepts(order))
  for (const key of ['siteId', 'partnerOrderId', 'lines']) assert.ok(!accepts(withOrder({ [key]: undefined })), key)
  for (const key of ['productId', 'partnerLineId', 'quantity']) assert.ok(!accepts(withLine({ [key]: undefined })), key)
})

test('SUB-26 SUB-27 an unknown key is refused on every level, including a price', () => {
  assert.ok(!accepts(withOrder({ price: '1.00' })))
  assert.ok(!accepts(withLine({ unitPrice: '1.00' })))
  assert.ok(!accepts(withOrder({ shipTo: { ...place, street: 'x' } })))
})

test('SUB-37 a ship-to needs its six fields, none of them blank', () => {
  for (const key of Object.keys(place)) {
    assert.ok(!accepts(withOrder({ shipTo: { ...place, [key]: undefined } })), key)
    assert.ok(!accepts(withOrder({ shipTo: { ...place, [key]: ' ' } })), key)
  }
  assert.ok(accepts(withOrder({ shipTo: { ...place, company: '', address2: 'x', phone: '1', email: 'a@b.test' } })))
})

test('SUB-38 a country is an ISO 3166-1 alpha-2 code in every address', () => {
  for (const country of ['USA', 'U', 'XX', 'EU', '1A']) {
    const there = { ...place, country }
    assert.ok(!accepts(withOrder({ shipTo: there })), country)
    assert.ok(!accepts(withOrder({ billTo: there })), country)
    assert.ok(!accepts(withOrder({ shipTo: undefined, lines: [{ ...line, shipTo: there }] })), country)
  }
  for (const country of ['us', 'Gb', 'CA']) assert.ok(accepts(withOrder({ shipTo: { ...place, country } })), country)
})

test('SUB-31 SUB-39 an e-mail address is accepted in the ship-to of the order only', () => {
  const mailed = { ...place, email: 'a@b.test' }
  assert.ok(accepts(withOrder({ shipTo: mailed })))
  assert.ok(accepts(withOrder({ billTo: place })))
  assert.ok(!accepts(withOrder({ billTo: mailed })))
  assert.ok(!accepts(withOrder({ shipTo: undefined, lines: [{ ...line, shipTo: mailed }] })))
})

test('SUB-41 SUB-42 SUB-43 the order has a ship-to, or every line has one', () => {
  const here = { ...line, shipTo: place }
  const second = { ...line, partnerLineId: '2' }
  assert.ok(accepts(withOrder({ shipTo: undefined, lines: [here, { ...second, shipTo: place }] })))
  assert.deepEqual(details(withOrder({ lines: [here] }) as OrderBody), [
    'Send shipTo on the order or on every line, not on both.',
  ])
  assert.deepEqual(details(withOrder({ shipTo: undefined }) as OrderBody), [
    'The field shipTo is missing. Send it on the order or on every line.',
  ])
  assert.deepEqual(details(withOrder({ shipTo: undefined, lines: [here, second] }) as OrderBody), [
    'The field lines[1].shipTo is missing. Send shipTo on every line or on the order.',
  ])
  assert.ok(!accepts(withOrder({ lines: [here, second] })))
})

test('SUB-46 a repeated partnerLineId is refused and named', () => {
  const lines = [line, { ...line, partnerLineId: '2' }, line]
  assert.deepEqual(details({ ...order, lines }), [
    'The field lines[2].partnerLineId repeats the id of an earlier line. Line ids must be unique.',
  ])
})

test('SUB-45 a product id has the form SLO_ or SLS_ and up to 18 digits', () => {
  for (const good of ['SLO_1', 'SLS_123456789012345678']) assert.ok(accepts(withLine({ productId: good })), good)
  for (const bad of ['slo_1', 'SLO_', 'SLX_1', 'SLO_1234567890123456789', '1', 1]) {
    assert.ok(!accepts(withLine({ productId: bad })), String(bad))
  }
})

test('SUB-49 SUB-50 LIM-25 template variables are a flat map of at most 50 texts without dangerous names', () => {
  assert.ok(accepts(withLine({ templateVariables: manyVariables(50) })))
  assert.ok(accepts(withLine({ templateVariables: { 'a\nb': 'x' } })))
  assert.ok(!accepts(withLine({ templateVariables: manyVariables(51) })))
  assert.ok(!accepts(withLine({ templateVariables: { a: 1 } })))
  assert.ok(!accepts(withLine({ templateVariables: { a: { b: 'c' } } })))
  for (const key of ['__proto__', 'constructor', 'prototype']) {
    const templateVariables: unknown = JSON.parse(`{"${key}":"x"}`)
    assert.ok(!accepts({ ...order, lines: [{ ...line, templateVariables }] }), key)
  }
})

test('SUB-44 LIM-20 an order has 1 to 100 lines, each of at least one piece', () => {
  assert.ok(accepts(withOrder({ lines: manyLines(100) })))
  assert.ok(!accepts(withOrder({ lines: manyLines(101) })))
  assert.ok(!accepts(withOrder({ lines: [] })))
  for (const quantity of [0, -1, 1.5, '1', null]) assert.ok(!accepts(withLine({ quantity })), String(quantity))
})

test('LIM-21 LIM-22 LIM-23 LIM-24 texts are accepted up to their length and refused above, counted in characters', () => {
  const orderTexts = { partnerOrderId: 100, shippingProvider: 100, shippingMethod: 100, shippingNotes: 1000 }
  for (const [key, lengthMax] of Object.entries(orderTexts)) {
    assert.ok(accepts(withOrder({ [key]: 'x'.repeat(lengthMax) })), key)
    assert.ok(!accepts(withOrder({ [key]: 'x'.repeat(lengthMax + 1) })), key)
  }
  const lineTexts = { partnerLineId: 100, jobName: 200, artworkUrl: 2000 }
  for (const [key, lengthMax] of Object.entries(lineTexts)) {
    assert.ok(accepts(withLine({ [key]: 'x'.repeat(lengthMax) })), key)
    assert.ok(!accepts(withLine({ [key]: 'x'.repeat(lengthMax + 1) })), key)
  }
  assert.ok(accepts(withLine({ jobName: '🖨'.repeat(200) })))
})
