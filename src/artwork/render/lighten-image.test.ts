import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { cmykJpeg } from '../../../test/artwork/cmyk-jpeg.ts'
import { type ComposedImage, composePdf } from '../../../test/artwork/compose-pdf.ts'
import { cardRules } from '../../../test/artwork/profiles.ts'
import { seen, type Seen } from '../../../test/artwork/seen-pictures.ts'
import { inspectPdf } from '../pdf/inspect-pdf.ts'
import { type Pdfium, startPdfium } from './pdfium.ts'
import { renderPdf } from './render-pdf.ts'

const [width, height] = [1125, 675]

const swop = readFileSync(new URL('../colour/CGATS001Compat-v2-micro.icc', import.meta.url))

let pdfium: Pdfium
before(async () => (pdfium = await startPdfium(128 * 1_024 * 1_024)))

const image = (data: Uint8Array, more: string): ComposedImage => ({
  entries: `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 8/Filter/DCTDecode${more}`,
  data,
})

const page = { mediaBox: [0, 0, 270, 162], content: 'q 270 0 0 162 0 0 cm /Im0 Do Q' }

/** @returns what is seen of a card, and how many of its images were heavy */
async function render(
  images: ComposedImage[],
  extra: ComposedImage[] = [],
  pages = [page],
): Promise<Seen & { heavy: number }> {
  const { bytes } = composePdf(pages, images, extra)
  const inspection = inspectPdf(bytes, cardRules)
  const shown = await seen(renderPdf(pdfium, bytes, cardRules, inspection))
  return { ...shown, heavy: inspection.heavyImages.length }
}

function assertNear(colour: string, wanted: readonly number[], what?: string): void {
  for (const [index, value] of colour.split(' ').entries())
    assert.ok(Math.abs(Number(value) - wanted[index]!) <= 4, `${what}: ${colour}, not ${wanted.join(' ')}`)
}

/** Cyan at the left, magenta at the right. */
const halves = (): Promise<Buffer> => cmykJpeg(width, height, (x) => (x < 0.5 ? [255, 0, 0, 0] : [0, 255, 0, 0]), 95)
const [cyan, magenta] = [
  [0, 174, 239],
  [237, 2, 140],
] as const

test('inks of a photograph are meant as /Decode says, whatever marks its JPEG has', async () => {
  const marked = await halves()
  const marker = marked.indexOf('Adobe') - 4
  const plain = Buffer.concat([
    marked.subarray(0, marker),
    marked.subarray(marker + 2 + marked.readUInt16BE(marker + 2)),
  ])
  for (const [what, jpeg] of [
    ['with an Adobe marker', marked],
    ['without', plain],
  ] as const) {
    const turned = await render([image(jpeg, '/ColorSpace/DeviceCMYK/Decode[1 0 1 0 1 0 1 0]')])
    assert.equal(turned.heavy, 1)
    const large = await turned.picture(1, 'large')
    assertNear(large.at(0.2, 0.5), cyan, what)
    assertNear(large.at(0.8, 0.5), magenta, what)
    // The negative of cyan is magenta, yellow and black.
    const negative = await (await render([image(jpeg, '/ColorSpace/DeviceCMYK')])).picture(1, 'large')
    assert.ok(
      negative
        .at(0.2, 0.5)
        .split(' ')
        .every((value) => Number(value) < 40),
      what,
    )
  }
})

test('a photograph looks as PDFium itself draws it', async () => {
  const jpeg = await cmykJpeg(width, height, (x, y) => [255 * x, 255 * y, 128, 40])
  const entries = '/ColorSpace/DeviceCMYK/Decode[1 0 1 0 1 0 1 0]'
  const { bytes } = composePdf([page], [image(jpeg, entries)])
  const inspection = inspectPdf(bytes, cardRules)
  assert.equal(inspection.heavyImages.length, 1)
  const itself = await seen(renderPdf(pdfium, bytes, cardRules, { ...inspection, heavyImages: [] }))
  const [ours, its] = [
    await (await render([image(jpeg, entries)])).picture(1, 'large'),
    await itself.picture(1, 'large'),
  ]
  for (const x of [0.1, 0.5, 0.9])
    for (const y of [0.1, 0.5, 0.9]) assertNear(ours.at(x, y), its.at(x, y).split(' ').map(Number))
})

test('a photograph with a profile of its own is drawn by it', async () => {
  const jpeg = await halves()
  const entries = '/ColorSpace[/ICCBased 4 0 R]/Decode[1 0 1 0 1 0 1 0]'
  const shown = await render([image(jpeg, entries)], [{ entries: '/N 4', data: swop }])
  assert.equal(shown.heavy, 1)
  const large = await shown.picture(1, 'large')
  assertNear(large.at(0.2, 0.5), cyan)
  assertNear(large.at(0.8, 0.5), magenta)
  const rgb = await sharp({ create: { width, height, channels: 3, background: '#804020' } })
    .jpeg()
    .toBuffer()
  const wide = sharp(rgb).withIccProfile('p3')
  const { icc } = await sharp(await wide.toBuffer()).metadata()
  const p3 = await render([image(rgb, '/ColorSpace[/ICCBased 4 0 R]')], [{ entries: '/N 3', data: icc! }])
  assert.equal(p3.heavy, 1)
  const [red] = (await p3.picture(1, 'large')).at(0.5, 0.5).split(' ').map(Number)
  assert.ok(red! > 132, `the same number is a stronger red in Display P3: ${red}`)
})

