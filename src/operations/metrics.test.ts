import assert from 'node:assert/strict'
import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { startMailServer } from '../../test/world/mail-server.ts'
import { newBrowser, signInOf } from '../../test/world/sign-in.ts'
import { partner, send } from '../../test/world/partner.ts'
import { givenRedis } from '../../test/world/services.ts'
import { sql } from '../database/sql.ts'
import { startTestService, testService, type TestService } from '../../test/world/service.ts'
import { until } from '../../test/world/webhooks.ts'

const service = await testService({ limits: 'on' })

type Sample = { name: string; labels: Record<string, string>; value: number }

async function read({ hosts }: TestService): Promise<{ text: string; samples: Sample[] }> {
  const text = await (await fetch(`${hosts.opsUrl}/metrics`)).text()
  const samples = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, labels = '', value] = /^([a-z_A-Z0-9:]+)(?:\{(.*)\})? (\S+)$/.exec(line)!
      const pairs = [...labels.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g)].map(([, key, said]) => [key!, said!])
      return { name: name!, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }
    })
  return { text, samples }
}

async function valueOf(given: TestService, name: string, labels: Record<string, string>): Promise<number | undefined> {
  const { samples } = await read(given)
  return samples.find(
    (each) => each.name === name && Object.entries(labels).every(([key, value]) => each.labels[key] === value),
  )?.value
}

/** A person asks for a mail with a link, because the password is forgotten. */
async function askForLink({ hosts: { baseUrl } }: TestService, username: string): Promise<void> {
  await newBrowser(baseUrl).open(`${baseUrl}/oauth2/forgotten-password`, { form: { username } })
}

const ours = 'partner_commerce_'

