import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { nullable, oneOf, record, text } from '../contract/fields.ts'
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
    Inner: { type: 'object', required: ['a'], properties: { a: { type: 'string' } }, additionalProperties: false },
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
