import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { masterKeys } from './master-keys.ts'

async function freshFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'partner-commerce-master-keys-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}

test('the key file is there whole or not at all, whoever makes it first', async (t) => {
  for (let turn = 0; turn < 20; turn++) {
    const folder = await freshFolder(t)
    const file = join(folder, 'secret.key')
    let isOver = false
    const making = Promise.all([1, 2, 3].map(() => masterKeys(undefined, folder))).finally(() => (isOver = true))
    const seen = new Set<string>()
    while (!isOver) {
      // What a process would find whose machine loses its power now.
      if (existsSync(file)) seen.add(readFileSync(file, 'utf8'))
      await nextTurn()
    }
    const made = await making
    for (const keys of made) assert.deepEqual(keys, made[0])
    const text = `${made[0]![0].toString('hex')}\n`
    assert.equal(readFileSync(file, 'utf8'), text)
    assert.ok([...seen].every((each) => each === text))
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(folder), ['secret.key'])
  }
})

test('a key file that is damaged is refused and stays as it is, since it may have been the only copy', async (t) => {
  const folder = await freshFolder(t)
  for (const text of ['', 'abc\n', `${'ab'.repeat(31)}\n`]) {
    await writeFile(join(folder, 'secret.key'), text)
    await assert.rejects(masterKeys(undefined, folder), /^SettingRefused: The key file .* is damaged/)
    assert.equal(await readFile(join(folder, 'secret.key'), 'utf8'), text)
  }
})
