import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { canonicalJson, JsonRefused, readJson } from './json.ts'

const read = (text: string) => readJson(new TextEncoder().encode(text))

function assertRefused(body: string | Uint8Array, message: string) {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  assert.throws(
    () => readJson(bytes),
    (error) => {
      assert.ok(error instanceof JsonRefused)
      assert.equal(error.message, message)
      return true
    },
  )
}

/** Any JSON value with numbers that this reader accepts. */
const { value: anyJson } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, -0, '', '__proto__'),
    fc.maxSafeInteger(),
    fc.double({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER, noNaN: true }),
    fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(
      fc.oneof(
        fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
        fc.constantFrom('__proto__', 'constructor', '1', '0', 'a'),
      ),
      tie('value'),
      { maxKeys: 5, noNullPrototype: true },
    ),
  ),
}))

test('GEN-01 a valid body reads as JSON.parse reads it, with and without white space', () => {
  fc.assert(
    fc.property(anyJson, fc.constantFrom(undefined, 1, '\t', '\r\n'), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      assert.deepStrictEqual(read(text), JSON.parse(text))
    }),
    { numRuns: 500 },
  )
})

test('GEN-01 the reader accepts no text that JSON.parse refuses, and otherwise reads the same value', () => {
  const pieces = '{ } [ ] , : " \\ \\u00e9 \\u12 \\n \\x a 0 1 -1 01 1. .5 1e2 1E+ true fals null \u00a0 \n é 😀'.split(
    ' ',
  )
  const soup = fc
    .array(fc.constantFrom(...pieces, ' ', '"a"', '"b":1'), { maxLength: 8 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(soup, (text) => {
      let value: unknown
      try {
        value = read(text)
      } catch (error) {
        assert.ok(error instanceof JsonRefused)
        const isStricter = /repeats the key|number beyond/.test(error.message)
        if (!isStricter) assert.throws(() => JSON.parse(text), SyntaxError)
        return
      }
      assert.deepStrictEqual(value, JSON.parse(text))
    }),
    { numRuns: 5000 },
  )
})

test('GEN-01 every escape of the grammar reads as JSON.parse reads it', () => {
  const text = String.raw`"\"\\\/\b\f\n\r\t\u00e9\u00E9\ud83d\ude00 é😀\u2028"`
  assert.equal(read(text), JSON.parse(text))
})

test('ERR-19 malformed JSON is refused with the place of the first fault', () => {
  for (const [text, place] of [
    ['{"a":1,}', 'line 1, column 8'],
    ['[1,]', 'line 1, column 4'],
    ['[1 2]', 'line 1, column 4'],
    ['{"a" 1}', 'line 1, column 6'],
    ['{a:1}', 'line 1, column 2'],
    ["{'a':1}", 'line 1, column 2'],
    ['{1:1}', 'line 1, column 2'],
    ['[}', 'line 1, column 2'],
    [']', 'line 1, column 1'],
    [',', 'line 1, column 1'],
    ['nul', 'line 1, column 1'],
    ['True', 'line 1, column 1'],
    ['NaN', 'line 1, column 1'],
    ['-Infinity', 'line 1, column 1'],
    ['undefined', 'line 1, column 1'],
    ['+1', 'line 1, column 1'],
    ['.5', 'line 1, column 1'],
    ['-', 'line 1, column 1'],
    ['"\\x"', 'line 1, column 2'],
    ['"\\u12g4"', 'line 1, column 2'],
    ['"\t"', 'line 1, column 2'],
    ['"a\nb"', 'line 1, column 3'],
    ['"\u0000"', 'line 1, column 2'],
    ['// a\n1', 'line 1, column 1'],
    ['\u00a01', 'line 1, column 1'],
    ['\v1', 'line 1, column 1'],
    ['{\n  "é😀": 1,\n  "😀" 2\n}', 'line 3, column 7'],
  ] as const) {
    assertRefused(text, `The body is not valid JSON at ${place}.`)
    assert.throws(() => JSON.parse(text), SyntaxError, text)
  }
})

test('ERR-19 data after the JSON value is refused', () => {
  assertRefused('{"a":1}}', 'The body has data after the JSON value at line 1, column 8.')
  assertRefused('1 2', 'The body has data after the JSON value at line 1, column 3.')
  assertRefused('01', 'The body has data after the JSON value at line 1, column 2.')
  assertRefused('1.', 'The body has data after the JSON value at line 1, column 2.')
  assertRefused('1e', 'The body has data after the JSON value at line 1, column 2.')
  assertRefused('{}\n\0', 'The body has data after the JSON value at line 2, column 1.')
})

test('ERR-19 an empty, blank or truncated body is refused', () => {
  assertRefused('', 'The body is empty.')
  for (const text of [' \r\n\t', '{', '{"a"', '{"a":', '{"a":1', '{"a":1,', '[', '[1', '[1,', '"abc', '"', '"\\"']) {
    assertRefused(text, 'The body ends before its JSON value is complete.')
  }
})

test('ERR-19 a body that is not strict UTF-8 is refused', () => {
  for (const bytes of [
    [0x22, 0xff, 0x22],
    [0x22, 0xc3, 0x22],
    [0x22, 0xc0, 0xaf, 0x22], // overlong slash
    [0x22, 0xed, 0xa0, 0x80, 0x22], // encoded surrogate
    [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22], // beyond U+10FFFF
    [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00], // UTF-16
  ]) {
    assertRefused(new Uint8Array(bytes), 'The body is not valid UTF-8.')
  }
  assertRefused('\uFEFF{}', 'The body must not start with a byte order mark.')
})

test('ERR-19 a key repeated in one object is refused where it stands, and named', () => {
  assertRefused('{"a":1, "a":2}', 'The body repeats the key "a" at line 1, column 9.')
  assertRefused('{"a":1,"a":1}', 'The body repeats the key "a" at line 1, column 8.')
  assertRefused('{"a":1,"\\u0061":2}', 'The body repeats the key "a" at line 1, column 8.')
  assertRefused('{"":1,"":2}', 'The body repeats the key "" at line 1, column 7.')
  assertRefused('[{"x":{"b":1,\n"c":{},"b":null}}]', 'The body repeats the key "b" at line 2, column 8.')
  assertRefused('{"__proto__":1,"__proto__":2}', 'The body repeats the key "__proto__" at line 1, column 16.')
  assertRefused('{"a\\n":1,"a\\n":2}', 'The body repeats the key "a\\n" at line 1, column 10.')
  const long = 'k'.repeat(5000)
  assertRefused(`{"${long}":1,"${long}":2}`, `The body repeats the key "${'k'.repeat(60)}…" at line 1, column 5007.`)
})

test('ERR-19 the same key in two objects, and keys that differ only in normalisation, are not repeats', () => {
  assert.deepStrictEqual(read('[{"a":1},{"a":{"a":2}}]'), [{ a: 1 }, { a: { a: 2 } }])
  assert.equal(Object.keys(read('{"\u00e9":1,"e\u0301":2}') as object).length, 2)
})

const objectText = (names: string[]) => `{${names.map((name) => `${JSON.stringify(name)}:0`).join(',')}}`

test('ERR-19 any object with one key written twice is refused', () => {
  const keys = fc.uniqueArray(
    fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
    { minLength: 1 },
  )
  fc.assert(
    fc.property(keys, fc.nat(), fc.nat(), (unique, which, where) => {
      const repeated = [...unique]
      repeated.splice(where % (unique.length + 1), 0, unique[which % unique.length]!)
      assert.equal(Object.keys(read(objectText(unique)) as object).length, unique.length)
      assert.throws(() => read(objectText(repeated)), /repeats the key/)
    }),
  )
})

const arrays = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

const objects = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels)

