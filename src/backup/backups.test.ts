import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { removeOld } from './backups.ts'

test('the backup that was just taken is kept, although older ones have later names', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'partner-commerce-old-'))
  t.after(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'wal'))
  const names = [1, 2, 3, 4].map((day) => `2026-11-0${day}T00-00-00Z`)
  for (const name of names) {
    await mkdir(join(folder, 'base', name), { recursive: true })
    const stored = { PRODUCTION: [], SANDBOX: [] }
    const startedOn = name.replace(/-00-00Z/, ':00:00Z')
    await writeFile(
      join(folder, 'base', name, 'backup.json'),
      JSON.stringify({ name, startedOn, archiveId: '1', stored }),
    )
  }
  assert.deepEqual(await removeOld(folder, 4, names[1]!), [])
  assert.deepEqual(await removeOld(folder, 3, names[1]!), [names[0]])
  assert.deepEqual(await removeOld(folder, 1, names[1]!), [names[2], names[3]])
  assert.deepEqual(await readdir(join(folder, 'base')), [names[1]])
})
