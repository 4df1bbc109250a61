import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import {
  freshDataDir,
  launchService,
  postgresProcesses,
  startServiceProcess,
  type Ended,
} from '../world/service-process.ts'
import { freshDatabase, testServiceRole } from '../world/database.ts'
import { testMasterKey } from '../world/master-key.ts'
import { partner, send } from '../world/partner.ts'

/** How the process starts, refuses to start, and stops. */
let dataDir: string
let remove: () => Promise<void>

before(async () => {
  ;({ dataDir, remove } = await freshDataDir())
})
after(() => remove())

/** Expects a failed start: exit code 1, one sentence on standard error, and nothing left running. */
async function refusedStart(variables: Record<string, string>): Promise<string> {
  return (await failedStart(variables)).sentence
}

async function failedStart(variables: Record<string, string>): Promise<{ sentence: string; logged: string }> {
  const ended: Ended = await launchService(dataDir, variables).ended
  assert.deepEqual([ended.code, ended.signal], [1, null], ended.stderr)
  assert.match(ended.stdout, /^((starts|brings|opens) .*\n)*$/, 'only the steps of the start')
  const lines = ended.stderr.trimEnd().split('\n')
  const sentence = lines.pop()!
  assert.match(sentence, /^[A-Z].*\.$/)
  assert.ok(
    lines.every((line) => line.startsWith('{') || line.startsWith('BENCH_LIMITS=off')),
    ended.stderr,
  )
  assert.ok(!ended.stderr.includes('    at '), ended.stderr)
  return { sentence, logged: lines.join('\n') }
}

