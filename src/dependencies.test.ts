import assert from 'node:assert/strict'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startTestService, type TestService } from '../test/world/service.ts'
import { givenRedis } from '../test/world/services.ts'
import { bucket, openStorageWorld, signingKey } from '../test/world/storage.ts'
import { until } from '../test/world/webhooks.ts'
import { layWire } from '../test/world/wire.ts'
import { sql } from './database/sql.ts'
import type { ReadinessReport } from './operations/readiness.ts'

const redis = await givenRedis()

async function readyz({ hosts }: TestService): Promise<{ status: number; report: ReadinessReport }> {
  const answer = await fetch(`${hosts.opsUrl}/readyz`)
  assert.equal(answer.headers.get('content-type'), 'application/json')
  return { status: answer.status, report: (await answer.json()) as ReadinessReport }
}

/** Waits until exactly this is away, and answers why. */
async function awayBecause(service: TestService, what: string): Promise<string> {
  let why = ''
  await until(async () => {
    const { status, report } = await readyz(service)
    assert.equal(status, report.ready ? 200 : 503)
    assert.equal(report.ready, report.away.length === 0)
    why = report.away[0]?.why ?? ''
    return report.away.map((each) => each.what).join() === what
  })
  return why
}

const isReady = (service: TestService) => until(async () => (await readyz(service)).status === 200)

test('while a database is away the process is not ready, and names it without its address', async (t) => {
  const service = await startTestService()
  t.after(service.close)
  const name = new URL(service.databases.sandbox).pathname.slice(1)
  const allow = (connections: boolean) =>
    service.owner.production.statements.rows({
      text: `alter database ${name} allow_connections ${connections}`,
      name: `allow ${connections}`,
      values: [],
    })
  assert.deepEqual(await readyz(service), {
    status: 200,
    report: { ready: true, checked: ['production database', 'sandbox database', 'object store'], away: [] },
  })
  await allow(false)
  await service.owner.production.statements.rows(
    sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`,
  )
  assert.equal(
    await awayBecause(service, 'sandbox database'),
    `database "${name}" is not currently accepting connections (55000)`,
  )
  await allow(true)
  await isReady(service)
})

test('while a database takes no new connection the process is not ready, though it answers on those there are', async (t) => {
  const service = await startTestService()
  t.after(service.close)
  const name = new URL(service.databases.sandbox).pathname.slice(1)
  const alter = (text: string) =>
    service.owner.production.statements.rows({ text: `alter database ${name} ${text}`, name: text, values: [] })
  await isReady(service)
  await alter('allow_connections false')
  assert.match(await awayBecause(service, 'sandbox database'), /is not currently accepting connections/)
  assert.deepEqual(await service.sandbox.database.reads.rows(sql`select 1 as one`), [{ one: 1 }])
  // It takes some again but has not one left, and those that it has do their work.
  await alter('connection limit 0')
  await alter('allow_connections true')
  await isReady(service)
  await assert.rejects(service.sandbox.database.connectAnew(), { name: 'Outage' })
})

test('while files cannot be stored in the data folder the process is not ready', async (t) => {
  const service = await startTestService()
  t.after(service.close)
  const folder = join(service.dataDir, 'objects')
  await rename(folder, `${folder}-away`)
  assert.equal(await awayBecause(service, 'object store'), 'it is not there (ENOENT)')
  await rename(`${folder}-away`, folder)
  await isReady(service)
})

test('while the S3 is away, or refuses the key, the process is not ready', async (t) => {
  const elsewhere = await openStorageWorld('embedded')
  t.after(elsewhere.close)
  elsewhere.clock.now = new Date()
  const wire = await layWire(elsewhere.endpoint)
  t.after(wire.close)
  const service = await startTestService({
    variables: {
      S3_ENDPOINT: wire.url(elsewhere.endpoint),
      S3_REGION: signingKey.region,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: signingKey.accessKeyId,
      S3_SECRET_ACCESS_KEY: signingKey.secretAccessKey,
      S3_PATH_STYLE: 'on',
    },
  })
  t.after(service.close)
  assert.equal(service.opened.storageUrl, undefined)
  await isReady(service)
  wire.cut()
  assert.match(await awayBecause(service, 'object store'), /^the connection was (cut|refused) \(ECONN\w+\)$/)
  wire.mend()
  await isReady(service)
  // The key is no longer good.
  elsewhere.clock.now = new Date('2036-01-01')
  assert.match(await awayBecause(service, 'object store'), /^Storage answered 403 \(\w+\)$/)
})

test(
  'while Redis is away a process that answers partners is not ready; one that only works has no need of it',
  { skip: redis.skip },
  async (t) => {
    const wire = await layWire(redis.url)
    t.after(wire.close)
    const variables = { REDIS_URL: wire.url(redis.url) }
    const service = await startTestService({ limits: 'on', variables })
    t.after(service.close)
    const worker = await startTestService({
      limits: 'on',
      databases: service.databases,
      variables: { ...variables, ROLE: 'worker' },
    })
    t.after(worker.close)
    await isReady(service)
    wire.cut()
    assert.doesNotMatch(await awayBecause(service, 'Redis'), /127\.0\.0\.1|:\/\//)
    const { status, report } = await readyz(worker)
    assert.deepEqual([status, report.checked], [200, ['production database', 'sandbox database', 'object store']])
    wire.mend()
    await isReady(service)
  },
)