test('a profile that is broken or of other colours is no reason to draw nothing', async () => {
  const { icc } = await sharp(
    await sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } })
      .withIccProfile('p3')
      .png()
      .toBuffer(),
  ).metadata()
  const entries = '/ColorSpace[/ICCBased 4 0 R]/Decode[1 0 1 0 1 0 1 0]'
  const jpeg = await halves()
  const other = await render([image(jpeg, entries)], [{ entries: '/N 4', data: icc! }])
  assertNear((await other.picture(1, 'large')).at(0.2, 0.5), cyan)
  const broken = await render([image(jpeg, entries)], [{ entries: '/N 4', data: swop.subarray(0, 2000) }])
  const [red, green, blue] = (await broken.picture(1, 'large')).at(0.2, 0.5).split(' ').map(Number)
  assert.ok(red! < 10 && green! > 140 && blue! > 220, 'nearly cyan')
})

test('samples that are no JPEG are drawn as inks without a profile, whichever way their profile is named', async () => {
  const data = deflateSync(Buffer.alloc(width * height * 4, Buffer.from([255, 0, 0, 0])))
  // A profile by which cyan would be another blue: its tables begin with the value of no ink.
  const other = Buffer.from(swop)
  other.fill(0x80, 4000)
  const entries = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 8/Filter/FlateDecode/ColorSpace`
  for (const space of ['[/ICCBased 4 0 R]', ' 5 0 R']) {
    const images = [{ entries: `${entries}${space}`, data }]
    const { bytes } = composePdf([page], images, [{ entries: '/N 4', data: other }], ['[/ICCBased 4 0 R]'])
    const inspection = inspectPdf(bytes, cardRules)
    assert.deepEqual(
      inspection.heavyImages.map(({ coding }) => coding),
      ['raw'],
    )
    const shown = await seen(renderPdf(pdfium, bytes, cardRules, inspection))
    assertNear((await shown.picture(1, 'large')).at(0.5, 0.5), cyan, space)
  }
})

test('what masks a photograph still does', async () => {
  const mask = Buffer.from([255, 0])
  const shown = await render(
    [image(await halves(), '/ColorSpace/DeviceCMYK/Decode[1 0 1 0 1 0 1 0]/SMask 4 0 R')],
    [{ entries: '/Type/XObject/Subtype/Image/Width 2/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray', data: mask }],
  )
  assert.equal(shown.heavy, 1)
  const large = await shown.picture(1, 'large')
  assertNear(large.at(0.1, 0.5), cyan)
  assert.equal(large.at(0.9, 0.5), '255 255 255')
})

test('a photograph that later pages use again is there on all', async () => {
  const entries = '/ColorSpace/DeviceCMYK/Decode[1 0 1 0 1 0 1 0]'
  const shown = await render(
    [image(await halves(), entries)],
    [],
    [{ ...page, content: '0 g 9 9 9 9 re f' }, page, page],
  )
  for (const number of [2, 3]) assertNear((await shown.picture(number, 'large')).at(0.2, 0.5), cyan)
})

test('more ink in a photograph than the product takes is told with the image', async () => {
  const lake = await cmykJpeg(width, height, (x) => (x < 0.5 ? [230, 230, 204, 204] : [20, 0, 0, 0]), 95)
  const { findings } = await render([image(lake, '/ColorSpace/DeviceCMYK/Decode[1 0 1 0 1 0 1 0]')])
  const told = findings.filter(({ code }) => code === 'ink_coverage_high')
  assert.deepEqual(
    told.map(({ page: number, subject, box, wanted }) => [number, subject, box, wanted]),
    [[1, 'Im0', [0, 0, 270, 162], '300']],
  )
  assert.ok(Math.abs(Number(told[0]!.found) - 340) <= 2)
})

test('a large photograph is drawn in the memory of a small one, however its JPEG is coded', async () => {
  const [across, down] = [6000, 3600]
  const jpeg = await sharp({ create: { width: across, height: down, channels: 3, background: '#204080' } })
    .jpeg({ progressive: true })
    .toBuffer()
  const entries = `/Type/XObject/Subtype/Image/Width ${across}/Height ${down}/BitsPerComponent 8/Filter/DCTDecode/ColorSpace/DeviceRGB`
  const { bytes } = composePdf([page], [{ entries, data: jpeg }])
  const little = await startPdfium(48 * 1_024 * 1_024)
  const inspection = inspectPdf(bytes, cardRules)
  const shown = await seen(renderPdf(little, bytes, cardRules, inspection))
  assertNear((await shown.picture(1, 'large')).at(0.5, 0.5), [32, 64, 128])
})

test('a photograph that cannot be decoded is told', async () => {
  const jpeg = await halves()
  const garbled = Buffer.from(jpeg)
  // The tables without which nothing can be decoded.
  garbled.fill(0, garbled.indexOf(Buffer.from([0xff, 0xc4])) + 4, garbled.indexOf(Buffer.from([0xff, 0xda])))
  const { findings, heavy } = await render([image(garbled, '/ColorSpace/DeviceCMYK')])
  assert.equal(heavy, 1)
  assert.deepEqual(
    findings.filter(({ code }) => code === 'image_broken').map(({ page: number, subject }) => [number, subject]),
    [[1, 'Im0']],
  )
})
