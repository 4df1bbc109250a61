import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { descendants } from '../../../test/artwork/descendants.ts'
import { noRules } from '../../../test/artwork/profiles.ts'
import type { Targets } from '../../../test/artwork/stand-ins/attempts.ts'
import { pdfThatAsks } from '../../../test/artwork/stand-ins/deed.ts'
import { standIns } from '../../../test/artwork/stand-ins/programs.ts'
import { until } from '../../../test/world/webhooks.ts'
import { createArtworkEngine } from '../engine.ts'
import { type Isolation, isolations, type Layer } from './isolation.ts'
import { filesOf } from './program.ts'

const standInsFolder = fileURLToPath(new URL('../../../test/artwork/stand-ins/', import.meta.url))

/** bubblewrap sets PWD, the limits say how memory is kept. */
const onlyItsFolder = /^(?:MALLOC_ARENA_MAX|PWD)?(?:,(?:MALLOC_ARENA_MAX|PWD))?$/

/** Files of this machine, of which the first belongs to the service, and a listener. */
async function targetsFor(t: TestContext): Promise<Targets> {
  const folder = await mkdtemp(join(tmpdir(), 'partner-commerce-artwork-'))
  const data = join(folder, 'secret')
  await writeFile(data, 'a secret', { mode: 0o600 })
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  t.after(async () => {
    listener.close()
    await rm(folder, { recursive: true })
  })
  return { files: [data, '/etc/passwd'], port: (listener.address() as AddressInfo).port, service: process.pid }
}

for (const who of ['reader', 'renderer'] as const) {
  test(`the ${who} reads no file, writes none, starts nothing, connects nowhere and has no environment`, async (t) => {
    process.env['ARTWORK_TEST_SECRET'] = 'a secret'
    const engine = createArtworkEngine({ log: () => {}, programs: standIns })
    t.after(() => engine.close())
    const { files, ...targets } = await targetsFor(t)
    const deed = { do: 'break out', files, ...targets } as const
    const bytes = pdfThatAsks(who === 'reader' ? { reader: deed } : { renderer: deed })
    const inspection = engine.inspect({ bytes, types: ['application/pdf'], profile: noRules })
    const reports = await Array.fromAsync(inspection, (report) => (report.kind === 'picture' ? [] : report.findings))
    const { environment, signal, ...attempts } = JSON.parse(reports.flat().at(-1)!.message) as Record<string, string>
    assert.match(environment!, onlyItsFolder)
    assert.deepEqual(
      attempts,
      Object.fromEntries(
        [...files.flatMap((file) => [`read ${file}`, `write beside ${file}`]), 'spawn', 'worker', 'connect'].map(
          (attempt) => [attempt, 'ERR_ACCESS_DENIED'],
        ),
      ),
    )
    // Node lets every program send signals; the system does not, where it gives the child a user or processes of its own.
    if ((await layersHere()).some((layer) => layer === 'own user' || layer === 'own processes only')) {
      assert.match(signal!, /EPERM|ESRCH/)
    }
  })
}

for (const isolation of isolations()) {
  test(`machine code does not get through ${isolation.layers.join(', ')}`, async (t) => {
    const targets = await targetsFor(t)
    const came = await attemptsIn(isolation, targets)
    if (!came) return void t.skip('this machine does not allow it')
    const [data, passwords] = targets.files as [string, string]
    const has = (layer: Layer): boolean => isolation.layers.includes(layer)
    assert.match(came['environment']!, onlyItsFolder)
    assert.equal(came['spawn'], has('own files only') ? 'ENOENT' : 'done')
    // Writing fails in every layer: a file may have no bytes.
    assert.match(came[`write beside ${data}`]!, /EFBIG|EACCES|ENOENT|EROFS/)
    if (has('own user')) assert.match(came[`read ${data}`]!, /EACCES|ENOENT/)
    if (has('own files only')) assert.deepEqual([came[`read ${data}`], came[`read ${passwords}`]], ['ENOENT', 'ENOENT'])
    if (has('no network')) assert.match(came['connect']!, /ENETUNREACH|ECONNREFUSED/)
    else assert.equal(came['connect'], 'done')
    if (has('own user') || has('own processes only')) assert.match(came['signal']!, /EPERM|ESRCH/)
    else assert.equal(came['signal'], 'done')
  })
}

test('children end when the service is killed, also one that computes without end', { skip: !onLinux() }, async (t) => {
  const service = spawn(process.execPath, [join(standInsFolder, 'service.ts'), 'loop'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => service.kill('SIGKILL'))
  await once(service.stdout, 'data')
  await until(async () => descendants(service.pid).length >= 2)
  const children = descendants(service.pid)
  service.kill('SIGKILL')
  await until(async () => !children.some(isAlive))
})

test('a spare does not keep the service up, and ends with it', { skip: !onLinux() }, async (t) => {
  const service = spawn(process.execPath, [join(standInsFolder, 'service.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => service.kill('SIGKILL'))
  const ended = once(service, 'exit')
  await once(service.stdout, 'data')
  const children = descendants(service.pid)
  assert.deepEqual(await ended, [0, null])
  await until(async () => !children.some(isAlive))
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function onLinux(): boolean {
  return process.platform === 'linux'
}

/** The layers in which the engine starts its children here. */
async function layersHere(): Promise<readonly Layer[]> {
  for (const isolation of isolations()) {
    if (await attemptsIn(isolation, { files: [], port: 1, service: process.pid })) return isolation.layers
  }
  return []
}

/** Undefined where this isolation cannot be had. */
async function attemptsIn(isolation: Isolation, targets: Targets): Promise<Record<string, string> | undefined> {
  const entry = join(standInsFolder, 'attempting.ts')
  const files = filesOf({ entry, addons: false, heapMegabytes: 64 })
  const [file, ...parameters] = isolation.around([process.execPath, entry, JSON.stringify(targets)], files)
  const child = spawn(file!, parameters, { env: {}, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
  child.stderr.resume()
  const said = await text(child.stdout)
  return said === '' ? undefined : (JSON.parse(said) as Record<string, string>)
}