test('ERR-19 nesting is accepted to 32 levels and refused at the 33rd, in arrays and objects', () => {
  assert.deepStrictEqual(read(arrays(32)), JSON.parse(arrays(32)))
  assert.deepStrictEqual(read(objects(32)), JSON.parse(objects(32)))
  assertRefused(arrays(33), 'The body nests deeper than 32 levels at line 1, column 33.')
  assertRefused(objects(33), `The body nests deeper than 32 levels at line 1, column ${32 * 5 + 1}.`)
  assertRefused('['.repeat(200_000), 'The body nests deeper than 32 levels at line 1, column 33.')
})

test('ERR-19 depth counts the open levels, not all levels that were ever opened', () => {
  const text = `[${Array.from({ length: 100 }, () => '[[],{}]').join(',')}]`
  assert.deepStrictEqual(read(text), JSON.parse(text))
})

test('ERR-19 U+0000 is refused in strings and keys', () => {
  assertRefused('{"a":"x\\u0000y"}', 'The body has the character U+0000 in a string at line 1, column 6.')
  assertRefused('{"\\u0000":1}', 'The body has the character U+0000 in a string at line 1, column 2.')
})

test('ERR-19 a lone surrogate is refused in strings and keys, a pair is not', () => {
  const message = 'The body has a lone surrogate in a string at line 1, column 2.'
  for (const text of ['\\ud800', '\\uDFFF', '\\ude00\\ud83d', '\\ud83d\\u0041', '\\ud83d😀']) {
    assertRefused(`["${text}"]`, message)
    assertRefused(`{"${text}":1}`, message)
  }
  assert.deepStrictEqual(read('["\\ud83d\\ude00"]'), ['😀'])
})

