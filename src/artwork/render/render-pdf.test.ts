import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { type ComposedPage, composePdf } from '../../../test/artwork/compose-pdf.ts'
import { cardRules, noRules } from '../../../test/artwork/profiles.ts'
import { seen, type Seen } from '../../../test/artwork/seen-pictures.ts'
import type { PageBoxes } from '../../vocabulary/artwork.ts'
import { inspectPdf } from '../pdf/inspect-pdf.ts'
import { limitMemory, type Pdfium, startPdfium } from './pdfium.ts'
import { pagesPictured } from './pictures.ts'
import { renderPdf } from './render-pdf.ts'

const memory = 128 * 1_024 * 1_024
const [red, green, blue, white] = ['255 0 0', '0 255 0', '0 0 255', '255 255 255'] as const

/** Red at the left, green at the right, with a blue corner at the upper left, up to the end of the bleed. */
const card = '1 0 0 rg 0 0 135 162 re f 0 1 0 rg 135 0 135 162 re f 0 0 1 rg 0 122 40 40 re f'

let pdfium: Pdfium
before(async () => (pdfium = await startPdfium(memory)))

async function render(pages: readonly ComposedPage[], boxes: PageBoxes[], rules = cardRules): Promise<Seen> {
  return seen(renderPdf(pdfium, composePdf(pages).bytes, rules, inspected(boxes)))
}

const inspected = (pages: PageBoxes[]) => ({ pages, heavyImages: [], outputProfile: null })

const upright: PageBoxes = { page: 1, width: 270, height: 162, trimBox: null, bleedBox: null }

test('a page gets pictures of three sizes, one with guides and, the first, what a customer would hold', async () => {
  const page = { mediaBox: [0, 0, 270, 162], content: card }
  const { pictures, findings } = await render([page, page], [upright, { ...upright, page: 2 }])
  assert.deepEqual(
    pictures.map(({ page: number, of, width, height }) => [number, of, width, height]),
    [
      [1, 'small', 240, 144],
      [1, 'medium', 800, 480],
      [1, 'large', 1600, 960],
      [1, 'guides', 1600, 960],
      [1, 'finished', 1200, 686],
      [2, 'small', 240, 144],
      [2, 'medium', 800, 480],
      [2, 'large', 1600, 960],
      [2, 'guides', 1600, 960],
    ],
  )
  assert.deepEqual(findings, [])
})

test('pictures show the page with its bleed, and nothing around it such as printers’ marks', async () => {
  const page = {
    mediaBox: [-50, -50, 320, 212],
    bleedBox: [0, 0, 270, 162],
    trimBox: [9, 9, 261, 153],
    content: `0 g -50 -50 370 262 re f ${card}`,
  }
  const boxes: PageBoxes = {
    page: 1,
    width: 370,
    height: 262,
    bleedBox: [50, 50, 320, 212],
    trimBox: [59, 59, 311, 203],
  }
  const large = await (await render([page], [boxes])).picture(1, 'large')
  assert.deepEqual([large.width, large.height], [1600, 960])
  assert.deepEqual(
    [large.at(0, 0), large.at(0, 1), large.at(1, 0), large.at(1, 1)],
    [blue, red, green, green],
    'black lies around the bleed',
  )
})

test('the bleed is shown even where the CropBox leaves it out', async () => {
  const page = { mediaBox: [0, 0, 270, 162], cropBox: [9, 9, 261, 153], content: card }
  const boxes: PageBoxes = {
    ...upright,
    width: 252,
    height: 144,
    bleedBox: [-9, -9, 261, 153],
    trimBox: [0, 0, 252, 144],
  }
  const shown = await render([page], [boxes])
  const [large, finished] = [await shown.picture(1, 'large'), await shown.picture(1, 'finished')]
  assert.deepEqual([large.width, large.height], [1600, 960])
  // 40 of 270 points are blue with the bleed, 31 of 252 without it
  assert.deepEqual([large.at(0.14, 0.02), large.at(0.16, 0.02)], [blue, red])
  assert.deepEqual([finished.at(0.11, 0.02), finished.at(0.13, 0.02)], [blue, red])
})

