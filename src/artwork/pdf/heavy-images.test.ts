import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardRules } from '../../../test/artwork/profiles.ts'
import { jpegFrame, profileHeader } from '../../../test/artwork/jpegs.ts'
import { cardBoxes, type FileParts, PdfMaker } from '../../../test/artwork/pdf-maker.ts'
import type { HeavyImage } from './heavy-images.ts'
import { inspectPdf } from './inspect-pdf.ts'

type Placed = { entries?: string; data?: Uint8Array; side?: number }

/** The heavy images of a card with this one, drawn twice. */
function heavy(make: (file: PdfMaker) => Placed, parts: FileParts = {}): { bytes: Buffer; images: HeavyImage[] } {
  const file = new PdfMaker()
  const { side = 600, entries = '/ColorSpace /DeviceCMYK', data = jpegFrame(side, side, 4) } = make(file)
  const image = file.stream(
    `/Subtype /Image /Width ${side} /Height ${side} /BitsPerComponent 8 /Filter /DCTDecode ${entries}`,
    data,
  )
  for (let page = 0; page < 2; page++)
    file.page({ ...cardBoxes, resources: `/XObject << /I ${image} >>`, content: 'q 270 0 0 162 0 0 cm /I Do Q' })
  const bytes = file.bytes(parts)
  return { bytes, images: inspectPdf(bytes, cardRules).heavyImages }
}

test('a large CMYK JPEG is told once, with its place in the file', () => {
  const { bytes, images } = heavy(() => ({}))
  const [image, ...more] = images
  assert.equal(more.length, 0)
  assert.ok(bytes.subarray(image!.start, image!.start + image!.length).equals(jpegFrame(600, 600, 4)))
  const { object, generation, width, height, colours, profile, decode, mask } = image!
  assert.deepEqual(
    { object, generation, width, height, colours, profile, decode, mask },
    { object: 3, generation: 0, width: 600, height: 600, colours: 'cmyk', profile: null, decode: null, mask: null },
  )
})

test('its place counts from the beginning of the file, whatever stands before the PDF', () => {
  const file = new PdfMaker()
  const image = file.stream(
    '/Subtype /Image /Width 600 /Height 600 /BitsPerComponent 8 /Filter /DCTDecode /ColorSpace /DeviceCMYK',
    jpegFrame(600, 600, 4),
  )
  file.page({ ...cardBoxes, resources: `/XObject << /I ${image} >>`, content: 'q 270 0 0 162 0 0 cm /I Do Q' })
  const bytes = Buffer.concat([Buffer.from('Dear printer,\n'), file.bytes()])
  const [found] = inspectPdf(bytes, cardRules).heavyImages
  assert.ok(bytes.subarray(found!.start, found!.start + found!.length).equals(jpegFrame(600, 600, 4)))
})

test('its colours are told by its own profile, or by that of the output intent', () => {
  const own = heavy((file) => {
    const profile = file.deflated('/N 4', profileHeader('CMYK'))
    return { entries: `/ColorSpace [/ICCBased ${profile}] /Decode [1 0 1 0 1 0 1 0]` }
  })
  assert.deepEqual(Buffer.from(own.images[0]!.profile!), profileHeader('CMYK'))
  assert.deepEqual(own.images[0]!.decode, [1, 0, 1, 0, 1, 0, 1, 0])
  const intended = (colours: 'CMYK' | 'RGB ') =>
    heavy(
      (file) => {
        file.deflated('/N 4', profileHeader(colours))
        return {}
      },
      { catalog: '/OutputIntents [<< /S /GTS_PDFX /DestOutputProfile 3 0 R >>]' },
    ).images[0]!.profile
  assert.deepEqual(Buffer.from(intended('CMYK')!), profileHeader('CMYK'))
  assert.equal(intended('RGB '), null)
})

test('the output intent’s profile is told for the whole file', () => {
  const file = new PdfMaker()
  file.page(cardBoxes)
  const profile = file.deflated('/N 4', profileHeader('CMYK'))
  const catalog = `/OutputIntents [<< /S /GTS_PDFX /DestOutputProfile ${profile} >>]`
  const { outputProfile } = inspectPdf(file.bytes({ catalog }), cardRules)
  assert.deepEqual(Buffer.from(outputProfile!), profileHeader('CMYK'))
  assert.equal(inspectPdf(file.bytes(), cardRules).outputProfile, null)
})

test('the mask of a heavy image is kept; one with a mask of colours is not replaced', () => {
  const masked = heavy((file) => ({ entries: `/ColorSpace /DeviceCMYK /SMask ${file.stream('/Subtype /Image', 'x')}` }))
  assert.deepEqual(masked.images[0]!.mask, { key: 'SMask', object: 3, generation: 0 })
  assert.deepEqual(heavy(() => ({ entries: '/ColorSpace /DeviceCMYK /Mask [0 0 0 0 0 0 0 0]' })).images, [])
})

test('small images, those of plain RGB and those that are no bare JPEG are not heavy', () => {
  const rgb = { entries: '/ColorSpace /DeviceRGB', data: jpegFrame(600, 600, 3) }
  const spot = { entries: '/ColorSpace [/DeviceN [/A /B /C /D] /DeviceCMYK << >>]' }
  for (const image of [{ side: 499 }, rgb, spot, { data: Buffer.from('no JPEG') }])
    assert.deepEqual(heavy(() => image).images, [])
  assert.equal(heavy(() => ({ side: 500 })).images.length, 1)
})
