import assert from 'node:assert/strict'
import { test } from 'node:test'
import PdfDocument from 'pdfkit'
import { cardRules } from '../../../../test/artwork/profiles.ts'
import { has, inspectedPage, type Options, of } from '../../../../test/artwork/inspected.ts'
import type { PageParts } from '../../../../test/artwork/pdf-maker.ts'
import type { Box, Finding } from '../../../vocabulary/artwork.ts'
import { inspectPdf } from '../inspect-pdf.ts'

const helvetica = '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>'

const texts = (content: string, more: PageParts = {}, options: Options = {}): Finding[] =>
  inspectedPage({ resources: helvetica, content, ...more }, options)

const smallest = (content: string, more?: PageParts): unknown =>
  of('text_too_small', texts(content, more)).map((finding) => (finding as { found: string }).found)[0]

test('text below the least size is told by its size on the page, whatever makes it small', () => {
  assert.deepEqual(of('text_too_small', texts('BT /F1 4 Tf 50 50 Td (a) Tj (b) Tj /F1 3.5 Tf (c) Tj ET')), [
    { severity: 'sign_off', page: 1, found: '3.5', wanted: '5', unit: 'pt', count: 3 },
  ])
  assert.equal(smallest('BT /F1 5 Tf 50 50 Td (a) Tj ET'), undefined)
  assert.equal(smallest('BT /F1 1 Tf 4 0 0 4 50 50 Tm (a) Tj ET'), '4')
  assert.equal(smallest('0.5 0 0 0.5 0 0 cm BT /F1 9 Tf 99 99 Td (a) Tj ET'), '4.5')
  assert.equal(smallest('0 0.4 -0.4 0 90 90 cm BT /F1 10 Tf (a) Tj ET'), '4')
  assert.equal(smallest('BT /F1 10 Tf 1 0 0.5 0.4 50 50 Tm (a) Tj ET'), '4')
  assert.equal(smallest('BT /F1 -4 Tf 50 50 Td (a) Tj ET'), '4')
  const halfUnits = {
    media: [0, 0, 540, 324],
    trim: [18, 18, 522, 306],
    bleed: [0, 0, 540, 324],
    more: '/UserUnit 0.5',
  }
  assert.equal(smallest('BT /F1 8 Tf 99 99 Td (a) Tj ET', halfUnits), '4')
})

test('white text is at least 5 pt where there is a least size', () => {
  const white = (size: number, profile = { textPointsMin: 3 as number | null }) =>
    has('text_too_small', texts(`BT 0 0 0 0 k /F1 ${size} Tf 50 50 Td (a) Tj ET`, {}, { profile }))
  assert.deepEqual([white(4), white(5), white(4, { textPointsMin: null })], [true, false, false])
  assert.equal(
    has('text_too_small', texts('BT /F1 4 Tf 50 50 Td (a) Tj ET', {}, { profile: { textPointsMin: 3 } })),
    false,
  )
})

test('text that is not painted is not judged', () => {
  assert.equal(has('text_too_small', texts('BT 3 Tr /F1 2 Tf 50 50 Td (a) Tj ET')), false)
  assert.equal(has('font_not_embedded', texts('BT 3 Tr /F1 9 Tf 50 50 Td (a) Tj ET')), false)
  assert.equal(has('font_not_embedded', texts('BT /F1 9 Tf 50 50 Td ( ) Tj ET')), false)
  assert.equal(has('font_not_embedded', texts('BT /F1 9 Tf 500 50 Td (beside the page) Tj ET')), false)
})

test('text keeps within the safe area, but for three tenths of a point', () => {
  const outside = (content: string) => of('text_outside_safe_area', texts(`BT /F1 10 Tf ${content} ET`))
  assert.deepEqual(outside('18 40 Td (Dana) Tj'), [])
  assert.deepEqual(outside('17.8 40 Td (Dana) Tj'), [])
  assert.deepEqual(outside('13 40 Td (Dana) Tj'), [
    { severity: 'sign_off', page: 1, found: '4', wanted: '9', unit: 'pt' },
  ])
  assert.deepEqual(outside('6 40 Td (Dana) Tj'), [
    { severity: 'sign_off', page: 1, found: '-3', wanted: '9', unit: 'pt' },
  ])
  assert.deepEqual(outside('50 1 Td (in the bleed) Tj'), [])
  // Blanks at the ends do not count, nor do those that moving makes.
  assert.deepEqual(outside('14 40 Td (  Dana) Tj'), [])
  assert.deepEqual(outside('50 40 Td [(Dana) -30000 ( )] TJ'), [])
  assert.equal(outside('50 40 Td [(Dana) -20000 (Reyes)] TJ').length, 1)
})