test('a bleed that the CropBox leaves out is judged all the same', async () => {
  const boxes = { mediaBox: [0, 0, 270, 162], trimBox: [9, 9, 261, 153], content: '1 0 0 rg 9 9 252 144 re f' }
  for (const rotate of [0, 90])
    for (const cropBox of [undefined, [9, 9, 261, 153], [20, 20, 250, 140]]) {
      const { bytes } = composePdf([{ ...boxes, rotate, ...(cropBox && { cropBox }) }])
      const { pages } = inspectPdf(bytes, cardRules)
      const { findings, picture } = await seen(renderPdf(pdfium, bytes, cardRules, inspected(pages)))
      assert.deepEqual(
        findings.map(({ code, subject }) => `${code} ${subject}`),
        ['left', 'right', 'top', 'bottom'].map((side) => `bleed_not_filled ${side}`),
        `${rotate} ${cropBox}`,
      )
      const large = await picture(1, 'large')
      assert.deepEqual([large.at(0.02, 0.5), large.at(0.06, 0.5), large.at(0.98, 0.98)], [white, red, white])
    }
})

test('turned pages are shown as readers show them', async () => {
  const corners: Record<number, string[]> = {
    0: [blue, green, green, red],
    90: [red, blue, green, green],
    180: [green, red, blue, green],
    270: [green, green, red, blue],
  }
  for (const rotate of [0, 90, 180, 270]) {
    const [width, height] = rotate % 180 === 0 ? [270, 162] : [162, 270]
    const page = { mediaBox: [30, 40, 300, 202], rotate, content: `1 0 0 1 30 40 cm ${card}` }
    const large = await (await render([page], [{ ...upright, width, height }])).picture(1, 'large')
    assert.equal(large.width > large.height, rotate % 180 === 0)
    assert.deepEqual(
      [large.at(0.02, 0.02), large.at(0.98, 0.02), large.at(0.98, 0.98), large.at(0.02, 0.98)],
      corners[rotate],
      `turned by ${rotate}`,
    )
  }
})

test('the bleed of a turned page is found where it is', async () => {
  const content = `0 g 0 0 300 200 re f 1 0 0 1 20 10 cm ${card}`
  // The page is 300 × 200, and its bleed reaches from 20, 10 to 290, 172 before it is turned.
  for (const [rotate, bleedBox, corners] of [
    [0, [20, 10, 290, 172], [blue, green, green, red]],
    [90, [10, 10, 172, 280], [red, blue, green, green]],
    [180, [10, 28, 280, 190], [green, red, blue, green]],
    [270, [28, 20, 190, 290], [green, green, red, blue]],
  ] as const) {
    const [width, height] = rotate % 180 === 0 ? [300, 200] : [200, 300]
    const boxes = { ...upright, width, height, bleedBox }
    const large = await (await render([{ mediaBox: [0, 0, 300, 200], rotate, content }], [boxes])).picture(1, 'large')
    assert.deepEqual([large.at(0, 0), large.at(1, 0), large.at(1, 1), large.at(0, 1)], corners, `turned by ${rotate}`)
  }
})

test('a page whose unit is larger than a point is cut and drawn in its real size', async () => {
  const page = { mediaBox: [0, 0, 135, 81], userUnit: 2, content: `0.5 0 0 0.5 0 0 cm ${card}` }
  const boxes: PageBoxes = { ...upright, trimBox: [9, 9, 261, 153], bleedBox: [0, 0, 270, 162] }
  const finished = await (await render([page], [boxes])).picture(1, 'finished')
  assert.deepEqual([finished.width, finished.height], [1200, 686])
  assert.deepEqual([finished.at(0.11, 0.02), finished.at(0.13, 0.02)], [blue, red])
})

