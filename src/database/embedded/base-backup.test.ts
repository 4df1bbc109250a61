import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { copyBack } from './base-backup.ts'

/** A copied cluster of many files, of which the first is another than was listed. */
async function damagedCopy(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'partner-commerce-copy-'))
  t.after(() => rm(folder, { recursive: true }))
  const from = join(folder, 'from')
  await mkdir(from)
  const text = Buffer.alloc(10_000, 'a page')
  const sha256 = createHash('sha256').update(text).digest('hex')
  const files = Array.from({ length: 400 }, (_, number) => ({ path: String(number), sizeBytes: text.length, sha256 }))
  for (const { path } of files) await writeFile(join(from, path), path === '0' ? 'damaged' : text)
  return { from, into: join(folder, 'into'), files }
}

test('a copy back that finds a damaged file copies nothing more once it is refused', async (t) => {
  const { from, into, files } = await damagedCopy(t)
  await assert.rejects(copyBack(from, into, files), {
    name: 'EmbeddedServerRefused',
    message: /from\/0 is not as it was/,
  })
  const copied = await readdir(into)
  await delay(200)
  assert.deepEqual(await readdir(into), copied)
  assert.ok(copied.length < files.length)
})

test('a copy back names a file that is gone from the backup', async (t) => {
  const { from, into, files } = await damagedCopy(t)
  await rm(join(from, '0'))
  await assert.rejects(copyBack(from, into, files), {
    message: /from\/0 is not as it was backed up: take an older backup/,
  })
})
