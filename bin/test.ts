import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedServer } from '../src/database/embedded/server.ts'
import { ensureRole, migrate } from '../src/database/migrate.ts'
import { seedDemo } from '../src/demo/seed.ts'
import { testServiceRole } from '../test/world/database.ts'
import { testMasterKey } from '../test/world/master-key.ts'
import { systemClock } from '../src/vocabulary/clock.ts'
import { runTwice } from './test/run-twice.ts'

/**
 * Runs the tests: `npm test`, or `npm test -- FILE …` for some of them. It starts a PostgreSQL server of its own (or
 * uses the one of TEST_SERVER_URL), makes the templates from which the databases of test files are copied, and passes
 * both to the tests.
 */
const given = process.env.TEST_SERVER_URL
const files = testFiles(process.argv.slice(2))

/** The templates and the environment for which the service's role has its rights. */
const templates = { template_empty: 'SANDBOX', template_production: 'PRODUCTION', template_sandbox: 'SANDBOX' } as const

// The service serves the console and the developer site as they were built, and hands out the clients.
execFileSync(process.execPath, ['bin/build.ts', '--if-stale'], { stdio: 'inherit' })

// Every test file imports much of the service. The compile cache serves the next file and the next run.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'partner-commerce-compiled')

// When the tests are stopped, the server and its folder are still removed, as at any end.
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort())

const folder = await mkdtemp(join(tmpdir(), 'partner-commerce-test-'))
const server = given ? undefined : await startEmbeddedServer({ folder, isDisposable: true, log: () => undefined })
const serverUrl = given ?? server!.url('postgres')

let allPassed = false
try {
  await makeTemplates(serverUrl)
  process.env.TEST_SERVER_URL = serverUrl
  // Two services at once may need more connections than the hundred that a server has by default.
  allPassed = await runTwice(files, stop.signal, given ? 1 : undefined)
} finally {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
}
process.exit(allPassed ? 0 : 1)

function testFiles(patterns: readonly string[]): string[] {
  const all = patterns.length > 0 ? patterns : ['src/**/*.test.ts', 'test/**/*.test.ts', 'clients/**/*.test.ts']
  const missing = all.filter((pattern) => globSync(pattern).length === 0)
  if (missing.length > 0) {
    process.stderr.write(`There is no test file ${missing.join(', ')}.\n`)
    process.exit(1)
  }
  return [...new Set(globSync(all))].toSorted()
}

async function makeTemplates(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await ensureRole(url, testServiceRole)
    for (const [name, environment] of Object.entries(templates)) {
      await client.query(`drop database if exists ${name} with (force)`)
      await client.query(`create database ${name} ${name === 'template_empty' ? '' : 'template template_empty'}`)
      // A copy is of another environment, so the rights that its migrations recorded are not its own.
      if (name !== 'template_empty') await forgetRights(at(url, name))
      await migrate(at(url, name), { role: testServiceRole.role, environment })
    }
  } finally {
    await client.end()
  }
  const cast = { masterKeys: [testMasterKey], now: systemClock(), crowd: false } as const
  await seedDemo(at(url, 'template_production'), { ...cast, environment: 'PRODUCTION' })
  await seedDemo(at(url, 'template_sandbox'), { ...cast, environment: 'SANDBOX' })
}

async function forgetRights(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('update migration set rights = null')
  } finally {
    await client.end()
  }
}

function at(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}