test('guides show where the page is cut, how far the art must reach and where texts are safe', async () => {
  const shown = await render([{ mediaBox: [0, 0, 270, 162], content: card }], [upright])
  const [guides, large] = [await shown.picture(1, 'guides'), await shown.picture(1, 'large')]
  const [bleedLine, trimLine, safeLine] = ['0 114 178', '213 94 0', '0 158 115']
  const row = (picture: typeof guides): Set<string> =>
    new Set(Array.from({ length: picture.height }, (_, y) => picture.at(0.3, (y + 0.5) / picture.height)))
  for (const line of [bleedLine, trimLine]) assert.ok(row(guides).has(line!))
  assert.equal(guides.at(0.3, 0), bleedLine)
  assert.equal(guides.at(0.3, 9.2 / 162), trimLine)
  // dashed: there and not there along the side
  const safe = Array.from({ length: 1600 }, (_, x) => guides.at((x + 0.5) / 1600, 18.2 / 162) === safeLine)
  assert.ok(safe.filter(Boolean).length > 500 && safe.filter(Boolean).length < 1000)
  const finished = await shown.picture(1, 'finished')
  assert.deepEqual([...row(large), ...row(finished)], [red, red], 'no line is drawn on the others')
})

test('colours of process inks look as they do in print', async () => {
  const inks = ['1 0 0 0', '0 1 0 0', '0 0 1 0', '0 0 0 1']
  const content = inks.map((ink, index) => `${ink} k ${index * 25} 0 25 50 re f`).join(' ')
  const boxes: PageBoxes = { ...upright, width: 100, height: 50 }
  const large = await (await render([{ mediaBox: [0, 0, 100, 50], content }], [boxes], noRules)).picture(1, 'large')
  assert.deepEqual(
    [0.1, 0.35, 0.6, 0.85].map((x) => large.at(x, 0.5)),
    ['0 174 239', '237 2 140', '255 241 1', '35 31 32'],
  )
})

test('art that ends at the cut is told for each side, with where', async () => {
  // The art reaches the end of the bleed at the left only; at the right it ends at the cut from half the height up.
  const content = '1 0 0 rg 0 9 261 144 re f 261 9 9 72 re f'
  const { findings } = await render([{ mediaBox: [0, 0, 270, 162], content }], [upright])
  assert.deepEqual(
    findings.map(({ code, subject, page, found, wanted }) => [code, subject, page, found, wanted]),
    [
      ['bleed_not_filled', 'right', 1, '0', '8.94'],
      ['bleed_not_filled', 'top', 1, '0', '8.94'],
      ['bleed_not_filled', 'bottom', 1, '0', '8.94'],
    ],
  )
  const right = findings[0]!.box!.map(Math.round)
  assert.deepEqual(right, [261, 81, 270, 153])
})

test('art that keeps away from the cut, or goes on beyond it, is not told', async () => {
  const pages: Record<string, string> = {
    'a frame inside': '1 0 0 rg 15 15 240 132 re f',
    'art up to the end': card,
    'marks outside only': '0 G 1 w 0 9 m 6 9 l S 9 0 m 9 6 l S 0 0 1 rg 50 50 50 50 re f',
    'a line that crosses the cut': '0 0 1 RG 3 w 0 80 m 270 80 l S',
    'a line that ends at the cut': '0 0 1 RG 1 w 9 80 m 261 80 l S',
  }
  for (const [what, content] of Object.entries(pages)) {
    const { findings } = await render([{ mediaBox: [0, 0, 270, 162], content }], [upright])
    assert.deepEqual(findings, [], what)
  }
})

test('a blank page is told', async () => {
  const pages = [
    { mediaBox: [0, 0, 270, 162], content: '1 g 0 0 270 162 re f' },
    { mediaBox: [0, 0, 270, 162], content: '0.9 g 100 100 1 1 re f' },
  ]
  const { findings } = await render(pages, [upright, { ...upright, page: 2 }])
  assert.deepEqual(
    findings.map(({ code, page }) => [code, page]),
    [['page_blank', 1]],
  )
})

