import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { objectFile, openObjectFolder } from './object-folder.ts'

let parent: string
before(async () => {
  parent = await fs.mkdtemp(path.join(os.tmpdir(), 'object-folder-'))
})
after(() => fs.rm(parent, { recursive: true }))

test('opening removes partial uploads of processes that died, and spares those of living ones and all objects', async () => {
  const folder = path.join(parent, 'swept')
  const first = await openObjectFolder(folder)
  const stored = await first.receive('kept', [Buffer.from('whole')])
  const incoming = path.join(folder, 'incoming')
  const dead = await promisify(execFile)(process.execPath, ['-p', 'process.pid'])
  const leftovers = [`${dead.stdout.trim()}-half`, `${process.pid}-half`, 'stray', `${process.ppid}-neighbour`]
  for (const name of leftovers) await fs.writeFile(path.join(incoming, name), 'half')

  const second = await openObjectFolder(folder)
  assert.deepEqual(await fs.readdir(incoming), [`${process.ppid}-neighbour`])
  assert.deepEqual(await second.head('kept'), stored)
})

test('a folder that cannot be used is refused in one sentence that names it', async () => {
  const folder = path.join(parent, 'a-file')
  await fs.writeFile(folder, '')
  await assert.rejects(openObjectFolder(folder), {
    message: `The object store cannot use the folder ${folder}: it must be writable and allow hard links.`,
  })
})

test('a name is on disk before it is acknowledged, whoever made it, and so are the folders above it', async (t) => {
  const synced = new Set<string>()
  const { open } = fs
  t.mock.method(fs, 'open', async (...opened: Parameters<typeof open>) => {
    const file = await open(...opened)
    const { sync } = file
    file.sync = () => (synced.add(String(opened[0])), sync.call(file))
    return file
  })
  const data = path.join(parent, 'data')
  const folder = path.join(data, 'objects', 'production')
  const store = await openObjectFolder(folder)
  for (const above of [data, path.dirname(folder), folder, path.join(folder, 'objects')])
    assert.ok(synced.has(above), above)
  await store.receive('from', [Buffer.from('bytes')])
  for (const isNew of [true, false]) {
    synced.clear()
    assert.deepEqual(await store.settle('from', 'to'), { isNew })
    assert.deepEqual([...synced], [path.join(folder, 'objects', path.dirname(objectFile('to')))])
  }
})

test('an object opened before a new PUT to its key is read as it was', async () => {
  const folder = await openObjectFolder(path.join(parent, 'replaced'))
  await folder.receive('key', [Buffer.from('old')])
  const old = await folder.open('key')
  await folder.receive('key', [Buffer.from('newer')])
  assert.ok(old)
  assert.equal((await buffer(await old.stream(0, old.sizeBytes - 1))).toString(), 'old')
  assert.equal((await folder.head('key'))?.sizeBytes, 5)
})

test('a file shortened or lengthened on disk is reported as damaged and never served', async () => {
  const root = path.join(parent, 'damaged')
  const folder = await openObjectFolder(root)
  for (const [key, change] of [
    ['cut', (file: string) => fs.truncate(file, 20)],
    ['lengthened', (file: string) => fs.appendFile(file, 'x')],
    ['inflated', async (file: string) => fs.writeFile(file, `more${await fs.readFile(file, 'latin1')}`)],
  ] as const) {
    await folder.receive(key, [Buffer.from('some bytes')])
    const [file] = (await fs.readdir(root, { recursive: true })).filter((name) => /^objects\/\w\w\/\w+$/.test(name))
    assert.ok(file)
    await change(path.join(root, file))
    await assert.rejects(folder.head(key), /damaged/)
    await folder.remove(key)
  }
})

test('only the owner can read an object', async () => {
  const root = path.join(parent, 'private')
  const folder = await openObjectFolder(root)
  await folder.receive('key', [Buffer.from('x')])
  for (const name of await fs.readdir(root, { recursive: true })) {
    assert.equal((await fs.stat(path.join(root, name))).mode & 0o077, 0, name)
  }
})
