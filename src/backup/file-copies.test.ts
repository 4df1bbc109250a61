import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { objectFile, openObjectFolder } from '../outside/object-store/object-folder.ts'
import { copyNewFiles } from './file-copies.ts'

const entry = (subject: string, erasedOn: string) =>
  Buffer.from(JSON.stringify({ ledgerNumber: 1, kind: 'CUSTOMER', subject, erasedOn }))

test('an entry of the ledger of erasures is never copied over another erasure, and all else is copied', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'partner-commerce-copies-'))
  t.after(() => rm(folder, { recursive: true }))
  const copies = join(folder, 'copies')
  const placesOf = (name: string) => ({ stored: join(folder, name, 'objects'), copies })
  const copied = (key: string) => readFile(join(copies, objectFile(key)), 'utf8')
  const [first, second] = [await openObjectFolder(join(folder, '1')), await openObjectFolder(join(folder, '2'))]
  await first.receive('erasures/1.json', [entry('17', '2026-11-24')])
  await copyNewFiles(placesOf('1'))
  // The same person, erased again before the erasure was finished.
  await first.receive('erasures/1.json', [entry('17', '2026-11-24T10:00:00Z')])
  assert.equal((await copyNewFiles(placesOf('1'))).copied, 1)

  await second.receive('erasures/1.json', [entry('18', '2026-11-25')])
  await second.receive('print-files/1', [Buffer.from('of the second')])
  const seen = new Map<string, number>()
  for (let round = 1; round <= 2; round++) {
    await assert.rejects(copyNewFiles(placesOf('2'), seen), {
      name: 'SettingRefused',
      message: /holds another erasure .* Give this one a BACKUP_DIR of its own\.$/,
    })
  }
  assert.match(await copied('erasures/1.json'), /"17","erasedOn":"2026-11-24T10/)
  assert.match(await copied('print-files/1'), /^of the second/)
})
