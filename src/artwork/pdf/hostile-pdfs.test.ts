import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardProfile } from '../../../test/artwork/card.ts'
import { bombs, goodPdf, hostilePdf } from '../../../test/artwork/hostile-pdfs.ts'
import { createReportCheck } from '../child/check-report.ts'
import type { FindingCode } from '../../vocabulary/artwork.ts'
import { inspectPdf, type PdfInspection } from './inspect-pdf.ts'

/** `HOSTILE_FILES=1000` inspects more. */
const count = Number(process.env.HOSTILE_FILES ?? 300)

/** @throws BadReport when the service would not take the answer */
function checked({ findings, pages, readable }: PdfInspection): void {
  createReportCheck()({
    head: JSON.parse(JSON.stringify({ kind: 'findings', mediaType: 'application/pdf', readable, findings, pages })),
    bytes: Buffer.alloc(0),
  })
}

/** How a bomb ends that is not too complex: with this finding, or without harm. */
const otherEnds: Readonly<Record<string, FindingCode | 'harmless'>> = {
  'forms that draw themselves': 'harmless',
  'patterns that are filled with themselves': 'harmless',
  'a page tree in a circle': 'no_pages',
  'an image of four thousand million pixels': 'image_too_large',
  'trailers that never end': 'not_readable',
  'an update for each byte': 'damaged_structure',
}

for (const [name, make] of Object.entries(bombs)) {
  const end = otherEnds[name] ?? 'too_complex'
  test(`${name}: ${end}`, () => {
    const inspection = inspectPdf(make(), cardProfile)
    checked(inspection)
    const codes = inspection.findings.map(({ code }) => code)
    if (end === 'harmless') assert.deepEqual([codes.includes('too_complex'), inspection.readable], [false, true])
    else assert.ok(codes.includes(end), codes.join(' '))
  })
}

test('files that were damaged in any way get the same answer twice, and one that the service takes', () => {
  for (let seed = 1; seed <= count; seed++) {
    const bytes = hostilePdf(seed)
    const inspection = inspectPdf(bytes, cardProfile)
    checked(inspection)
    assert.deepEqual(inspectPdf(bytes, cardProfile), inspection, `seed ${seed}`)
  }
})

test('the file from which the damaged ones are made holds much to look into', () => {
  const { findings, readable } = inspectPdf(goodPdf('table'), cardProfile)
  assert.equal(readable, true)
  assert.ok(findings.length >= 12, findings.map(({ code }) => code).join(' '))
})
