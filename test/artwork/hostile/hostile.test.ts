import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createArtworkEngine } from '../../../src/artwork/engine.ts'
import type { EngineReport } from '../../../src/artwork/reports.ts'
import { artworkTypes } from '../../../src/vocabulary/product-kinds.ts'
import { printFiles } from '../../world/artwork.ts'
import { cardRules } from '../profiles.ts'
import { descendants } from '../descendants.ts'
import { PdfMaker } from '../pdf-maker.ts'
import { fuzzedFiles } from './fuzzed-files.ts'
import type { HostileFile } from './hostile-file.ts'
import { hostilePdfs } from './pdf-files.ts'
import { hostilePictures } from './picture-files.ts'
import { hostileSvgs } from './svg-files.ts'

/** Files in all; the harmed ones fill up what the crafted ones leave. */
const count = Number(process.env['ARTWORK_HOSTILE'] ?? 100)

const atOnce = 2
const batchFiles = 25

const card = new PdfMaker()
card.page({ trim: [9, 9, 261, 153], content: '0 0 0 1 k 100 50 50 20 re f' })
const goodCard = card.bytes()

const crafted = [...hostilePdfs, ...hostilePictures, ...hostileSvgs]
const fuzzed = fuzzedFiles(
  [...printFiles, ['card', goodCard], ['card with object streams', card.bytes({ layout: 'object streams' })]],
  Math.max(0, count - crafted.length),
)

test(`${count} hostile files end in findings, and a good card after them is as good as before`, async (t) => {
  // Bombs are stopped early: that they end in findings does not depend on when.
  const engine = createArtworkEngine({ log: () => {}, limits: { readSeconds: 3, drawSeconds: 3 }, places: atOnce })
  t.after(() => engine.close())
  const inspect = (bytes: Buffer): Promise<EngineReport[]> =>
    Array.fromAsync(engine.inspect({ bytes, types: artworkTypes, profile: cardRules }))

  const answer = await inspect(goodCard)
  assert.ok(answer[0]?.kind === 'findings' && answer[0].findings.every(({ severity }) => severity === 'info'))
  assert.ok(answer.some(({ kind }) => kind === 'picture'))

  const queue = [...crafted, ...fuzzed].slice(0, count)
  const filesInAll = queue.length
  const memory = [usedBytes()]
  while (queue.length > 0) {
    const batch = queue.splice(0, batchFiles)
    await Promise.all(Array.from({ length: atOnce }, () => inspectAll(batch)))
    assert.deepEqual(await inspect(goodCard), answer)
    memory.push(usedBytes())
  }
  const megabytes = memory.map((bytes) => Math.round(bytes / 1e6))
  t.diagnostic(`${filesInAll} files; memory before and after each batch: ${megabytes.join(' ')} MB`)
  assert.ok(memory.at(-1)! < memory[0]! + 20e6, 'memory grew')

  await engine.close()
  assert.deepEqual(descendants(), [])

  async function inspectAll(batch: HostileFile[]): Promise<void> {
    for (let file = batch.pop(); file; file = batch.pop()) {
      const [first] = await inspect(file.make())
      assert.ok(first?.kind === 'findings' && (first.readable || first.findings.length > 0), file.name)
    }
  }
})

/** What this process uses once nothing is left to collect. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
