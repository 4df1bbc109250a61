import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync, deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { ascii85, asciiHex, lzw, pngPredicted, runLengths, tiffPredicted } from '../../../../test/artwork/encoders.ts'
import { Budget, TooComplex } from '../budget.ts'
import { Dict, isArray, Name, type PdfObject, Ref, type Resolver, Stream } from '../syntax/objects.ts'
import { type Decoded, decode } from './decode.ts'
import { inflate } from './flate.ts'
import { decodeLzw } from './lzw.ts'
import { decodeRunLength } from './run-length.ts'
import { decodeAscii85 } from './text-filters.ts'

const resolver: Resolver = { resolve: (object) => (object instanceof Ref ? null : (object ?? null)) }

const dict = (entries: Record<string, PdfObject>): Dict => new Dict(new Map(Object.entries(entries)), resolver)

function decoded(
  filters: string | readonly string[],
  stored: Uint8Array,
  parameters?: Record<string, PdfObject>,
): Decoded {
  const names: PdfObject = typeof filters === 'string' ? new Name(filters) : filters.map((filter) => new Name(filter))
  const parms = parameters === undefined ? null : isArray(names) ? [dict(parameters)] : dict(parameters)
  return decode(new Stream(dict({ Filter: names, DecodeParms: parms }), new Ref(1, 0), stored, 0), new Budget())
}

const encoders: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  FlateDecode: (bytes) => deflateSync(bytes),
  LZWDecode: (bytes) => lzw(bytes, true),
  ASCII85Decode: ascii85,
  ASCIIHexDecode: asciiHex,
  RunLengthDecode: runLengths,
}

test('whatever a filter encodes comes back, also through several filters', () => {
  const names = Object.keys(encoders)
  const data = fc.oneof(
    fc.uint8Array({ maxLength: 3000 }),
    fc.array(fc.constantFrom(0, 0, 0, 7, 255), { maxLength: 6000 }).map((bytes) => Uint8Array.from(bytes)),
  )
  fc.assert(
    fc.property(data, fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }), (bytes, filters) => {
      const stored = filters.toReversed().reduce((each: Uint8Array, filter) => encoders[filter]!(each), bytes)
      const { bytes: back, broken } = decoded(filters, stored)
      assert.deepEqual([Buffer.from(back).equals(Buffer.from(bytes)), broken], [true, false])
    }),
    { numRuns: 200 },
  )
})

test('LZW is read with codes that grow early and with codes that grow late', () => {
  const bytes = Uint8Array.from({ length: 20_000 }, (_, index) => (index * index) % 251)
  for (const early of [true, false]) {
    const { bytes: back } = decoded('LZWDecode', lzw(bytes, early), { EarlyChange: early ? 1 : 0 })
    assert.ok(Buffer.from(back).equals(Buffer.from(bytes)), `early: ${early}`)
  }
})

test('every predictor is undone', () => {
  const rows = { colours: 3, columns: 5 }
  const bytes = Uint8Array.from({ length: 3 * 5 * 7 }, (_, index) => (index * 37) % 256)
  const parameters = { Colors: rows.colours, Columns: rows.columns, BitsPerComponent: 8 }
  const back = (stored: Uint8Array, Predictor: number): Uint8Array =>
    decoded('FlateDecode', deflateSync(stored), { ...parameters, Predictor }).bytes
  assert.deepEqual(Buffer.from(back(tiffPredicted(bytes, rows), 2)), Buffer.from(bytes))
  for (const kind of [0, 1, 2, 3, 4])
    assert.deepEqual(Buffer.from(back(pngPredicted(bytes, rows, kind), 15)), Buffer.from(bytes), `PNG ${kind}`)
})

test('deflated bytes are read though they are cut off, or end with a wrong or no checksum', () => {
  const text = Buffer.from('0 0 m 10 10 l S\n'.repeat(1000))
  const whole = deflateSync(text)
  const wrong = Buffer.from(whole)
  wrong[wrong.length - 1]! ^= 1
  assert.ok(Buffer.from(decoded('FlateDecode', wrong).bytes).equals(text))
  assert.ok(Buffer.from(decoded('FlateDecode', whole.subarray(0, -4)).bytes).equals(text))
  assert.ok(
    Buffer.from(decoded('FlateDecode', Buffer.concat([Buffer.from('xx'), deflateRawSync(text)])).bytes).equals(text),
  )
  const part = decoded('FlateDecode', whole.subarray(0, 40)).bytes
  assert.ok(part.length > 0 && text.subarray(0, part.length).equals(part))
})

test('what is not deflated, and filters nobody knows, are broken', () => {
  assert.equal(decoded('FlateDecode', Buffer.from('no such thing')).broken, true)
  assert.equal(decoded('MagicDecode', Buffer.from('x')).broken, true)
  assert.equal(decoded('Crypt', Buffer.from('x'), { Name: new Name('StdCF') }).broken, true)
  assert.equal(decoded('Crypt', Buffer.from('x'), { Name: new Name('Identity') }).broken, false)
})

test('images stay as they are once the filters before theirs are undone', () => {
  const jpeg = Buffer.from('ffd8ffd9', 'hex')
  const { bytes, image } = decoded(['ASCIIHexDecode', 'DCTDecode'], asciiHex(jpeg))
  assert.deepEqual([Buffer.from(bytes), image?.name], [jpeg, 'DCTDecode'])
})

test('a stream that decodes too far is stopped, by each filter', () => {
  const zeros = Buffer.alloc(100_000)
  const room = zeros.length - 1
  const stopped = {
    flate: () => inflate(deflateSync(zeros), room),
    lzw: () => decodeLzw(lzw(zeros, true), true, room),
    runLength: () => decodeRunLength(runLengths(zeros), room),
    ascii85: () => decodeAscii85(ascii85(zeros), room),
    'many filters': () =>
      decoded(
        Array.from({ length: 9 }, () => 'ASCIIHexDecode'),
        Buffer.from('00>'),
      ),
    'one large stream': () => decoded('FlateDecode', deflateSync(Buffer.alloc(65 * 1024 * 1024), { level: 1 })),
  }
  for (const [name, decodeIt] of Object.entries(stopped)) assert.throws(decodeIt, TooComplex, name)
})

test('any bytes are decoded or found broken', () => {
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(encoders)), fc.uint8Array({ maxLength: 500 }), (filter, bytes) => {
      decoded(filter, bytes, { Predictor: 15, Columns: 3 })
    }),
    { numRuns: 1000 },
  )
})