test('the same file gives the same pictures, byte by byte', async () => {
  const page = { mediaBox: [0, 0, 270, 162], content: `${card} BT /F 24 Tf 20 80 Td (Dana) Tj ET` }
  const [one, other] = [await render([page], [upright]), await render([page], [upright])]
  const bytes = ({ pictures }: Seen): string[] => pictures.map(({ png }) => png.toString('base64'))
  assert.deepEqual(bytes(one), bytes(other))
})

test('what PDFium cannot open, and a page that is not there, is a finding', async () => {
  const nothing = await seen(renderPdf(pdfium, Buffer.from('%PDF-1.7\n'), cardRules, inspected([upright])))
  assert.deepEqual(
    [nothing.findings.map(({ code, page }) => [code, page]), nothing.pictures],
    [[['not_readable', null]], []],
  )
  const page = { mediaBox: [0, 0, 270, 162], content: card }
  const { findings, pictures } = await render([page], [upright, { ...upright, page: 2 }])
  assert.deepEqual(
    [findings.map(({ code, page: number }) => [code, number]), pictures.length],
    [[['not_readable', 2]], 5],
  )
})

test('a page that wants more memory than PDFium has is a finding', async () => {
  const little = await startPdfium(24 * 1_024 * 1_024)
  const image = {
    entries:
      '/Type/XObject/Subtype/Image/Width 6000/Height 6000/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode',
    data: deflateSync(Buffer.alloc(6000 * 6000)),
  }
  const { bytes } = composePdf([{ mediaBox: [0, 0, 270, 162], content: '270 0 0 162 0 0 cm /Im0 Do' }], [image])
  const { findings, pictures } = await seen(renderPdf(little, bytes, noRules, inspected([upright])))
  assert.deepEqual([findings.map(({ code }) => code), pictures.length], [['too_complex'], 0])
})

test('memory that a module cannot be held to is refused', () => {
  const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
  const module = (least: number, most: number[]): Uint8Array =>
    new Uint8Array([...header, 5, 3 + most.length, 1, 1, least, ...most])
  const wide = module(2, [0x80, 0x80, 2])
  limitMemory(wide, 130)
  assert.deepEqual([...wide.subarray(12)], [2, 0x82, 0x81, 0])
  assert.throws(() => limitMemory(module(3, [4]), 2), /2 pages/)
  assert.throws(() => limitMemory(module(3, [4]), 128), /128 pages/)
  assert.throws(() => limitMemory(new Uint8Array(header), 2), /no memory section/)
})

test('only so many pages get pictures', async () => {
  const page: ComposedPage = { mediaBox: [0, 0, 1000, 1], content: card }
  const boxes = Array.from({ length: pagesPictured + 1 }, (_, index) => ({
    ...upright,
    page: index + 1,
    width: 1000,
    height: 1,
  }))
  const { pictures } = await render(
    boxes.map(() => page),
    boxes,
    noRules,
  )
  assert.equal(new Set(pictures.map(({ page: number }) => number)).size, pagesPictured)
  const ofTwo = await render(
    boxes.slice(0, 5).map(() => page),
    boxes.slice(0, 5),
    { ...noRules, pagesMax: 2 },
  )
  assert.equal(new Set(ofTwo.pictures.map(({ page: number }) => number)).size, 3, 'one more than the product takes')
})

test('once pictures have their bytes, further pages get small and medium ones only', async () => {
  const page = { mediaBox: [0, 0, 270, 162], content: card }
  const [first, second] = [upright, { ...upright, page: 2 }]
  const { bytes } = composePdf([page, page])
  const { pictures } = await seen(renderPdf(pdfium, bytes, noRules, inspected([first, second]), 1))
  assert.deepEqual(
    pictures.map(({ page: number, of }) => `${of} of page ${number}`),
    ['small', 'medium', 'large', 'guides', 'finished']
      .map((of) => `${of} of page 1`)
      .concat(['small of page 2', 'medium of page 2']),
  )
})
