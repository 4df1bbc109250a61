import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedServer } from '../src/database/embedded/server.ts'
import { migrate } from '../src/database/migrate.ts'
import { seedDemo } from '../src/demo/seed.ts'
import { testMasterKey } from '../test/world/master-key.ts'
import { systemClock } from '../src/vocabulary/clock.ts'

/**
 * Runs the tests: `npm test`, or `npm test -- FILE …` for some of them. Starts a PostgreSQL server of its own (or uses
 * the one TEST_SERVER_URL names), makes the templates every test file's database is copied from, and hands both to the
 * test runner.
 */
const files = process.argv.slice(2)
const given = process.env.TEST_SERVER_URL
const folder = await mkdtemp(join(tmpdir(), 'partner-commerce-test-'))
const server = given ? undefined : await startEmbeddedServer({ folder, log: () => undefined })
const serverUrl = given ?? server!.url('postgres')

let exitCode = 1
try {
  await makeTemplates(serverUrl)
  exitCode = await runTests(serverUrl)
} finally {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
}
process.exit(exitCode)

async function makeTemplates(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    // What is lost with the machine would be lost with the folder anyway.
    if (!given) {
      await client.query('alter system set fsync = off')
      await client.query('select pg_reload_conf()')
    }
    for (const name of ['template_empty', 'template_production', 'template_sandbox']) {
      await client.query(`drop database if exists ${name} with (force)`)
      await client.query(`create database ${name} ${name === 'template_empty' ? '' : 'template template_empty'}`)
      if (name === 'template_empty') await migrate(at(url, name))
    }
  } finally {
    await client.end()
  }
  const cast = { masterKey: testMasterKey, now: systemClock(), crowd: false }
  await seedDemo(at(url, 'template_production'), { ...cast, environment: 'PRODUCTION' })
  await seedDemo(at(url, 'template_sandbox'), { ...cast, environment: 'SANDBOX' })
}

function at(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}

function runTests(url: string): Promise<number> {
  const child = spawn(
    process.execPath,
    [
      '--test',
      '--test-concurrency=2',
      // Against what hangs. However busy the machine, no test that goes on takes as long.
      '--test-timeout=300000',
      ...(files.length > 0 ? files : ['src/**/*.test.ts', 'test/**/*.test.ts']),
    ],
    { stdio: 'inherit', env: { ...process.env, TEST_SERVER_URL: url } },
  )
  // Whoever stops the tests stops the runner; the server and its folder are then put away as at any end.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
}
