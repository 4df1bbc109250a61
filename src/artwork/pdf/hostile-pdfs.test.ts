import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzzedFiles } from '../../../test/artwork/hostile/fuzzed-files.ts'
import { hostilePdfs } from '../../../test/artwork/hostile/pdf-files.ts'
import { goodPdf, readerBombs } from '../../../test/artwork/hostile/reader-bombs.ts'
import type { Layout } from '../../../test/artwork/pdf-maker.ts'
import { cardRules } from '../../../test/artwork/profiles.ts'
import { createReportCheck } from '../child/check-report.ts'
import { inspectPdf, type PdfInspection } from './inspect-pdf.ts'

/** `HOSTILE_FILES=1000` inspects more. */
const count = Number(process.env.HOSTILE_FILES ?? 300)

const layouts: readonly Layout[] = ['table', 'stream', 'hybrid', 'object streams']

/** @throws BadReport when the service would not take the answer */
function answer(bytes: Uint8Array): PdfInspection {
  const inspection = inspectPdf(bytes, cardRules)
  const { findings, pages, readable } = inspection
  createReportCheck()({
    head: JSON.parse(JSON.stringify({ kind: 'findings', mediaType: 'application/pdf', readable, findings, pages })),
    bytes: Buffer.alloc(0),
  })
  return inspection
}

const codes = (bytes: Uint8Array): string[] => answer(bytes).findings.map(({ code }) => code)

for (const { name, make } of hostilePdfs)
  test(`${name}: answered`, () => {
    assert.notEqual(codes(make()).length, 0)
  })

const harmless = new Set(['patterns that are filled with themselves', 'trailers that never end'])

for (const { name, make } of readerBombs)
  test(`${name}: ${harmless.has(name) ? 'answered' : 'too complex'}`, () => {
    assert.equal(codes(make()).includes('too_complex'), !harmless.has(name))
  })

test('what goes in circles is not too complex: it ends', () => {
  for (const { name, make } of hostilePdfs)
    if (/itself|circle/.test(name)) assert.equal(codes(make()).includes('too_complex'), false, name)
})

test('files that were harmed in any way get the same answer twice, and one that the service takes', () => {
  const good = layouts.map((layout) => [layout, goodPdf(layout)] as const)
  for (const { name, make } of fuzzedFiles(good, count)) {
    const bytes = make()
    assert.deepEqual(answer(bytes), answer(bytes), name)
  }
})

test('the file from which harmed ones are made holds much to look into', () => {
  const { findings, readable } = answer(goodPdf('table'))
  assert.equal(readable, true)
  assert.ok(findings.length >= 12, findings.map(({ code }) => code).join(' '))
})