/** Speaks just enough of PostgreSQL's protocol to be asked for its version, and answers 14. */
async function oldPostgres(): Promise<Server> {
  const message = (type: string, body: Buffer): Buffer => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(body.length + 4)
    return Buffer.concat([Buffer.from(type), length, body])
  }
  const ready = message('Z', Buffer.from('I'))
  const welcome = Buffer.concat([message('R', Buffer.alloc(4)), ready])
  const columnType = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 25, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0])
  const version = Buffer.concat([
    message('T', Buffer.concat([Buffer.from([0, 1]), Buffer.from('server_version_num\0'), columnType])),
    message('D', Buffer.concat([Buffer.from([0, 1, 0, 0, 0, 6]), Buffer.from('140012')])),
    message('C', Buffer.from('SHOW\0')),
    ready,
  ])
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(welcome)
      socket.on('data', (asked) => (String(asked).startsWith('Q') ? socket.write(version) : socket.end()))
    })
    socket.on('error', () => socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

test('an invalid setting stops the start with one sentence naming its variable', async (t) => {
  const file = join(dataDir, 'file')
  await writeFile(file, '')
  // Accepts connections and never answers.
  const silent = createServer().listen(0, '127.0.0.1')
  t.after(() => silent.close())
  await once(silent, 'listening')
  const mute = `postgres://app:hidden@127.0.0.1:${(silent.address() as { port: number }).port}`
  const nowhere = 'postgres://app:hidden@127.0.0.1:1'
  const wrong: [named: string, variables: Record<string, string>][] = [
    ['PORT', { PORT: 'http' }],
    ['BENCH_LIMITS', { BENCH_LIMITS: 'off', DEMO: 'off' }],
    ['DATABASE_URL', { DATABASE_URL: `${nowhere}/one`, SANDBOX_DATABASE_URL: `${nowhere}/two` }],
    ['DATABASE_URL', { DATABASE_URL: `${mute}/one`, SANDBOX_DATABASE_URL: `${mute}/two` }],
    ['DATA_DIR', { DATA_DIR: file }],
    // Nobody can create anything in this folder, whichever user runs the service.
    ['DATA_DIR', { DATA_DIR: '/proc' }],
    ['DATA_DIR', { DATA_DIR: join(file, 'below') }],
  ]
  for (const [named, variables] of wrong) {
    const sentence = await refusedStart(variables)
    assert.ok(sentence.includes(named), `${named}: ${sentence}`)
    assert.ok(!sentence.includes('hidden'), sentence)
  }
})

test('the ready line lists every host, a taken port and a second service on the folder are refused, and SIGTERM ends everything', async () => {
  const service = await startServiceProcess(dataDir)
  const { hosts } = service
  assert.deepEqual(Object.keys(hosts), [
    'baseUrl',
    'mtlsBaseUrl',
    'sandboxBaseUrl',
    'developerUrl',
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

  const second = await failedStart({ LOG_LEVEL: 'info' })
  assert.match(second.sentence, /Another service already runs on DATA_DIR/)
  assert.doesNotMatch(second.logged, /took over/, 'it took nothing over')
  assert.equal((await primary.get('/v1/orders')).status, 200, 'the first is unharmed')

  service.signal('SIGTERM')
  const { code, signal, stderr } = await service.ended
  assert.deepEqual([code, signal], [0, null], stderr)
  assert.deepEqual(await postgresProcesses(dataDir), [])
})

test('a taken port stops the start, and nothing is left running', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const { port } = holder.address() as { port: number }
  for (const [variable, address] of [
    ['PORT', 'HOST'],
    ['MTLS_PORT', 'HOST'],
    ['CONSOLE_PORT', 'CONSOLE_HOST'],
    ['OPS_PORT', 'OPS_HOST'],
  ]) {
    const sentence = await refusedStart({ [variable!]: `${port}` })
    assert.ok(sentence.startsWith(`${variable} ${port} on ${address} 127.0.0.1 cannot be listened on: `), sentence)
    assert.deepEqual(await postgresProcesses(dataDir), [])
  }
  holder.close()
})

test('a server without a free connection stops the start with a sentence about it', async () => {
  const databases = await Promise.all([freshDatabase('template_production'), freshDatabase('template_sandbox')])
  const owner = new pg.Client(process.env.TEST_SERVER_URL)
  await owner.connect()
  try {
    await owner.query(`create role crowded login password 'crowded' connection limit 5 in role ${testServiceRole.role}`)
    const [production, sandbox] = databases.map(({ url }) => {
      const crowded = new URL(url)
      crowded.username = crowded.password = 'crowded'
      return crowded.href
    }) as [string, string]
    const sentence = await refusedStart({
      DATABASE_URL: production,
      SANDBOX_DATABASE_URL: sandbox,
      MIGRATION_DATABASE_URL: databases[0].url,
      SANDBOX_MIGRATION_DATABASE_URL: databases[1].url,
      SECRET_KEY: testMasterKey.toString('hex'),
      LOG_LEVEL: 'fatal',
    })
    assert.equal(sentence, 'The service cannot start: the database: too many connections for role "crowded" (53300).')
  } finally {
    await Promise.all(databases.map(({ drop }) => drop()))
    await owner.query('drop role if exists crowded')
    await owner.end()
  }
})

test('a worker tells only the address of operations, on which alone it listens', async () => {
  const worker = await startServiceProcess(dataDir, { ROLE: 'worker', LOG_LEVEL: 'info' })
  assert.deepEqual(Object.keys(worker.hosts), ['opsUrl'])
  assert.equal((await fetch(`${worker.hosts.opsUrl}/readyz`)).status, 200)
  assert.deepEqual(worker.stdout().match(/http:\S+/g), [worker.hosts.opsUrl, `${worker.hosts.opsUrl}"}`])
  assert.match(worker.stdout(), /opens the addresses: 1 of them/)
  const logged = worker
    .stderr()
    .split('\n')
    .find((line) => line.includes('"serving"'))
  const { role, opsUrl, baseUrl } = JSON.parse(logged!) as Record<string, string>
  assert.deepEqual([role, opsUrl, baseUrl], ['worker', worker.hosts.opsUrl, undefined])
  worker.signal('SIGTERM')
  assert.equal((await worker.ended).code, 0)
})

test('a signal during the start ends the service and its database cleanly', async () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const launched = launchService(dataDir)
    while ((await postgresProcesses(dataDir)).length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    launched.signal(signal)
    const ended = await launched.ended
    assert.deepEqual([ended.code, ended.signal], [0, null], ended.stderr)
    assert.deepEqual(await postgresProcesses(dataDir), [])
  }
})

test('a PostgreSQL older than 15 is refused before anything is written to it', async (t) => {
  const server = await oldPostgres()
  t.after(() => server.close())
  const address = `postgres://127.0.0.1:${(server.address() as { port: number }).port}`
  const sentence = await refusedStart({ DATABASE_URL: `${address}/one`, SANDBOX_DATABASE_URL: `${address}/two` })
  assert.match(sentence, /DATABASE_URL cannot be used: it is older than PostgreSQL 15\.$/)
})

test('a database created by another version of the program is refused, and the message says what to do', async () => {
  const [one, two] = [await freshDatabase(), await freshDatabase()]
  const client = new pg.Client({ connectionString: two.url })
  await client.connect()
  await client.query(`update migration set name = '0003-catalog.sql' where name like '0003-%'`)
  await client.end()
  const sentence = await refusedStart({ DATABASE_URL: one.url, SANDBOX_DATABASE_URL: two.url })
  assert.equal(
    sentence,
    'The database of SANDBOX_DATABASE_URL cannot be used: another version of this program made it (it has migration ' +
      '0003-catalog.sql); run that version, or start with an empty one.',
  )
  await Promise.all([one.drop(), two.drop()])
})

test('one database for both environments is refused, however its URL is written, and so is the other environment’s database', async () => {
  const [{ url: one, drop: dropOne }, { url: two, drop: dropTwo }] = [await freshDatabase(), await freshDatabase()]
  const given = { DEMO: 'off', SECRET_KEY: 'cd'.repeat(32) }
  const twice = await refusedStart({ ...given, DATABASE_URL: one, SANDBOX_DATABASE_URL: `${one}?keepalives=1` })
  assert.match(twice, /^DATABASE_URL and SANDBOX_DATABASE_URL must name two databases/)
  // The first database has belonged to production since that attempt.
  const swapped = await refusedStart({ ...given, DATABASE_URL: two, SANDBOX_DATABASE_URL: one })
  assert.equal(swapped, twice)
  await Promise.all([dropOne(), dropTwo()])
})

test('an existing data folder opens only with its own key', async () => {
  const sentence = await refusedStart({ SECRET_KEY: 'ab'.repeat(32) })
  assert.match(sentence, /SECRET_KEY/)
})
