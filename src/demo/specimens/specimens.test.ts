import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPdf } from '../../../test/world/read-pdf.ts'
import type { ArtworkProfile } from '../../vocabulary/artwork.ts'
import { artworkProfiles } from '../artwork-profiles.ts'
import { faultyCards, fittingCard } from './faulty-cards.ts'
import { printDesign } from './print-design.ts'
import { specimen } from './specimens.ts'

test('every kind of product has artwork of its size, with bleed and the pages that it takes', async () => {
  for (const [kind, profile] of Object.entries(artworkProfiles) as [keyof typeof artworkProfiles, ArtworkProfile][]) {
    const { pages } = await readPdf(await printDesign(specimen(kind, 'albion')))
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

test('every faulty card differs from the one that fits', async () => {
  const fitting = await fittingCard()
  for (const [name, { print }] of Object.entries(faultyCards)) assert.ok(!fitting.equals(await print()), name)
})

const rounded = (points: number): number => Math.round(points * 10) / 10
