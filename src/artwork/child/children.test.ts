import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardRules } from '../../../test/artwork/profiles.ts'
import { jpegFile, pdfFile, pngFile, tiffFile } from '../../../test/world/artwork.ts'
import { createArtworkEngine } from '../engine.ts'

test('the children of the engine inspect and draw a file of each type, and answer the same again', async (t) => {
  const engine = createArtworkEngine({ log: () => {} })
  t.after(() => engine.close())
  const files = {
    'application/pdf': pdfFile(),
    'image/png': pngFile,
    'image/jpeg': jpegFile,
    'image/tiff': tiffFile,
  } as const
  for (const [type, bytes] of Object.entries(files)) {
    const file = { bytes, types: Object.keys(files) as (keyof typeof files)[], profile: cardRules }
    const reports = await Array.fromAsync(engine.inspect(file))
    const [first, ...others] = reports
    assert.ok(first?.kind === 'findings' && first.readable, type)
    assert.equal(first.mediaType, type)
    assert.notDeepEqual(first.findings, [])
    assert.deepEqual(
      others.flatMap((report) => (report.kind === 'picture' ? [report.of] : [])),
      ['small', 'medium', 'large', 'guides', 'finished'],
      type,
    )
    assert.deepEqual(await Array.fromAsync(engine.inspect(file)), reports, type)
  }
})
