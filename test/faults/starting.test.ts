import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import {
  freshDataDir,
  launchService,
  postgresProcesses,
  startServiceProcess,
  type Ended,
} from '../world/service-process.ts'
import { partner, send } from '../world/partner.ts'

/** How the process starts, refuses to start, and stops. */
let dataDir: string
let remove: () => Promise<void>

before(async () => {
  ;({ dataDir, remove } = await freshDataDir())
})
after(() => remove())

/** Starts in vain: ends with code 1 and one sentence on standard error, and leaves nothing running. */
async function refusedStart(variables: Record<string, string>): Promise<string> {
  const ended: Ended = await launchService(dataDir, variables).ended
  assert.deepEqual([ended.code, ended.signal], [1, null], ended.stderr)
  assert.equal(ended.stdout, '')
  const lines = ended.stderr.trimEnd().split('\n')
  const sentence = lines.pop()!
  assert.match(sentence, /^[A-Z].*\.$/)
  assert.ok(
    lines.every((line) => line.startsWith('{') || line.startsWith('BENCH_LIMITS=off')),
    ended.stderr,
  )
  assert.ok(!ended.stderr.includes('    at '), ended.stderr)
  return sentence
}

test('a setting that cannot be used stops the start with one sentence naming its variable', async () => {
  const file = join(dataDir, 'file')
  await writeFile(file, '')
  const nowhere = 'postgres://app:hidden@127.0.0.1:1'
  const wrong: [named: string, variables: Record<string, string>][] = [
    ['PORT', { PORT: 'http' }],
    ['BENCH_LIMITS', { BENCH_LIMITS: 'off', DEMO: 'off' }],
    ['DATABASE_URL', { DATABASE_URL: `${nowhere}/one`, SANDBOX_DATABASE_URL: `${nowhere}/two` }],
    ['DATA_DIR', { DATA_DIR: file }],
    ['DATA_DIR', { DATA_DIR: join(file, 'below') }],
  ]
  for (const [named, variables] of wrong) {
    const sentence = await refusedStart(variables)
    assert.ok(sentence.includes(named), `${named}: ${sentence}`)
    assert.ok(!sentence.includes('hidden'), sentence)
  }
})

test('the ready line tells every host, a port that is taken and a second service on the folder are refused, and SIGTERM ends it all', async () => {
  const service = await startServiceProcess(dataDir)
  const { hosts } = service
  assert.deepEqual(Object.keys(hosts), [
    'baseUrl',
    'mtlsBaseUrl',
    'sandboxBaseUrl',
    'consoleUrl',
    'storageUrl',
    'opsUrl',
  ])
  assert.equal((await send(hosts.baseUrl, 'GET', '/v1/ping')).status, 200)
  assert.equal((await send(hosts.sandboxBaseUrl, 'GET', '/v1/ping')).status, 200)
  assert.equal((await fetch(`${hosts.opsUrl}/readyz`)).status, 200)
  assert.equal(service.stdout().trimEnd().split('\n').at(-1), JSON.stringify({ ready: true, ...hosts }))
  assert.deepEqual(service.manifest.hosts, hosts)
  const primary = await partner(service, 'primary')
  assert.equal((await primary.get('/v1/me')).status, 200)

  const second = await refusedStart({})
  assert.match(second, /Another service already runs on DATA_DIR/)
  assert.equal((await primary.get('/v1/orders')).status, 200, 'the first is unharmed')

  service.signal('SIGTERM')
  const { code, signal, stderr } = await service.ended
  assert.deepEqual([code, signal], [0, null], stderr)
  assert.deepEqual(await postgresProcesses(dataDir), [])
})

test('a port that is taken stops the start, and nothing is left running', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const { port } = holder.address() as { port: number }
  for (const variable of ['PORT', 'MTLS_PORT']) {
    const sentence = await refusedStart({ [variable]: `${port}` })
    assert.ok(sentence.startsWith(`${variable} ${port} `), sentence)
    assert.deepEqual(await postgresProcesses(dataDir), [])
  }
  holder.close()
})

test('a signal during the start ends it cleanly, the database with it', async () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const launched = launchService(dataDir)
    while ((await postgresProcesses(dataDir)).length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    launched.signal(signal)
    const ended = await launched.ended
    assert.deepEqual([ended.code, ended.signal], [0, null], ended.stderr)
    assert.deepEqual(await postgresProcesses(dataDir), [])
  }
})

test('a data folder kept from before opens with its own key only', async () => {
  const sentence = await refusedStart({ SECRET_KEY: 'ab'.repeat(32) })
  assert.match(sentence, /SECRET_KEY/)
})
