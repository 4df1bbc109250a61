import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  activeFilter,
  instantFilter,
  paged,
  pathParameters,
  textFilter,
  wordFilter,
  wordsFilter,
} from './parameters.ts'

test('GEN-16 ERR-23 ERR-24 ERR-27 an id in a path is a positive whole number of at most nine digits', () => {
  for (const name of ['userId', 'divisionId', 'creditAccountId'] as const) {
    const { read } = pathParameters[name]
    assert.equal(read('1'), 1)
    assert.equal(read('999999999'), 999_999_999)
    for (const malformed of ['0', '-1', '+1', '01', '1.0', '1e3', '1234567890', '', ' 1', 'x', '१']) {
      assert.equal(read(malformed), undefined, malformed)
    }
  }
})

test('ERR-11 ERR-40 order and item numbers are positive whole numbers', () => {
  for (const name of ['orderNumber', 'itemNumber'] as const) {
    const { read } = pathParameters[name]
    assert.equal(read('123456789012345'), 123_456_789_012_345)
    for (const malformed of ['0', '-5', '1234567890123456', 'abc', '1.5']) {
      assert.equal(read(malformed), undefined, malformed)
    }
  }
})

test('ERR-21 a submission id is a UUID, read in lower case', () => {
  const { read } = pathParameters.submissionId
  assert.equal(read('7D444840-9DC0-11D1-B245-5FFDCE74FAD2'), '7d444840-9dc0-11d1-b245-5ffdce74fad2')
  for (const malformed of ['7d444840', '7d4448409dc011d1b2455ffdce74fad2', '{7d444840-9dc0-11d1-b245-5ffdce74fad2}']) {
    assert.equal(read(malformed), undefined, malformed)
  }
})

test('LIM-11 LIM-15 a limit above the maximum is capped, or refused if the operation says so', () => {
  const capped = paged({ default: 50, max: 200 }).limit
  const refused = paged({ default: 50, max: 100, aboveMax: 'refused' }).limit
  assert.equal(capped.fallback, 50)
  assert.equal(capped.read('200'), 200)
  assert.equal(refused.read('100'), 100)
  for (const above of ['201', '9'.repeat(16), '9'.repeat(400)]) {
    assert.equal(capped.read(above), 200, above)
    assert.equal(refused.read(above), undefined, above)
  }
  for (const malformed of ['0', '01', '-1', 'ten', '1.5', '', ' 1', '1\n']) {
    assert.equal(capped.read(malformed), undefined, malformed)
    assert.equal(refused.read(malformed), undefined, malformed)
  }
})

test('ERR-25 the active filter takes exactly true and false', () => {
  assert.equal(activeFilter.read('true'), true)
  assert.equal(activeFilter.read('false'), false)
  for (const malformed of ['True', '1', 'yes', '', 'true '])
    assert.equal(activeFilter.read(malformed), undefined, malformed)
})

test('ERR-13 ERR-26 a word filter accepts its words and a text filter its form, case-sensitively', () => {
  const kind = wordFilter(['STOCK', 'POD'], 'invalid_service_type', 'kind')
  assert.equal(kind.read('POD'), 'POD')
  assert.equal(kind.read('pod'), undefined)
  const code = textFilter(
    { lengthMax: 10, pattern: /^[A-Z]+$/, form: 'a code', malformed: 'invalid_adjustment_type' },
    'code',
  )
  assert.equal(code.read('DEBIT'), 'DEBIT')
  for (const malformed of ['debit', '', 'DEBIT DEBIT', 'ABCDEFGHIJK']) assert.equal(code.read(malformed), undefined)
})

test('ERR-19 a filter of several words accepts each once or more, in any order, and reads them in one', () => {
  const kinds = wordsFilter(['STOCK', 'POD'], 'invalid_request', 'kinds')
  assert.deepEqual(kinds.read('POD'), ['POD'])
  for (const both of ['POD,STOCK', 'STOCK,POD', 'POD,STOCK,POD']) assert.deepEqual(kinds.read(both), ['STOCK', 'POD'])
  for (const malformed of ['', ',', 'POD,', ',POD', 'POD, STOCK', 'pod', 'POD;STOCK']) {
    assert.equal(kinds.read(malformed), undefined, malformed)
  }
})

test('ERR-19 an instant filter refuses a value that is not an instant', () => {
  const from = instantFilter('from')
  assert.equal(from.malformed, 'invalid_request')
  assert.match(from.read('2031-02-03T04:05:06Z') ?? '', /^2031-02-03T04:05:06/)
  for (const malformed of ['', 'yesterday', '2031-02-30T00:00:00Z', '1700000000']) {
    assert.equal(from.read(malformed), undefined, malformed)
  }
})
