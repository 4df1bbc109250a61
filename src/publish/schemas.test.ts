import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { anyInt32, bodyObject, described, int32, nullable, oneOf, openEnum, record, text } from '../contract/fields.ts'
import { createSchemaComponents } from './schemas.ts'

test('a named record is one component, to which every use refers, nested or not', () => {
  const components = createSchemaComponents()
  const Inner = record('Inner', { a: text })
  const Outer = record('Outer', { inner: Inner, inners: Type.Array(Inner), maybe: nullable(Inner) })
  assert.deepEqual(components.published(Outer), { $ref: '#/components/schemas/Outer' })
  const { Outer: outer, ...others } = components.all()
  const inner = { $ref: '#/components/schemas/Inner' }
  assert.deepEqual(outer!.properties, {
    inner,
    inners: { type: 'array', items: inner },
    maybe: { anyOf: [inner, { type: 'null' }] },
  })
  assert.deepEqual(others, {
    Inner: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
  })
})

test('two different records cannot share a name', () => {
  const components = createSchemaComponents()
  components.published(record('Thing', { a: text }))
  components.published(record('Thing', { a: text }))
  assert.throws(() => components.published(record('Thing', { b: text })), /named Thing/)
})

test('"or null" takes its short form and keeps the other keywords of the field', () => {
  const components = createSchemaComponents()
  assert.deepEqual(components.published(nullable(Type.String({ maxLength: 3 }))), {
    type: ['string', 'null'],
    maxLength: 3,
  })
  assert.deepEqual(components.published(nullable(oneOf(['A', 'B']))), {
    type: ['string', 'null'],
    enum: ['A', 'B', null],
  })
})

test('what is received may grow, and what is sent may not', () => {
  const components = createSchemaComponents()
  components.add('ThingBody', bodyObject({ a: bodyObject({ b: text }) }))
  components.published(record('Thing', { a: bodyObject({ b: text }) }))
  const { Thing: received, ThingBody: sent } = components.all() as Record<string, any>
  assert.deepEqual([sent.additionalProperties, sent.properties.a.additionalProperties], [false, false])
  assert.ok(!JSON.stringify(received).includes('additionalProperties'))
})

test('an open enumeration is its known values or any other text', () => {
  const components = createSchemaComponents()
  const known = { type: 'string', enum: ['A', 'B'] }
  assert.deepEqual(components.published(openEnum(['A', 'B'])), { anyOf: [known, { type: 'string' }] })
  assert.deepEqual(components.published(nullable(openEnum(['A', 'B']))), {
    anyOf: [known, { type: 'string' }, { type: 'null' }],
  })
})

test('the format of an integer says its width, and bounds that say no more are left out', () => {
  const components = createSchemaComponents()
  assert.deepEqual(components.published(anyInt32), { type: 'integer', format: 'int32' })
  assert.deepEqual(components.published(int32), { type: 'integer', format: 'int32', minimum: 1, maximum: 999_999_999 })
  assert.deepEqual(components.published(nullable(anyInt32)), { type: ['integer', 'null'], format: 'int32' })
})

test('a field that says nothing of itself gets the meaning that its name has in its record, or else everywhere', () => {
  const components = createSchemaComponents()
  components.published(record('PrintFile', { active: Type.Boolean(), siteId: int32, code: described(text, 'its own') }))
  components.published(record('Other', { active: Type.Boolean() }))
  const { PrintFile: file, Other: other } = components.all() as Record<string, any>
  assert.equal(file.properties.active.description, 'true for a new file')
  assert.equal(file.properties.siteId.description, 'the site')
  assert.equal(file.properties.code.description, 'its own')
  assert.notEqual(other.properties.active.description, file.properties.active.description)
})
