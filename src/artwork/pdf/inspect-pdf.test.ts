import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cardRules, noRules } from '../../../test/artwork/profiles.ts'
import { cardBoxes, type Layout, PdfMaker } from '../../../test/artwork/pdf-maker.ts'
import { inspectPdf } from './inspect-pdf.ts'

const layouts: readonly Layout[] = ['table', 'stream', 'hybrid', 'object streams']

/** A card with an image, a text and a line, each with a fault. */
function faultyCard(layout: Layout = 'table'): Buffer {
  const file = new PdfMaker()
  const font = file.add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')
  const image = file.deflated(
    '/Type /XObject /Subtype /Image /Width 100 /Height 100 /BitsPerComponent 8 /ColorSpace /DeviceCMYK',
    Buffer.alloc(40_000),
  )
  file.page({
    ...cardBoxes,
    resources: `/Font << /F1 ${font} >> /XObject << /Photo ${image} >>`,
    content: 'q 90 0 0 90 20 20 cm /Photo Do Q BT /F1 4 Tf 120 80 Td (Dana) Tj ET 0 w 120 60 m 220 60 l S',
  })
  return file.bytes({ layout })
}

test('a file gets the same findings and pages however its objects are found in it', () => {
  for (const layout of layouts) {
    const { findings, pages, readable } = inspectPdf(faultyCard(layout), cardRules)
    assert.deepEqual(
      findings.map(({ code, severity, subject, found, wanted }) => ({ code, severity, subject, found, wanted })),
      [
        { code: 'image_resolution_low', severity: 'error', subject: 'Photo', found: '80', wanted: '150' },
        { code: 'font_not_embedded', severity: 'error', subject: 'Helvetica', found: null, wanted: null },
        { code: 'text_too_small', severity: 'sign_off', subject: null, found: '4', wanted: '5' },
        { code: 'hairline', severity: 'warning', subject: null, found: '0', wanted: '0.25' },
        { code: 'not_pdfx', severity: 'info', subject: null, found: null, wanted: null },
        { code: 'no_output_intent', severity: 'info', subject: null, found: null, wanted: null },
      ],
      layout,
    )
    assert.deepEqual(pages, [
      { page: 1, width: 270, height: 162, trimBox: [9, 9, 261, 153], bleedBox: [0, 0, 270, 162] },
    ])
    assert.equal(readable, true)
  }
})

test('the same file gets the same answer again', () => {
  assert.deepEqual(inspectPdf(faultyCard(), cardRules), inspectPdf(faultyCard(), cardRules))
})

test('what is no PDF cannot be read', () => {
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from('%PDF-1.7'),
    Buffer.from('<html></html>'),
    Buffer.alloc(5000, 65),
  ]) {
    const { findings, pages, readable } = inspectPdf(bytes, noRules)
    assert.deepEqual([findings.map(({ code }) => code), pages, readable], [['not_readable'], [], false])
  }
})

test('any bytes are answered', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
      inspectPdf(bytes, cardRules)
    }),
    { numRuns: 300 },
  )
})

test('a good file is answered however it is changed', () => {
  const files = layouts.map(faultyCard)
  const change = fc.record({
    file: fc.constantFrom(...files),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    remove: fc.nat({ max: 30 }),
    insert: fc.oneof(
      fc.uint8Array({ maxLength: 20 }),
      fc
        .constantFrom('<<', '[', '(', ' 1 0 R ', ' 4 0 R ', ' obj ', 'stream\n', '-1', '99999999999', '/Kids')
        .map(Buffer.from),
    ),
  })
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 5 }), (changes) => {
      let bytes = Buffer.from(changes[0]!.file)
      for (const { at, remove, insert } of changes) {
        const start = Math.floor(at * bytes.length)
        bytes = Buffer.concat([bytes.subarray(0, start), insert, bytes.subarray(start + remove)])
      }
      const first = inspectPdf(bytes, cardRules)
      assert.deepEqual(inspectPdf(bytes, cardRules), first)
    }),
    { numRuns: 1000 },
  )
})
