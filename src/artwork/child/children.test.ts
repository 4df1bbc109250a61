import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardRules } from '../../../test/artwork/profiles.ts'
import { printFiles } from '../../../test/world/artwork.ts'
import { artworkTypesByDefault } from '../../vocabulary/product-kinds.ts'
import { createArtworkEngine } from '../engine.ts'

test('the children of the engine inspect and draw a file of each type, and answer the same again', async (t) => {
  const engine = createArtworkEngine({ log: () => {} })
  t.after(() => engine.close())
  for (const [type, bytes] of printFiles) {
    const file = { bytes, types: artworkTypesByDefault, profile: cardRules }
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
