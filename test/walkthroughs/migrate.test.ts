import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { asService, freshDatabase } from '../world/database.ts'
import { startTestService } from '../world/service.ts'

/** The operator migrates apart from the service, which then runs without the owner's password. */
function run(variables: Record<string, string>) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ENV_FILE: '/dev/null', ...variables }
  return promisify(execFile)('npm', ['run', '-s', 'migrate'], { env })
}

test('the service starts without the rights of the owner once `npm run -s migrate` has run, and is refused before', async (t) => {
  const [production, sandbox] = [await freshDatabase('template0'), await freshDatabase('template0')]
  t.after(() => Promise.all([production.drop(), sandbox.drop()]))
  const served = { DATABASE_URL: asService(production.url), SANDBOX_DATABASE_URL: asService(sandbox.url) }
  const options = {
    limits: 'on',
    databases: { production: production.url, sandbox: sandbox.url },
    variables: { ...served, MIGRATION_DATABASE_URL: '', SANDBOX_MIGRATION_DATABASE_URL: '', DEMO: 'off' },
  } as const
  await assert.rejects(run(served), {
    code: 2,
    stderr:
      /^The database of (SANDBOX_)?DATABASE_URL cannot be used: its tables are not up to date, and this role may not change them; migrate it as their owner first\.\n$/,
  })
  const owned = { MIGRATION_DATABASE_URL: production.url, SANDBOX_MIGRATION_DATABASE_URL: sandbox.url }
  assert.match((await run({ ...served, ...owned })).stdout, /^[1-9]\d+ migrations, in production and sandbox\n$/)
  assert.equal((await run({ ...served, ...owned })).stdout, 'nothing to do\n')
  assert.equal((await run(served)).stdout, 'nothing to do\n')
  await assert.rejects(
    startTestService({ ...options, variables: { ...options.variables, DEMO: 'cast' } }),
    /^DemoRefused: The role of DATABASE_URL may not add the demo data: name the owner of the tables/,
  )
  const service = await startTestService(options)
  t.after(service.close)
  assert.equal((await fetch(`${service.hosts.baseUrl}/v1/ping`)).status, 200)
  assert.equal((await fetch(`${service.hosts.opsUrl}/readyz`)).status, 200)
  assert.ok(!service.logLines.some((line) => line.includes('as the owner of its tables')))
})

test('a migration without a database of its own ends with one sentence', async () => {
  await assert.rejects(run({}), {
    code: 2,
    stdout: '',
    stderr: 'DATABASE_URL is not set: the embedded database is migrated by the service when it starts.\n',
  })
})
