import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardRules, noRules } from '../../../../test/artwork/profiles.ts'
import { codesOf, has, inspectedFile, inspectedPage, of } from '../../../../test/artwork/inspected.ts'
import { cardBoxes, type PageParts, PdfMaker } from '../../../../test/artwork/pdf-maker.ts'
import { inspectPdf } from '../inspect-pdf.ts'

const onlyTrim = (width: number, height: number): PageParts => ({
  media: [0, 0, width, height],
  trim: undefined,
  bleed: undefined,
})

test('a card with all its boxes has nothing against its pages', () => {
  assert.deepEqual(codesOf(inspectedPage({})), ['not_pdfx', 'no_output_intent'])
})

test('the trimmed page has the size of the product, but for three quarters of a point', () => {
  const trimmed = (width: number) => inspectedPage({ trim: [9, 9, 9 + width, 153] })
  for (const width of [251.3, 252, 252.7]) assert.equal(has('page_size_wrong', trimmed(width)), false, `${width}`)
  assert.deepEqual(of('page_size_wrong', trimmed(240)), [
    { severity: 'error', page: 1, found: '240 × 144', wanted: '252 × 144', unit: 'pt' },
  ])
  assert.equal(has('page_size_wrong', inspectedPage({ trim: [9, 9, 240, 153] }, { profile: noRules })), false)
})

test('a page that lies the other way is turned, not wrong', () => {
  const turned = inspectedPage({ media: [0, 0, 162, 270], trim: [9, 9, 153, 261], bleed: [0, 0, 162, 270] })
  assert.deepEqual(of('page_turned', turned), [
    { severity: 'sign_off', page: 1, found: '144 × 252', wanted: '252 × 144', unit: 'pt' },
  ])
  assert.equal(has('page_size_wrong', turned), false)
  const upright = inspectedPage({
    media: [0, 0, 162, 270],
    trim: [9, 9, 153, 261],
    bleed: [0, 0, 162, 270],
    more: '/Rotate 90',
  })
  assert.equal(has('page_turned', upright), false)
})

test('a page of the right proportions and another size is scaled, and so is one with a UserUnit', () => {
  const half = inspectedPage({ media: [0, 0, 135, 81], trim: [4.5, 4.5, 130.5, 76.5], bleed: [0, 0, 135, 81] })
  assert.deepEqual(of('page_scaled', half), [{ severity: 'error', page: 1, found: '50', wanted: '100', unit: '%' }])
  const unit = inspectedPage({
    media: [0, 0, 135, 81],
    trim: [4.5, 4.5, 130.5, 76.5],
    bleed: [0, 0, 135, 81],
    more: '/UserUnit 2',
  })
  assert.deepEqual(of('page_scaled', unit), [
    { severity: 'error', page: 1, subject: 'UserUnit', found: '200', wanted: '100', unit: '%' },
  ])
  assert.equal(has('page_size_wrong', unit), false)
})

test('pages of different sizes are told once, whatever the product wants', () => {
  const sizes = (...widths: number[]) =>
    inspectedFile((file) => widths.forEach((width) => file.page(onlyTrim(width, 100))), { profile: noRules })
  assert.deepEqual(of('page_sizes_differ', sizes(200, 210, 200)), [
    { severity: 'warning', found: '2', wanted: '1', unit: 'sizes' },
  ])
  assert.equal(has('page_sizes_differ', sizes(200, 200.2)), false)
})

test('a page without a TrimBox is cut where the product is, with bleed or without', () => {
  const withBleed = inspectedPage(onlyTrim(270, 162))
  assert.deepEqual(of('trim_box_missing', withBleed), [{ severity: 'info', page: 1 }])
  assert.deepEqual([has('bleed_missing', withBleed), has('page_size_wrong', withBleed)], [false, false])
  const without = inspectedPage(onlyTrim(252, 144))
  assert.deepEqual(of('bleed_missing', without), [{ severity: 'error', page: 1, found: '0', wanted: '9', unit: 'pt' }])
  assert.equal(has('page_size_wrong', without), false)
  const neither = inspectedPage(onlyTrim(300, 162))
  assert.deepEqual([has('bleed_missing', neither), has('page_size_wrong', neither)], [false, true])
})

