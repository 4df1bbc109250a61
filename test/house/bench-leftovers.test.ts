import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test, type TestContext } from 'node:test'

/** A part of the bench that starts PostgreSQL, in the folder that it is given, and does not end. */
const part = `import { tmpdir } from 'node:os'
  import { join } from 'node:path'
  import { startEmbeddedServer } from ${JSON.stringify(new URL('../../src/database/embedded/server.ts', import.meta.url).href)}
  import { postmasterOf } from ${JSON.stringify(new URL('../../bench/process.ts', import.meta.url).href)}
  await startEmbeddedServer({ folder: join(tmpdir(), 'postgres'), log: () => undefined })
  console.log(JSON.stringify({ folder: tmpdir(), postmaster: postmasterOf(tmpdir()) }))
  setInterval(() => {}, 1_000)`
const program = `import { runInOwnFolder } from ${JSON.stringify(new URL('../../bench/own-folder.ts', import.meta.url).href)}
  console.log(JSON.stringify(await runInOwnFolder(['part.mjs'])))`

/** One that has ended, and for which nobody waited yet, has no working folder. */
const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}/cwd`)

async function stopped(t: TestContext, stop: (pid: number) => void) {
  const folder = await mkdtemp(join(tmpdir(), 'bench-leftovers-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'part.mjs'), part)
  await writeFile(join(folder, 'program.mjs'), program)
  // The process group of its own is that of a terminal, which sends Ctrl-C to all of it.
  const child = spawn(process.execPath, ['program.mjs'], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const next = async () => JSON.parse((await lines.next()).value as string)
  const started = (await next()) as { folder: string; postmaster: number }
  assert.ok(isAlive(started.postmaster))
  stop(child.pid!)
  const ended = (await next()) as { signal?: string }
  await once(child, 'close')
  return { started, ended }
}

for (const [title, signal, stop] of [
  ['Ctrl-C in a bench leaves neither PostgreSQL nor a file', 'SIGINT', (pid: number) => process.kill(-pid, 'SIGINT')],
  ['a bench that is asked to stop leaves neither PostgreSQL nor a file', 'SIGTERM', (pid: number) => process.kill(pid)],
] as const) {
  test(title, async (t) => {
    const { started, ended } = await stopped(t, stop)
    assert.equal(ended.signal, signal)
    assert.ok(!isAlive(started.postmaster))
    assert.ok(!existsSync(started.folder))
  })
}