test('every metric of the service has the prefix, a base unit or a plain number, and labels without spaces', async () => {
  // Routes whose names have spaces in the log.
  await send(service.hosts.baseUrl, 'GET', '/.well-known/oauth-protected-resource')
  const { text, samples } = await read(service)
  const counters = [...text.matchAll(/^# TYPE (\S+) counter$/gm)].map(([, name]) => name!)
  assert.ok(counters.filter((name) => name.startsWith(ours)).length >= 5)
  for (const name of counters) assert.match(name, /_total$/)
  for (const { name, labels } of samples) {
    if (!/^(?:process|nodejs)_/.test(name)) assert.ok(name.startsWith(ours), name)
    assert.doesNotMatch(name, /_(?:ms|milliseconds|kilobytes|minutes|days|percent)(?:_|$)/)
    if (name.startsWith(ours))
      for (const value of Object.values(labels)) assert.doesNotMatch(value, /\s/, `${name} ${value}`)
  }
  assert.ok(samples.some(({ labels }) => labels.operation === 'protected_resource_metadata'))
  assert.ok(samples.some(({ name }) => name === 'nodejs_eventloop_lag_p99_seconds'))
})

test('the build is told: the version of the program, its revision if known, and Node', async () => {
  const build = (await read(service)).samples.find(({ name }) => name === `${ours}build_info`)!
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  assert.deepEqual(build.labels, { version, revision: '', node: process.versions.node })
  const known = await startTestService({ variables: { REVISION: '0c5029e' } })
  try {
    assert.equal(await valueOf(known, `${ours}build_info`, { revision: '0c5029e' }), 1)
  } finally {
    await known.close()
  }
})

test('however many partners, people and paths there are, the labels have few values', async () => {
  const some = await partner(service, 'primary')
  await some.get('/v1/me')
  const before = new Set((await read(service)).samples.map(({ name, labels }) => JSON.stringify([name, labels])))
  for (const key of ['primary', 'neighbour', 'outsider', 'readonly', 'trial'] as const) {
    const each = await partner(service, key)
    await each.get('/v1/me')
    for (let turn = 0; turn < 5; turn++) {
      await each.get(`/v1/nothing-${key}-${turn}`)
      await send(service.hosts.baseUrl, 'GET', `/unknown/${turn}`, undefined, { 'user-agent': `agent-${turn}` })
    }
  }
  const { text, samples } = await read(service)
  const fresh = samples.filter(({ name, labels }) => !before.has(JSON.stringify([name, labels])))
  // One operation at most: `none`, with the statuses of refusals, its buckets, sum and count.
  assert.ok(fresh.length <= 20, JSON.stringify(fresh.map(({ name, labels }) => [name, labels])))
  assert.doesNotMatch(text, /nothing-|unknown|agent-/)
  const allowed = new Set(
    'host operation status le environment outcome limiter dependency queue worker pool state version revision node'.split(
      ' ',
    ),
  )
  for (const { name, labels } of samples.filter((each) => each.name.startsWith(ours)))
    for (const label of Object.keys(labels)) assert.ok(allowed.has(label), `${name} ${label}`)
  const secretsAndIds = Object.values(service.manifest.partners).flatMap(({ partnerId, clients = [] }) => [
    partnerId,
    ...clients.map(({ clientId }) => clientId),
  ])
  for (const id of secretsAndIds) assert.ok(!text.includes(id), id)
})

test('a refusal counts for the limiter that refused: bucket, edge, token endpoint, and attempts to sign in', async (t) => {
  const fresh = await startTestService({ limits: 'on' })
  t.after(fresh.close)
  const refusals = (limiter: string) =>
    valueOf(fresh, `${ours}limiter_refusals_total`, { environment: 'PRODUCTION', limiter })
  for (const limiter of ['token_bucket', 'daily_quota', 'edge_rate_rule', 'edge_managed_rules', 'sign_in_attempts'])
    assert.equal(await refusals(limiter), 0, limiter)

  assert.equal((await send(fresh.hosts.baseUrl, 'GET', '/v1/ping?q=%3Cscript%3E')).status, 403)
  assert.equal(await refusals('edge_managed_rules'), 1)

  const trial = await partner(fresh, 'trial')
  let refused = 0
  while (refused === 0) {
    const answers = await Promise.all(Array.from({ length: 40 }, () => trial.get('/v1/me')))
    refused += answers.filter(({ status }) => status === 429).length
  }
  assert.equal(await refusals('token_bucket'), refused)

  const form = () =>
    fetch(`${fresh.hosts.baseUrl}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'nobody', client_secret: 'no' }),
    })
  let tokensRefused = 0
  for (let turn = 0; turn < 25; turn++) if ((await form()).status === 429) tokensRefused += 1
  assert.ok(tokensRefused > 0)
  assert.equal(await refusals('token_endpoint'), tokensRefused)

  const { username } = fresh.manifest.staff
  const wrong = () =>
    fetch(`${fresh.hosts.consoleUrl}/staff/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password: 'wrong', transport: 'bearer' }),
    })
  let throttled = 0
  for (let turn = 0; turn < 40 && throttled === 0; turn++) if ((await wrong()).status === 429) throttled += 1
  assert.equal(throttled, 1)
  assert.equal(await refusals('staff_sign_in_attempts'), 1)

  let attempts = 0
  while ((await refusals('sign_in_attempts')) === 0 && attempts++ < 60) await askForLink(fresh, 'nobody')
  assert.ok((await refusals('sign_in_attempts'))! > 0)
})

test('the connections of each pool are told, and a worker that went round, and the end of the certificate', async () => {
  const { samples } = await read(service)
  const named = (name: string) => samples.filter((each) => each.name === ours + name)
  const pools = new Set(named('database_connections').map(({ labels }) => labels.pool))
  assert.ok(pools.size > 0)
  for (const environment of ['PRODUCTION', 'SANDBOX'])
    for (const pool of pools) {
      for (const state of ['in_use', 'idle'])
        assert.ok((await valueOf(service, `${ours}database_connections`, { environment, pool: pool!, state }))! >= 0)
      assert.ok((await valueOf(service, `${ours}database_connections_max`, { environment, pool: pool! }))! > 0)
      assert.equal(await valueOf(service, `${ours}database_connection_waiters`, { environment, pool: pool! }), 0)
    }
  const rounds = named('worker_last_round_timestamp_seconds')
  const workers = rounds.filter(({ labels }) => labels.environment === 'SANDBOX').map(({ labels }) => labels.worker)
  assert.deepEqual(workers.toSorted(), [
    'artwork_inspector',
    'audit_sealer',
    'credit_expirer',
    'eraser',
    'event_publisher',
    'mails',
    'partner_alerts',
    'proof_publisher',
    'retention',
    'simulator',
    'submissions',
    'webhook_courier',
  ])
  const before = rounds.find(({ labels }) => labels.worker === 'audit_sealer')!
  await until(async () => (await valueOf(service, before.name, before.labels))! > before.value)
  const [end] = named('mtls_certificate_not_after_timestamp_seconds')
  const days = (end!.value - Date.now() / 1000) / 86_400
  assert.ok(days > 396 && days < 398, String(days))
})

