import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { inspectedPage, of, type Options } from '../../../test/artwork/inspected.ts'
import { profileHeader } from '../../../test/artwork/jpegs.ts'
import type { PdfMaker } from '../../../test/artwork/pdf-maker.ts'

const [width, height] = [840, 420]

/** Each pixel of the image in these inks, which a test gives in percent. */
const inks = (...percent: number[]): Buffer =>
  Buffer.alloc(width * height * 4, Buffer.from(percent.map((each) => Math.round(each * 2.55))))

const told = (found: number): unknown[] => [
  { severity: 'warning', page: 1, subject: 'Photo', found: `${found}`, wanted: '300', unit: '%' },
]

type Given = { data: Uint8Array; entries?: string; space?: string | ((file: PdfMaker) => string) }

function coverage({ data, entries = '', space = '/DeviceCMYK' }: Given, options: Options = {}): unknown[] {
  const findings = inspectedPage((file) => {
    const image = file.stream(
      `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 ` +
        `/ColorSpace ${typeof space === 'string' ? space : space(file)} ${entries}`,
      data,
    )
    return { resources: `/XObject << /Photo ${image} >>`, content: 'q 200 0 0 100 26 22 cm /Photo Do Q' }
  }, options)
  const boxes = findings.filter(({ code }) => code === 'ink_coverage_high').map(({ box }) => box)
  assert.deepEqual(
    boxes,
    boxes.map(() => [26, 22, 226, 122]),
  )
  return of('ink_coverage_high', findings)
}

test('the inks of an image that is no JPEG are added up', () => {
  const flate = '/Filter /FlateDecode'
  assert.deepEqual(coverage({ data: deflateSync(inks(100, 100, 100, 100)), entries: flate }), told(400))
  assert.deepEqual(coverage({ data: deflateSync(inks(80, 80, 80, 80)), entries: flate }), told(320))
  assert.deepEqual(coverage({ data: deflateSync(inks(75, 75, 75, 75)), entries: flate }), [])
  assert.deepEqual(coverage({ data: inks(80, 80, 80, 80) }), told(320))
})

test('images behind a predictor, a profile and a /Decode that turns them over are added up, too', () => {
  const rows = Buffer.alloc((width * 4 + 1) * height)
  // Each sample is the same as to its left, but for the first pixel of a row.
  for (let row = 0; row < height; row++) rows.fill(255, row * (width * 4 + 1) + 1, row * (width * 4 + 1) + 5)
  for (let row = 0; row < height; row++) rows[row * (width * 4 + 1)] = 1
  const predicted = `/Filter /FlateDecode /DecodeParms << /Predictor 15 /Colors 4 /Columns ${width} >>`
  assert.deepEqual(coverage({ data: deflateSync(rows), entries: predicted }), told(400))
  const profiled = (file: PdfMaker): string => `[/ICCBased ${file.deflated('/N 4', profileHeader('CMYK'))}]`
  assert.deepEqual(coverage({ data: inks(80, 80, 80, 80), space: profiled }), told(320))
  const turned = '/Decode [1 0 1 0 1 0 1 0]'
  assert.deepEqual(coverage({ data: inks(0, 0, 0, 0), entries: turned }), told(400))
  assert.deepEqual(coverage({ data: inks(100, 100, 100, 100), entries: turned }), [])
})

test('a spot of much ink counts where it is no speck', () => {
  const spotted = (pixels: number): Buffer => inks(0, 0, 0, 20).fill(255, 0, pixels * 4)
  assert.deepEqual(coverage({ data: spotted(width * 2) }), told(400))
  assert.deepEqual(coverage({ data: spotted(100) }), [])
})

test('inks are not added up without a limit, nor beyond what an image may take to decode', () => {
  const data = deflateSync(inks(100, 100, 100, 100))
  assert.deepEqual(coverage({ data, entries: '/Filter /FlateDecode' }, { profile: { inkPercentMax: null } }), [])
  const bomb = deflateSync(Buffer.alloc(70 * 1024 * 1024, 255))
  const findings = inspectedPage((file) => {
    const image = file.stream(
      `/Subtype /Image /Width ${width} /Height 1500 /BitsPerComponent 8 /ColorSpace /DeviceCMYK /Filter /FlateDecode`,
      bomb,
    )
    return { resources: `/XObject << /Photo ${image} >>`, content: 'q 200 0 0 100 26 22 cm /Photo Do Q' }
  })
  assert.deepEqual(of('too_complex', findings), [])
})