test('ERR-19 numbers are accepted to ±(2^53 − 1), and refused beyond, however they are written', () => {
  for (const text of [
    '9007199254740991',
    '-9007199254740991',
    '9007199254740991.0',
    '9.007199254740991e15',
    '1e-400',
  ]) {
    assert.equal(read(text), Number(text))
  }
  for (const text of [
    '9007199254740992',
    '-9007199254740992',
    '9007199254740993',
    '1e16',
    '1e400',
    '-1e400',
    '1.5e300',
  ]) {
    assertRefused(`[${text}]`, 'The body has a number beyond ±9007199254740991 at line 1, column 2.')
  }
  assertRefused('9'.repeat(100_000), 'The body has a number beyond ±9007199254740991 at line 1, column 1.')
})

test('a key named __proto__ is an ordinary member and pollutes nothing', () => {
  const value = read('{"__proto__":{"polluted":true},"constructor":1,"a":{"__proto__":null}}') as Record<
    string,
    unknown
  >
  assert.deepEqual(Object.keys(value), ['__proto__', 'constructor', 'a'])
  assert.equal(Object.getPrototypeOf(value), Object.prototype)
  assert.equal(Reflect.get({}, 'polluted'), undefined)
  assert.deepEqual(Object.getOwnPropertyDescriptor(value, '__proto__'), {
    value: { polluted: true },
    enumerable: true,
    configurable: true,
    writable: true,
  })
})

/** The same value with the keys of every object in another order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reordered(member)]),
  )
}

test('SUB-10 canonical JSON of a value is the same whatever its key order and spacing', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const canonical = canonicalJson(value)
      assert.equal(canonicalJson(reordered(value)), canonical)
      assert.equal(canonicalJson(read(JSON.stringify(value, null, 2))), canonical)
      assert.equal(canonicalJson(JSON.parse(canonical)), canonical)
    }),
  )
})

test('SUB-11 canonical JSON differs when any value differs', () => {
  fc.assert(
    fc.property(anyJson, anyJson, (one, other) => {
      // −0 and 0 are one number in JSON; JSON.stringify writes both as 0.
      const same = isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)))
      assert.equal(canonicalJson(one) === canonicalJson(other), same)
    }),
    { numRuns: 500 },
  )
  for (const [one, other] of [
    ['{"a":1}', '{"a":"1"}'],
    ['{"a":1}', '{"a":2}'],
    ['{"a":1}', '{"A":1}'],
    ['{"a":null}', '{}'],
    ['{"a":[]}', '{"a":{}}'],
    ['[1,2]', '[2,1]'],
    ['["a,b"]', '["a","b"]'],
    ['{"a":{"b":1}}', '{"a":{},"b":1}'],
    ['"\u00e9"', '"e\u0301"'],
    ['" "', '""'],
    ['"0"', '0'],
    ['false', 'null'],
  ] as const) {
    assert.notEqual(canonicalJson(read(one)), canonicalJson(read(other)), `${one} and ${other}`)
  }
})

test('SUB-10 different spellings of a number are the same number', () => {
  for (const text of ['1', '1.0', '1e0', '10e-1', '0.1E+1']) assert.equal(canonicalJson(read(text)), '1')
  for (const text of ['0', '-0', '0.0', '-0e5']) assert.equal(canonicalJson(read(text)), '0')
})

test('canonical JSON sorts keys by UTF-16 code units, whatever order the engine keeps', () => {
  // The example of RFC 8785 §3.2.3; the two integer keys are ones an engine moves to the front in numeric order.
  const value = read('{"\u20ac":1,"\\r":2,"\ufb33":3,"1":4,"😀":5,"\u0080":6,"\u00f6":7,"10":8,"9":9,"__proto__":0}')
  assert.equal(
    canonicalJson(value),
    '{"\\r":2,"1":4,"10":8,"9":9,"__proto__":0,"\u0080":6,"\u00f6":7,"\u20ac":1,"😀":5,"\ufb33":3}',
  )
})

test('canonical JSON refuses a value that is not JSON', () => {
  for (const value of [undefined, NaN, Infinity, 1n, () => 1, Symbol('a'), [undefined], { a: undefined }]) {
    assert.throws(() => canonicalJson(value), TypeError)
  }
})
