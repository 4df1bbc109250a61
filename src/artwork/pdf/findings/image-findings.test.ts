import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { jpegFrame, jpxFrame } from '../../../../test/artwork/jpegs.ts'
import { has, inspectedPage, type Options, of } from '../../../../test/artwork/inspected.ts'
import type { Finding } from '../../../vocabulary/artwork.ts'

type Placed = { entries: string; data: Uint8Array; content?: string }

/** The findings of a card with this image, an inch wide and high unless it is placed otherwise. */
function placed(
  { entries, data, content = 'q 72 0 0 72 50 50 cm /Photo Do Q' }: Placed,
  options: Options = {},
): Finding[] {
  return inspectedPage((file) => {
    const image = file.stream(`/Type /XObject /Subtype /Image ${entries}`, data)
    return { resources: `/XObject << /Photo ${image} >>`, content }
  }, options)
}

const gray = (width: number, height = width): Omit<Placed, 'content'> => ({
  entries: `/Width ${width} /Height ${height} /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /FlateDecode`,
  data: deflateSync(Buffer.alloc(width * height)),
})

test('the resolution is that in the size in which an image is used, on the side that has less of it', () => {
  const low = (image: Placed, options?: Options) => of('image_resolution_low', placed(image, options))
  const error = (found: number) => [
    { severity: 'error', page: 1, subject: 'Photo', found: `${found}`, wanted: '150', unit: 'ppi' },
  ]
  const warning = (found: number) => [
    { severity: 'warning', page: 1, subject: 'Photo', found: `${found}`, wanted: '225', unit: 'ppi' },
  ]
  assert.deepEqual(low(gray(225)), [])
  assert.deepEqual(low(gray(224)), warning(224))
  assert.deepEqual(low(gray(150)), warning(150))
  assert.deepEqual(low(gray(149)), error(149))
  assert.deepEqual(low(gray(300, 100)), error(100))
  assert.deepEqual(low({ ...gray(200), content: 'q 0 36 -36 0 90 50 cm /Photo Do Q' }), [])
  assert.deepEqual(low({ ...gray(200), content: 'q 2 0 0 2 0 0 cm 72 0 0 72 5 5 cm /Photo Do Q' }), error(100))
  assert.deepEqual(low(gray(100), { profile: { imagePpiError: 50, imagePpiWarn: 72 } }), [])
  assert.deepEqual(low(gray(10), { profile: { imagePpiError: null, imagePpiWarn: null } }), [])
})

test('an image used several times is told once, at its worst', () => {
  const content = 'q 24 0 0 24 50 50 cm /Photo Do Q q 72 0 0 72 50 50 cm /Photo Do Q q 100 0 0 100 50 50 cm /Photo Do Q'
  assert.deepEqual(of('image_resolution_low', placed({ ...gray(100), content })), [
    { severity: 'error', page: 1, subject: 'Photo', found: '72', wanted: '150', unit: 'ppi', count: 2 },
  ])
})

test('areas of one colour, gradients and what is not seen have no resolution', () => {
  assert.deepEqual(of('image_resolution_low', placed(gray(1))), [])
  assert.deepEqual(of('image_resolution_low', placed(gray(256, 1))), [])
  const beside = 'q 72 0 0 72 500 50 cm /Photo Do Q'
  assert.deepEqual(of('image_resolution_low', placed({ ...gray(10), content: beside })), [])
  const cutAway = 'q 200 100 10 10 re W n 72 0 0 72 50 50 cm /Photo Do Q'
  assert.deepEqual(of('image_resolution_low', placed({ ...gray(10), content: cutAway })), [])
})

test('line art needs more', () => {
  const lines = (width: number, profile = {}) => {
    const data = deflateSync(Buffer.alloc(Math.ceil(width / 8) * width))
    const entries = `/Width ${width} /Height ${width} /ImageMask true /Filter /FlateDecode`
    return of('image_resolution_low', placed({ entries, data }, { profile }))
  }
  assert.deepEqual(lines(550), [])
  assert.deepEqual(lines(549), [
    { severity: 'warning', page: 1, subject: 'Photo', found: '549', wanted: '550', unit: 'ppi' },
  ])
  assert.deepEqual(lines(176, { imagePpiError: 50, imagePpiWarn: 72 }), [])
})

