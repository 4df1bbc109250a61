import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { readWholeNumber } from './whole-number.ts'

test('GEN-16 a positive whole number is read up to the given number of digits', () => {
  assert.equal(readWholeNumber('1', { digitsMax: 9 }), 1)
  assert.equal(readWholeNumber('10', { digitsMax: 9 }), 10)
  assert.equal(readWholeNumber('999999999', { digitsMax: 9 }), 999_999_999)
  assert.equal(readWholeNumber('1000000000', { digitsMax: 9 }), undefined)
  assert.equal(readWholeNumber('999999999999999', { digitsMax: 15 }), 999_999_999_999_999)
  assert.equal(readWholeNumber('1000000000000000', { digitsMax: 15 }), undefined)
})

test('GEN-16 zero, signs, leading zeros, exponents, fractions, spaces and non-ASCII digits are refused', () => {
  for (const text of [
    [
      '',
      '0',
      '00',
      '01',
      '-1',
      '+1',
      '1.0',
      '1.',
      '.1',
      '1e3',
      '1E3',
      '0x1',
      '1n',
      '1_000',
      '1,000',
      'NaN',
      'Infinity',
    ],
    [' 1', '1 ', '1\n', '\t1', '1\u0000', '\u0661', '\uff11', '²', 'one', 'null', '1/2', '%31'],
  ].flat()) {
    assert.equal(readWholeNumber(text, { digitsMax: 9 }), undefined, JSON.stringify(text))
  }
})

test('GEN-16 every accepted text is the canonical spelling of its number', () => {
  const digits = fc.string({ unit: fc.constantFrom('0', '1', '9', '-', '.', 'e', ' '), maxLength: 18 })
  fc.assert(
    fc.property(fc.oneof(digits, fc.maxSafeInteger().map(String)), fc.constantFrom(9, 15), (text, digitsMax) => {
      const number = Number(text)
      const expected =
        Number.isSafeInteger(number) && number >= 1 && String(number) === text && text.length <= digitsMax
          ? number
          : undefined
      assert.equal(readWholeNumber(text, { digitsMax }), expected)
    }),
    { numRuns: 1000 },
  )
})
