import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPdf } from '../../../test/world/read-pdf.ts'
import { createArtworkEngine } from '../../artwork/engine.ts'
import { inspectPdf } from '../../artwork/pdf/inspect-pdf.ts'
import type { ArtworkProfile, Finding } from '../../vocabulary/artwork.ts'
import { artworkProfiles } from '../artwork-profiles.ts'
import { faultyCards, fittingCard } from './faulty-cards.ts'
import { printDesign } from './print-design.ts'
import { customersDesign, specimen, type SpecimenKind } from './specimens.ts'

test('every kind of product has artwork of its size, with bleed and the pages that it takes', async () => {
  for (const [kind, profile] of profiles) {
    const { pages } = await readPdf(await printed(kind))
    assert.ok(pages.length >= profile.pagesMin! && pages.length <= profile.pagesMax!, kind)
    const bleed = profile.bleed!
    const trim = [bleed, bleed, bleed + profile.trimWidth!, bleed + profile.trimHeight!]
    for (const { width, height, trimBox } of pages) {
      assert.deepEqual(trimBox.map(rounded), trim.map(rounded), kind)
      assert.deepEqual([width, height].map(rounded), [trim[2]! + bleed, trim[3]! + bleed].map(rounded), kind)
    }
  }
})

test('the same artwork is the same bytes', async () => {
  const print = (): Promise<Buffer> => printDesign(specimen('postcard', 'cascade'))
  assert.ok((await print()).equals(await print()))
  assert.ok((await fittingCard()).equals(await fittingCard()))
})

test('inspection finds nothing to mend in the artwork of any kind of product', async () => {
  for (const [kind, profile] of profiles) {
    const { findings, readable } = inspectPdf(await printed(kind), profile)
    assert.ok(readable, kind)
    const toMend = findings.filter(({ severity }) => severity !== 'info')
    assert.deepEqual(
      toMend.map(({ message }) => message),
      [],
      kind,
    )
  }
})

test('of each faulty card inspection finds its fault, where it is, and nothing else', async () => {
  await using stack = new AsyncDisposableStack()
  const engine = createArtworkEngine({ log: () => {} })
  stack.defer(() => engine.close())
  const found = async (card: Promise<Buffer>): Promise<Pick<Finding, 'code' | 'page'>[]> => {
    const file = { bytes: await card, types: ['application/pdf'] as const, profile: artworkProfiles.card }
    const findings: Finding[] = []
    for await (const report of engine.inspect(file)) if (report.kind !== 'picture') findings.push(...report.findings)
    // No file of the specimens claims to be PDF/X.
    return findings.filter(({ code }) => code !== 'not_pdfx')
  }
  assert.deepEqual(await found(fittingCard()), [])
  for (const [name, { finds, page, print }] of Object.entries(faultyCards)) {
    const findings = await found(print())
    assert.deepEqual([...new Set(findings.map(({ code }) => code))], [finds], name)
    assert.equal(findings[0]!.page, page, name)
  }
})

const profiles = Object.entries(artworkProfiles) as [keyof typeof artworkProfiles, ArtworkProfile][]
/** Each kind is printed once for all tests. */
const printed = (kind: SpecimenKind): Promise<Buffer> =>
  files.getOrInsertComputed(kind, () => printDesign(customersDesign(kind)))
const files = new Map<SpecimenKind, Promise<Buffer>>()
const rounded = (points: number): number => Math.round(points * 10) / 10