test('text stands where its matrices, spacings and widths put it', () => {
  const boxOf = (content: string): Box | null | undefined => {
    const widths = Array.from({ length: 26 }, () => 500).join(' ')
    const resources = `/Font << /F1 << /Type /Font /Subtype /TrueType /BaseFont /Even /FirstChar 97 /Widths [${widths}] >> >>`
    return texts(content, { resources }).find(({ code }) => code === 'font_not_embedded')?.box
  }
  assert.deepEqual(boxOf('BT /F1 10 Tf 50 60 Td (aaaa) Tj ET'), [50, 57.9, 70, 67.2])
  assert.deepEqual(boxOf('BT /F1 10 Tf 2 Tc 50 60 Td (aaaa) Tj ET'), [50, 57.9, 76, 67.2])
  assert.deepEqual(boxOf('BT /F1 10 Tf 150 Tz 50 60 Td (aaaa) Tj ET'), [50, 57.9, 80, 67.2])
  assert.deepEqual(boxOf('BT /F1 10 Tf 3 Ts 50 60 Td [(aa) -1000 (aa)] TJ ET'), [50, 60.9, 80, 70.2])
  assert.deepEqual(boxOf('BT /F1 10 Tf 12 TL 50 60 Td () Tj T* (aa) Tj ET'), [50, 45.9, 60, 55.2])
  assert.deepEqual(boxOf("BT /F1 10 Tf 50 60 TD 0 -12 TD () Tj (aa) ' ET"), [50, 33.9, 60, 43.2])
  assert.deepEqual(boxOf('BT /F1 10 Tf 12 TL 50 60 Td 0 1 (aa) " ET'), [50, 45.9, 61, 55.2])
  assert.deepEqual(boxOf('0 1 -1 0 100 50 cm BT /F1 10 Tf (aaaa) Tj ET'), [92.8, 50, 102.1, 70])
  assert.deepEqual(boxOf('q 0 0 60 160 re W n BT /F1 10 Tf 50 60 Td (aaaa) Tj ET Q'), [50, 57.9, 60, 67.2])
})

test('the text of an embedded font is as wide as the program that wrote it says', async () => {
  const document = new PdfDocument({ size: [270, 162], margin: 0 })
  const parts: Buffer[] = []
  document.on('data', (part: Buffer) => parts.push(part))
  const ended = new Promise((resolve) => document.on('end', resolve))
  document.font('Courier-Bold', 4).text('Dana Reyes, Gärtnerei', 30, 40, { lineBreak: false })
  const width = document.widthOfString('Dana Reyes, Gärtnerei')
  document.end()
  await ended
  const { findings } = inspectPdf(Buffer.concat(parts), cardRules)
  const [left, , right] = findings.find(({ code }) => code === 'text_too_small')!.box!
  assert.ok(Math.abs(right - left - width) < 0.02, `${right - left} instead of ${width}`)
  assert.equal(left, 30)
})

test('fonts that are not embedded are told by name, without the mark of a subset', () => {
  const fonts = (entries: string) =>
    of(
      'font_not_embedded',
      inspectedPage({
        resources: `/Font << /F1 << /Type /Font ${entries} >> >>`,
        content: 'BT /F1 9 Tf 50 50 Td (ab) Tj ET',
      }),
    )
  const told = (subject: string) => [{ severity: 'error', page: 1, subject }]
  assert.deepEqual(fonts('/Subtype /TrueType /BaseFont /ABCDEF+Arial /FontDescriptor << >>'), told('Arial'))
  assert.deepEqual(
    fonts('/Subtype /Type0 /BaseFont /Song /DescendantFonts [<< /FontDescriptor << >> >>]'),
    told('Song'),
  )
  assert.deepEqual(fonts('/Subtype /Type3 /FontMatrix [1 0 0 1 0 0] /CharProcs << >>'), [])
})

test('an embedded font is embedded, as a simple font and as a composite one', () => {
  for (const key of ['FontFile', 'FontFile2', 'FontFile3']) {
    const findings = inspectedPage((file) => {
      const descriptor = `/FontDescriptor << /${key} ${file.stream('', 'a font')} >>`
      return {
        resources: `/Font << /F1 << /Subtype /TrueType /BaseFont /A ${descriptor} >> /F2 << /Subtype /Type0 /BaseFont /B /DescendantFonts [<< ${descriptor} >>] >> >>`,
        content: 'BT /F1 9 Tf 50 50 Td (ab) Tj /F2 9 Tf (abcd) Tj ET',
      }
    })
    assert.equal(has('font_not_embedded', findings), false, key)
  }
})

test('composite fonts have widths by code, and their blanks are told by the map to Unicode', () => {
  const findings = inspectedPage((file) => {
    const map = file.deflated('', '1 beginbfchar <0003> <0020> endbfchar 1 beginbfchar <0004> <0041> endbfchar')
    const descendant = '<< /DW 2000 /W [3 [1000 500] 10 12 250] >>'
    return {
      resources: `/Font << /F1 << /Subtype /Type0 /BaseFont /B /ToUnicode ${map} /DescendantFonts [${descendant}] >> >>`,
      content: 'BT /F1 10 Tf 50 60 Td <0003 0004 000b 0005 0003> Tj ET',
    }
  })
  assert.deepEqual(findings.find(({ code }) => code === 'font_not_embedded')?.box, [60, 57.9, 87.5, 67.2])
})

test('small black text is of one ink, and small text of two at most', () => {
  const inks = (size: number, colour: string) => {
    const findings = texts(`BT ${colour} /F1 ${size} Tf 50 50 Td (a) Tj ET`)
    return [...of('rich_black_text', findings), ...of('small_text_many_inks', findings)]
  }
  const rich = { severity: 'warning', page: 1, found: '240', wanted: '100', unit: '%' }
  assert.deepEqual(inks(10, '0.5 0.5 0.5 0.9 k'), [rich])
  assert.deepEqual(inks(12, '0.5 0.5 0.5 0.9 k'), [])
  assert.deepEqual(inks(10, '0.4 0.4 0.4 0.9 k'), [])
  const mixed = { severity: 'warning', page: 1, found: '3', wanted: '2', unit: 'inks' }
  assert.deepEqual(inks(8, '0.2 0.4 0.4 0 k'), [mixed])
  for (const [size, colour] of [
    [8, '0.2 0.4 0 0 k'],
    [9, '0.2 0.4 0.4 0 k'],
    [8, '0 0 0 rg'],
  ] as const)
    assert.deepEqual(inks(size, colour), [], colour)
})