test('a page without a TrimBox that has another size than the product is cut nowhere, and the sentence says so', () => {
  const sentences = (page: PageParts, rules = {}) =>
    inspectedPage(page, rules)
      .filter(({ code }) => code === 'trim_box_missing')
      .map(({ message }) => message)
  const missing = 'The page does not say where it is cut (it has no TrimBox).'
  assert.deepEqual(sentences(onlyTrim(270, 162)), [`${missing} We took the size of the product.`])
  assert.deepEqual(sentences(onlyTrim(300, 162)), [`${missing} We took the whole page.`])
  assert.deepEqual(sentences(onlyTrim(270, 162), { profile: noRules }), [`${missing} We took the whole page.`])
})

test('a TrimBox that is the whole page counts as none where the page has the size of product and bleed', () => {
  const findings = inspectedPage({ trim: cardBoxes.media })
  assert.deepEqual([has('bleed_missing', findings), has('page_size_wrong', findings)], [false, false])
})

test('the bleed reaches as far as the product asks on every side, but for three tenths of a point', () => {
  const bleed = (left: number) => inspectedPage({ bleed: [9 - left, 0, 270, 162] })
  assert.equal(has('bleed_missing', bleed(8.75)), false)
  assert.deepEqual(of('bleed_missing', bleed(8)), [
    { severity: 'error', page: 1, subject: 'left', found: '8', wanted: '9', unit: 'pt' },
  ])
  assert.equal(has('bleed_missing', inspectedPage({ bleed: undefined })), false)
  assert.equal(has('bleed_missing', inspectedPage({ bleed: [9, 9, 261, 153] }, { profile: { bleed: null } })), false)
  const beyondCrop = inspectedPage({ crop: [9, 9, 261, 153] })
  assert.equal(has('bleed_missing', beyondCrop), false)
})

test('a page of which one side is off has another size; it is scaled only if both sides are', () => {
  const sized = (right: number, top: number) => inspectedPage({ trim: [9, 9, right, top] })
  assert.deepEqual(of('page_scaled', sized(261.9, 153)), [])
  assert.equal(has('page_size_wrong', sized(261.9, 153)), true)
  assert.equal(has('page_scaled', sized(9 + 252 / 2, 9 + 144 / 2)), true)
})

test('a TrimBox that makes no sense is not also told as missing', () => {
  assert.equal(has('trim_box_missing', inspectedPage({ trim: [9, 9, 9, 153] })), false)
})

test('boxes that are missing or make no sense are named', () => {
  const named = (page: PageParts) =>
    inspectedPage(page)
      .filter(({ code }) => code === 'page_box_invalid')
      .map(({ subject, severity }) => [subject, severity])
  assert.deepEqual(named({ trim: [9, 9, 9, 153] }), [['TrimBox', 'warning']])
  assert.deepEqual(named({ trim: [9, 9, 261, 200] }), [['TrimBox', 'warning']])
  assert.deepEqual(named({ bleed: [20, 0, 270, 162] }), [['BleedBox', 'warning']])
  assert.deepEqual(named({ crop: [300, 300, 400, 400] }), [['CropBox', 'warning']])
  assert.deepEqual(named({ crop: [-10, -10, 400, 400] }), [])
  assert.deepEqual(named({ media: [0, 0, 270], trim: undefined, bleed: undefined }), [['MediaBox', 'error']])
  assert.deepEqual(named({ trim: [261, 153, 9, 9] }), [])
})

test('the number of pages is one that the product takes', () => {
  const counted = (count: number, profile: Parameters<typeof inspectedFile>[1]) =>
    of(
      'page_count_wrong',
      inspectedFile((file) => Array.from({ length: count }, () => file.page(cardBoxes)), profile),
    )
  for (const count of [1, 2]) assert.deepEqual(counted(count, {}), [])
  assert.deepEqual(counted(3, {}), [{ severity: 'error', found: '3', wanted: '1 to 2', unit: 'pages' }])
  const brochure = { profile: { pagesMin: 8, pagesMax: 96, pagesMultiple: 4 } }
  assert.deepEqual(counted(8, brochure), [])
  for (const count of [4, 10])
    assert.deepEqual(counted(count, brochure), [
      { severity: 'error', found: `${count}`, wanted: '8 to 96, a multiple of 4', unit: 'pages' },
    ])
  const wanted = (profile: object) => (counted(5, { profile })[0] as { wanted: string }).wanted
  assert.deepEqual(
    [
      wanted({ pagesMin: 2, pagesMax: 2 }),
      wanted({ pagesMin: null, pagesMax: 4 }),
      wanted({ pagesMin: 6, pagesMax: null }),
    ],
    ['2', 'at most 4', 'at least 6'],
  )
})

