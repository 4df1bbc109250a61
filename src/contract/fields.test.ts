import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Type, type TSchema } from 'typebox'
import { processorTime } from '../../test/world/own-time.ts'
import { described, filledText, pageOf, patchBody, printableAscii, text } from './fields.ts'

function accepts(schema: TSchema, value: unknown): boolean {
  return new Ajv2020({ strict: false }).validate(schema, value)
}

test('SUB-30 SUB-46 printable ASCII is U+0020 to U+007E and not blank', () => {
  const name = printableAscii(5)
  for (const good of ['a', ' a', 'a ', '~', '!', '12345']) assert.ok(accepts(name, good), good)
  for (const bad of ['', ' ', '     ', 'é', 'a\n', '\t', 'a\u007f', '123456'])
    assert.ok(!accepts(name, bad), JSON.stringify(bad))
})

test('very long printable ASCII is checked quickly', () => {
  const taken = processorTime(() => assert.ok(!accepts(printableAscii(1_000_000), `${'a'.repeat(200_000)}é`)))
  assert.ok(taken < 1_000)
})

test('a non-blank text has a character that is not white space', () => {
  assert.ok(accepts(filledText(3), ' x '))
  for (const bad of ['', '  ', '\n', '\u00a0', 'abcd']) assert.ok(!accepts(filledText(3), bad), JSON.stringify(bad))
})

test('ERR-22 ERR-28 ERR-30 a patch has at least one of its keys and no other', () => {
  const patch = patchBody({ name: Type.Optional(text), code: Type.Optional(text) })
  assert.ok(accepts(patch, { name: 'a' }))
  assert.ok(!accepts(patch, {}))
  assert.ok(!accepts(patch, { name: 'a', other: 1 }))
})

test('PAG-01 a page always has its records and nextCursor', () => {
  const page = pageOf('NamePage', 'names', text)
  assert.ok(accepts(page, { names: [], nextCursor: null }))
  assert.ok(accepts(page, { names: ['a'], nextCursor: 'x' }))
  assert.ok(!accepts(page, { names: [] }))
  assert.ok(!accepts(page, { nextCursor: null }))
})

test('a description changes nothing else: an optional field stays optional, and the original is unchanged', () => {
  const optional = described(Type.Optional(text), 'said')
  assert.ok(accepts(Type.Object({ optional }), {}))
  assert.equal(JSON.stringify(optional), '{"type":"string","description":"said"}')
  assert.equal(JSON.stringify(text), '{"type":"string"}')
})
