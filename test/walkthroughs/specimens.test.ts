import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { inspectPdf } from '../../src/artwork/pdf/inspect-pdf.ts'
import { artworkProfiles } from '../../src/demo/artwork-profiles.ts'

test('npm run specimens writes a card that fits and one with a fault, and names those that there are', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'specimens-'))
  const run = (...names: string[]) =>
    promisify(execFile)(process.execPath, ['bin/specimens.ts', ...names], { env: { DATA_DIR: folder } })
  try {
    const { stdout } = await run('card', 'card-no-bleed')
    const paths = stdout.trim().split('\n')
    const errors = await Promise.all(
      paths.map(async (path) => inspectPdf(await readFile(path), artworkProfiles.card).findings),
    ).then((files) => files.map((findings) => findings.filter(({ severity }) => severity === 'error')))
    assert.deepEqual(
      errors.map((findings) => findings.map(({ code }) => code)),
      [[], ['bleed_missing', 'bleed_missing']],
    )
    await assert.rejects(run('mugs'), /There is no mugs\. There are card, .* mug, .*card-hairline/)
  } finally {
    await rm(folder, { recursive: true })
  }
})
