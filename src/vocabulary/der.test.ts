import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { der, derObjectIdentifier, derTag, DerUnreadable, readDer } from './der.ts'

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')

test('adjacent elements are read in order, each with its tag, content and bytes', () => {
  const elements = readDer(hex('02 01 05  30 03 04 01 ff  a0 00'))
  assert.deepEqual(
    elements.map(({ tag, content, whole }) => [tag, content.toString('hex'), whole.toString('hex')]),
    [
      [derTag.integer, '05', '020105'],
      [derTag.sequence, '0401ff', '30030401ff'],
      [0xa0, '', 'a000'],
    ],
  )
  assert.deepEqual(readDer(Buffer.alloc(0)), [])
})

test('an element that is written is read back, whatever its length', () => {
  for (const length of [0, 1, 127, 128, 255, 256, 65_535, 65_536]) {
    const content = Buffer.alloc(length, 7)
    const [element, ...more] = readDer(der(derTag.octetString, content))
    assert.deepEqual([element!.tag, element!.content.equals(content), more], [derTag.octetString, true, []])
  }
})

test('bytes that are not DER are refused', () => {
  const refused = {
    'no length': '02',
    'cut off': '02 05 01',
    'length cut off': '30 82 01',
    'open length': '30 80 00 00',
    'length of five bytes': '30 85 00 00 00 00 01 00',
    'length longer than needed': '30 81 01 00',
    'length with a leading zero': '30 82 00 80' + '00'.repeat(128),
    'tag of several bytes': '1f 81 00 00',
  }
  for (const [why, bytes] of Object.entries(refused)) assert.throws(() => readDer(hex(bytes)), DerUnreadable, why)
})

test('any bytes are either refused or read completely', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        const elements = readDer(Buffer.from(bytes))
        assert.deepEqual(Buffer.concat(elements.map(({ whole }) => whole)), Buffer.from(bytes))
      } catch (error) {
        assert.ok(error instanceof DerUnreadable)
      }
    }),
  )
})

test('object identifiers may have arcs of any size', () => {
  assert.equal(derObjectIdentifier('1.2.840.10045.3.1.7').toString('hex'), '06082a8648ce3d030107')
  assert.equal(derObjectIdentifier('2.5.29.17').toString('hex'), '0603551d11')
  assert.equal(derObjectIdentifier('1.3.6.1.5.5.7.3.2').toString('hex'), '06082b06010505070302')
})