test('annotations and form fields are told; links and printers’ marks are not', () => {
  const noted = (...notes: string[]) =>
    inspectedPage({ more: `/Annots [${notes.map((note) => `<< ${note} >>`).join(' ')}]` })
  const findings = noted(
    '/Subtype /Text',
    '/Subtype /Text',
    '/Subtype /Stamp /F 6',
    '/Subtype /Stamp /F 4',
    '/Subtype /Widget',
  )
  assert.deepEqual(of('annotation', findings), [
    { severity: 'warning', page: 1, subject: 'Stamp', count: 2 },
    { severity: 'info', page: 1, subject: 'Text', count: 2 },
  ])
  assert.deepEqual(of('form_field', findings), [{ severity: 'warning', page: 1 }])
  const placed = noted('/Subtype /Widget /Rect [60 70 40 50]', '/Subtype /Text /Rect [40 50 60 70]')
  const boxes = placed.filter(({ code }) => code === 'annotation' || code === 'form_field').map(({ box }) => box)
  assert.deepEqual(boxes, [
    [40, 50, 60, 70],
    [40, 50, 60, 70],
  ])
  assert.equal(has('annotation', noted('/Subtype /Link', '/Subtype /Popup', '/Subtype /PrinterMark')), false)
})

test('the boxes of pages are measured on the page as it is shown', () => {
  const shown = (parts: PageParts) => {
    const file = new PdfMaker()
    file.page({ bleed: undefined, ...parts })
    return inspectPdf(file.bytes(), { ...cardRules, bleed: 10 }).pages[0]
  }
  const sheet = { media: [100, 100, 400, 300], crop: [110, 120, 390, 290], trim: [130, 150, 330, 250] }
  assert.deepEqual(shown(sheet), {
    page: 1,
    width: 280,
    height: 170,
    trimBox: [20, 30, 220, 130],
    bleedBox: [10, 20, 230, 140],
  })
  // Turned clockwise, what was left is above.
  assert.deepEqual(shown({ ...sheet, more: '/Rotate 90' })?.trimBox, [30, 60, 130, 260])
  assert.deepEqual(shown({ ...sheet, more: '/Rotate 180' })?.trimBox, [60, 40, 260, 140])
  assert.deepEqual(shown({ ...sheet, more: '/Rotate -90' })?.trimBox, [40, 20, 140, 220])
  assert.deepEqual(shown({ ...sheet, more: '/UserUnit 2' }), {
    page: 1,
    width: 560,
    height: 340,
    trimBox: [40, 60, 440, 260],
    bleedBox: [30, 50, 450, 270],
  })
  assert.deepEqual(shown({ ...sheet, bleed: [100, 140, 340, 260] })?.bleedBox, [-10, 20, 230, 140])
  assert.deepEqual(shown({ media: [0, 0, 300, 200] }), {
    page: 1,
    width: 300,
    height: 200,
    trimBox: null,
    bleedBox: null,
  })
})

test('pages take boxes, turn and resources from the nodes above them', () => {
  const file = new PdfMaker()
  const page = file.add('<< /Type /Page /TrimBox [9 9 153 261] >>')
  const node = file.add(`<< /Type /Pages /Kids [${page}] /MediaBox [0 0 162 270] /Rotate 90 >>`)
  const { pages } = inspectPdf(file.bytes({ catalog: `/Pages ${node}` }), cardRules)
  assert.deepEqual(pages, [{ page: 1, width: 270, height: 162, trimBox: [9, 9, 261, 153], bleedBox: [0, 0, 270, 162] }])
})