test('fax and JBIG2 images are line art, whether they say so or not', () => {
  for (const filter of ['CCITTFaxDecode', 'JBIG2Decode']) {
    const entries = `/Width 300 /Height 300 /ColorSpace /DeviceGray /Filter /${filter}`
    const low = of('image_resolution_low', placed({ entries, data: Buffer.from('x') }))
    assert.deepEqual(low, [
      { severity: 'warning', page: 1, subject: 'Photo', found: '300', wanted: '550', unit: 'ppi' },
    ])
  }
})

test('inline images are judged, too, and what follows them is read', () => {
  const findings = inspectedPage({
    content: `q 72 0 0 72 50 50 cm BI /W 10 /H 10 /BPC 8 /CS /G ID ${'\x90 EI \x81'.repeat(17)} EI Q 0 w 50 50 m 90 90 l S`,
  })
  assert.deepEqual(of('image_resolution_low', findings), [
    { severity: 'error', page: 1, subject: 'inline', found: '10', wanted: '150', unit: 'ppi' },
  ])
  assert.ok(has('hairline', findings))
})

test('images are found in forms, patterns and forms of patterns, in their size on the page', () => {
  const findings = inspectedPage((file) => {
    const image = file.stream(`/Type /XObject /Subtype /Image ${gray(100).entries}`, gray(100).data)
    const form = file.stream(
      `/Type /XObject /Subtype /Form /BBox [0 0 10 10] /Matrix [0.5 0 0 0.5 0 0] /Resources << /XObject << /Deep ${image} >> >>`,
      '144 0 0 144 0 0 cm /Deep Do',
    )
    const pattern = file.stream(
      `/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 99 99] /XStep 99 /YStep 99 /Matrix [2 0 0 2 900 0] /Resources << /XObject << /F ${form} >> >>`,
      'q 1 0 0 1 0 0 cm /F Do Q',
    )
    return {
      resources: `/Pattern << /P ${pattern} >> /XObject << /Form ${form} >>`,
      content: 'q 1 0 0 1 20 20 cm /Form Do Q /Pattern cs /P scn 50 50 20 20 re f',
    }
  })
  assert.deepEqual(of('image_resolution_low', findings), [
    { severity: 'error', page: 1, subject: 'Deep', found: '50', wanted: '150', unit: 'ppi', count: 2 },
  ])
  assert.deepEqual(findings.find(({ code }) => code === 'image_resolution_low')?.box, [50, 50, 70, 70])
})

test('images that cannot be drawn are broken', () => {
  const jpeg = (width: number, data: Uint8Array): Placed => ({
    entries: `/Width ${width} /Height 300 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /DCTDecode`,
    data,
  })
  const broken = (image: Placed) => has('image_broken', placed(image))
  const whole = jpegFrame(300, 300, 3)
  assert.equal(broken(jpeg(300, whole)), false)
  assert.equal(broken(jpeg(300, whole.subarray(0, 60))), true, 'cut off')
  assert.equal(broken(jpeg(301, whole)), true, 'smaller than it says')
  assert.equal(broken(jpeg(300, Buffer.from('no image'))), true, 'no JPEG')
  const jpx = { entries: '/Width 300 /Height 300 /Filter /JPXDecode', data: jpxFrame(300, 300, 3) }
  assert.equal(broken(jpx), false)
  assert.equal(broken({ ...jpx, data: jpxFrame(200, 300, 3) }), true, 'a smaller JPEG 2000')
  assert.equal(broken(gray(300)), false)
  assert.equal(broken({ ...gray(300), data: deflateSync(Buffer.alloc(300 * 299)) }), true, 'a row is missing')
  assert.equal(broken({ entries: gray(0).entries, data: gray(300).data }), true, 'no pixels')
  assert.equal(broken({ ...gray(300), data: Buffer.alloc(0) }), true, 'empty')
  assert.equal(
    broken({ ...gray(300), entries: '/Width 300 /Height 300 /BitsPerComponent 8 /Filter /FlateDecode' }),
    true,
    'colours of no space',
  )
  assert.deepEqual(of('image_broken', placed(jpeg(300, Buffer.from('no image')))), [
    { severity: 'error', page: 1, subject: 'Photo' },
  ])
})

test('an image with more pixels than anybody can handle is told', () => {
  const large = (width: number, height: number) =>
    of(
      'image_too_large',
      placed({
        entries: `/Width ${width} /Height ${height} /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /CCITTFaxDecode`,
        data: Buffer.from('x'),
      }),
    )
  assert.deepEqual(large(16_383, 16_383), [])
  assert.deepEqual(large(16_384, 16_384), [
    { severity: 'error', page: 1, subject: 'Photo', found: '268.44', wanted: '268', unit: 'megapixels' },
  ])
})
