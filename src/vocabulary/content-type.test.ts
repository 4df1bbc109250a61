import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processorTime } from '../../test/world/own-time.ts'
import { isUtf8, readContentType } from './content-type.ts'

test('a Content-Type is read with its charset, whatever stands in quotes', () => {
  for (const [header, mediaType, charsets] of [
    [undefined, '', []],
    ['', '', []],
    ['application/json', 'application/json', []],
    [' Application/JSON ; charset=UTF-8', 'application/json', ['utf-8']],
    ['application/json; x="a;charset=latin1"', 'application/json', []],
    ['application/json; x="a\\";charset=latin1"; Charset = "utf-\\8"', 'application/json', ['utf-8']],
    ['text/csv;charset=utf-8;charset=latin1', 'text/csv', ['utf-8', 'latin1']],
    ['text/csv; charset', 'text/csv', ['']],
    ['text/csv; charset=', 'text/csv', ['']],
    ['text/csv; mycharset=latin1; charset2=x', 'text/csv', []],
    ['text/csv; x="never closed; charset=latin1', 'text/csv', []],
    ['application/json, text/plain', 'application/json, text/plain', []],
  ] as const) {
    assert.deepEqual(readContentType(header), { mediaType, charsets }, String(header))
  }
  assert.ok(isUtf8(readContentType('text/csv')))
  assert.ok(!isUtf8(readContentType('text/csv;charset=utf-8;charset=latin1')))
})

test('a very long Content-Type is read quickly', () => {
  for (const piece of ['"', ';"', '\\', ';charset', ' ', '"\\']) {
    const taken = processorTime(() => readContentType(`text/csv${piece.repeat(16_000 / piece.length)}`))
    assert.ok(taken < 200, JSON.stringify(piece))
  }
})