test('a worker, which has no certificate, and a process without backups tell nothing of them', async (t) => {
  const { production, sandbox } = service.databases
  const worker = await startTestService({ variables: { ROLE: 'worker' }, databases: { production, sandbox } })
  t.after(worker.close)
  for (const name of ['mtls_certificate_not_after_timestamp_seconds', 'backup_start_timestamp_seconds'])
    assert.equal(await valueOf(worker, ours + name, {}), undefined, name)
  assert.equal(await valueOf(service, `${ours}backup_start_timestamp_seconds`, {}), undefined)
})

test('a backup that is noted in the database is told, and a later one after it', async () => {
  const name = `${ours}backup_start_timestamp_seconds`
  const owner = new pg.Client({ connectionString: service.databases.production })
  await owner.connect()
  try {
    for (const seconds of [1_795_000_000, 1_795_086_400]) {
      await owner.query(
        `alter database ${owner.database} set partner_commerce.backup_start_timestamp_seconds = ${seconds}`,
      )
      assert.equal(await valueOf(service, name, {}), seconds)
    }
  } finally {
    await owner.end()
  }
})

test('a dependency is up after a use that went well, and down after one that did not', async (t) => {
  const mailServer = await startMailServer(t)
  const redis = await givenRedis()
  const using = await startTestService({
    limits: 'on',
    variables: {
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'orders@example.com',
      ...(redis.url && { REDIS_URL: redis.url }),
    },
  })
  t.after(using.close)
  const isUp = (dependency: string, environment = 'PRODUCTION') =>
    valueOf(using, `${ours}dependency_up`, { environment, dependency })
  assert.deepEqual([await isUp('database'), await isUp('database', 'SANDBOX')], [1, 1])
  if (redis.url) assert.equal(await isUp('redis'), 1)
  assert.equal(await isUp('mail_server'), undefined)
  await askForLink(using, signInOf(using, 'primary').username)
  await until(async () => (await isUp('mail_server')) === 1)
  await mailServer.close()
  await askForLink(using, signInOf(using, 'primary').username)
  await until(async () => (await isUp('mail_server')) === 0)

  const productId = using.manifest.fixtures.products.template
  const primary = await partner(using, 'primary')
  assert.equal((await primary.get(`/v1/products/${productId}/template`)).status, 200)
  assert.equal(await isUp('template_vendor'), 1)
})

test('an object store that is away is down though nobody uses it, and up once it is back', async (t) => {
  const given = await startTestService()
  t.after(given.close)
  const isUp = (environment: string) =>
    valueOf(given, `${ours}dependency_up`, { environment, dependency: 'object_store' })
  const both = async () => [await isUp('PRODUCTION'), await isUp('SANDBOX')].join()
  assert.equal(await both(), '1,1')
  const folder = join(given.dataDir, 'objects')
  await rename(folder, `${folder}-away`)
  // Readers share what was found within a second.
  await until(async () => (await both()) === '0,0')
  assert.equal(await valueOf(given, `${ours}state`, { state: 'unready' }), 1)
  await rename(`${folder}-away`, folder)
  await until(async () => (await both()) === '1,1')
})

test('the state is ready, unready while a database does not answer, which is told as down, and draining', async (t) => {
  const given = await startTestService()
  t.after(given.close)
  assert.equal(await valueOf(given, `${ours}state`, { state: 'ready' }), 1)
  const name = new URL(given.databases.sandbox).pathname.slice(1)
  await given.owner.production.statements.rows({
    text: `alter database "${name}" allow_connections false`,
    name: 'no more connections',
    values: [],
  })
  await given.owner.production.statements.rows(sql`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`)
  // Readers share what was found within a second.
  await until(async () => (await valueOf(given, `${ours}state`, { state: 'unready' })) === 1)
  assert.equal(await valueOf(given, `${ours}state`, { state: 'ready' }), 0)
  assert.equal(await valueOf(given, `${ours}dependency_up`, { environment: 'SANDBOX', dependency: 'database' }), 0)
  assert.equal(await valueOf(given, `${ours}dependency_up`, { environment: 'PRODUCTION', dependency: 'database' }), 1)
  given.drain()
  assert.equal(await valueOf(given, `${ours}state`, { state: 'draining' }), 1)
  assert.equal(await valueOf(given, `${ours}state`, { state: 'unready' }), 0)
})
