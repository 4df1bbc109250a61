import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { QueryRefused, readQueryString } from './query-string.ts'

const read = (raw: string) => Object.fromEntries(readQueryString(raw))

function assertRefused(raw: string, reason: 'repeated' | 'malformed', parameter: string) {
  assert.throws(
    () => readQueryString(raw),
    (error) => {
      assert.ok(error instanceof QueryRefused, String(error))
      assert.deepEqual({ reason: error.reason, parameter: error.parameter }, { reason, parameter }, raw)
      return true
    },
  )
}

test('a query is read as decoded names and values in the order sent', () => {
  assert.deepEqual(
    [...readQueryString('siteId=7&q=caf%C3%A9+noir%2B&cursor=a%3Db%26c&limit=')],
    [
      ['siteId', '7'],
      ['q', 'café noir+'],
      ['cursor', 'a=b&c'],
      ['limit', ''],
    ],
  )
})

test('an empty query has no parameters, and an empty piece is ignored', () => {
  assert.deepEqual(read(''), {})
  assert.deepEqual(read('&'), {})
  assert.deepEqual(read('a=1&&b=2&'), { a: '1', b: '2' })
})

test('a parameter without a value is empty, a second equals sign belongs to the value, a name may be empty', () => {
  assert.deepEqual(read('active'), { active: '' })
  assert.deepEqual(read('a=b=c='), { a: 'b=c=' })
  assert.deepEqual(read('=x'), { '': 'x' })
})

test('GEN-10 names keep their case', () => {
  assert.deepEqual(read('siteId=1&siteid=2'), { siteId: '1', siteid: '2' })
})

test('names such as __proto__ are names like any other', () => {
  const parameters = readQueryString('__proto__=1&constructor=2&toString=3')
  assert.deepEqual([...parameters.keys()], ['__proto__', 'constructor', 'toString'])
  assert.equal(readQueryString('').has('toString'), false)
})

test('a repeated parameter is refused, even with the same value and however its name is encoded', () => {
  assertRefused('limit=1&limit=2', 'repeated', 'limit')
  assertRefused('limit=1&q=a&limit=1', 'repeated', 'limit')
  assertRefused('limit&limit', 'repeated', 'limit')
  assertRefused('siteId=1&site%49d=1', 'repeated', 'siteId')
  assertRefused('a+b=1&a%20b=2', 'repeated', 'a b')
  assertRefused('=1&=2', 'repeated', '')
})

test('anything that is not percent-encoded UTF-8 is refused', () => {
  for (const value of [
    '%',
    '%4',
    '%zz',
    '100%',
    '%FF',
    '%C3',
    '%C3%28',
    '%C0%AF', // overlong slash
    '%ED%A0%80', // encoded surrogate
    '%F4%90%80%80', // beyond U+10FFFF
    '%00',
    'a%00b',
    'caf\u00e9', // Latin-1 from an unencoded byte
    '\u0000',
    'a b',
    'a\tb',
    '\u007f',
    '\ud800',
    '😀',
  ]) {
    assertRefused(`q=${value}`, 'malformed', 'q')
    assertRefused(`a=1&${value}=1`, 'malformed', value)
  }
})

test('a malformed value is refused with the decoded name of its parameter', () => {
  assertRefused('site%49d=%', 'malformed', 'siteId')
})

test('a refusal says in one sentence what is wrong with which parameter', () => {
  assert.throws(() => readQueryString('a=1&a=2'), { message: 'The query parameter "a" is repeated. Send it once.' })
  assert.throws(() => readQueryString('a=%'), {
    message: 'The query parameter "a" is not valid percent-encoded UTF-8.',
  })
})

const anyText = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''))

test('any parameters are read back from either common encoder', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(anyText, anyText), { selector: ([name]) => name }), (pairs) => {
      const percent = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
      assert.deepEqual([...readQueryString(percent)], pairs)
      assert.deepEqual([...readQueryString(new URLSearchParams(pairs).toString())], pairs)
    }),
  )
})

test('any query is read or refused, and an accepted one is read as a browser reads it', () => {
  const raw = fc.array(fc.constantFrom('a', 'b', '=', '&', '+', '%', '%41', '%C3%A9', '%C3', '%00', 'é', '?', '#', ' '))
  fc.assert(
    fc.property(
      raw.map((pieces) => pieces.join('')),
      (query) => {
        let parameters: Map<string, string>
        try {
          parameters = readQueryString(query)
        } catch (error) {
          assert.ok(error instanceof QueryRefused)
          return
        }
        // URLSearchParams strips one leading question mark; a raw query has none.
        assert.deepEqual([...parameters], [...new URLSearchParams(`?${query}`)])
      },
    ),
    { numRuns: 2000 },
  )
})
