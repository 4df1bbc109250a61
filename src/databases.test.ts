import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import pg from 'pg'
import { partner } from '../test/world/partner.ts'
import { embeddedUrl, freshDataDir, startServiceProcess } from '../test/world/service-process.ts'
import { startTestService } from '../test/world/service.ts'

async function rows(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** The roles of the connections to this database, but for those that ask. */
const rolesConnected = `
  select distinct usename as role, rolsuper or rolcreatedb or rolcreaterole as is_mighty
  from pg_stat_activity join pg_roles on rolname = usename
  where datname = current_database() and pid <> pg_backend_pid() and application_name <> ''`

const owned = (role: string): string => `
  select relname as name from pg_class where relowner = '${role}'::regrole
  union all select proname from pg_proc where proowner = '${role}'::regrole
  union all select nspname from pg_namespace where nspowner = '${role}'::regrole
  union all select datname from pg_database where datdba = '${role}'::regrole`

test('on its own database server the service connects as a role that is no superuser and owns nothing', async (t: TestContext) => {
  const { dataDir, remove } = await freshDataDir()
  const service = await startServiceProcess(dataDir)
  t.after(async () => {
    service.signal('SIGTERM')
    await service.ended
    await remove()
  })
  for (const database of ['production', 'sandbox'] as const) {
    const url = await embeddedUrl(dataDir, database)
    assert.deepEqual(await rows(url, rolesConnected), [{ role: 'service', is_mighty: false }], database)
    assert.deepEqual(await rows(url, owned('service')), [], database)
    const makesTables = `
      select has_database_privilege('service', current_database(), 'TEMPORARY')
        or has_schema_privilege('service', 'public', 'CREATE') as can`
    assert.deepEqual(await rows(url, makesTables), [{ can: false }], database)
  }
  const [lock] = await rows(
    await embeddedUrl(dataDir, 'production'),
    `select usename as role from pg_stat_activity where application_name = 'partner-commerce service lock'`,
  )
  assert.deepEqual(lock, { role: 'service' })
})

test('with MIGRATION_DATABASE_URL the service connects as the role of DATABASE_URL, which owns nothing', async (t) => {
  const service = await startTestService()
  t.after(service.close)
  assert.equal((await (await partner(service, 'primary')).get('/v1/me')).status, 200)
  const role = 'partner_commerce_test_service'
  const connected = await rows(service.databases.production, rolesConnected)
  assert.deepEqual(
    connected.filter((each) => each.role === role),
    [{ role, is_mighty: false }],
  )
  assert.deepEqual(await rows(service.databases.production, owned(role)), [])
  assert.ok(!service.logLines.some((line) => line.includes('MIGRATION_DATABASE_URL')))
})

test('with DATABASE_URL alone its role migrates and serves, and a log line says so', async (t) => {
  const both = await startTestService()
  t.after(both.close)
  const { production, sandbox } = both.databases
  const service = await startTestService({
    databases: both.databases,
    variables: {
      DATABASE_URL: production,
      SANDBOX_DATABASE_URL: sandbox,
      MIGRATION_DATABASE_URL: '',
      SANDBOX_MIGRATION_DATABASE_URL: '',
    },
  })
  try {
    assert.equal((await (await partner(service, 'primary')).get('/v1/me')).status, 200)
    assert.equal(service.logLines.filter((line) => line.includes('MIGRATION_DATABASE_URL')).length, 1)
  } finally {
    await service.close()
  }
})
