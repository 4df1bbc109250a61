import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import pino from 'pino'
import { openDatabase, type Database } from '../../src/database/database.ts'
import type { Manifest } from '../../src/demo/manifest.ts'
import { serviceLog } from '../../src/operations/service-log.ts'
import { startService, type Service, type ServiceOptions } from '../../src/service.ts'
import { readSettings } from '../../src/settings.ts'
import { systemClock } from '../../src/vocabulary/clock.ts'
import { asService, freshDatabase } from './database.ts'
import { testMasterKey } from './master-key.ts'

/**
 * The real service, run in this process. Every listener has a free port on loopback. Both databases are fresh copies of
 * the demo data. Limits are off unless a test asks for them. Tests call the service over HTTP and query its databases.
 */
export type TestService = Service & {
  manifest: Manifest
  dataDir: string
  databases: DatabaseUrls
  /** the same databases, opened as their owner, for what the service may not do */
  owner: { production: Database; sandbox: Database }
  logLines: string[]
}

/** Connection strings of the service's two databases, for their owner. */
export type DatabaseUrls = { production: string; sandbox: string }

export type TestServiceOptions = Partial<ServiceOptions> & {
  limits?: 'on' | 'off'
  variables?: Record<string, string>
  /** databases of another test service, so that two instances share them; the other must close last */
  databases?: DatabaseUrls
}

/**
 * Starts a service that closes automatically: after the file's tests, or after the test that starts it. A file calls it
 * at the top, as `const service = await testService()`.
 */
export async function testService(options?: TestServiceOptions): Promise<TestService> {
  const service = await startTestService(options)
  after(() => service.close())
  return service
}

/** Starts a service that the caller closes, for when it must close before the test ends or in a fixed order. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const { limits = 'off', variables, databases: given, ...serviceOptions } = options
  const fresh = given
    ? []
    : await Promise.all([freshDatabase('template_production'), freshDatabase('template_sandbox')])
  const databases = given ?? { production: fresh[0]!.url, sandbox: fresh[1]!.url }
  const dataDir = await mkdtemp(join(tmpdir(), 'partner-commerce-world-'))
  const settings = readSettings({
    PORT: '0',
    MTLS_PORT: '0',
    SANDBOX_PORT: '0',
    DEVELOPER_PORT: '0',
    CONSOLE_PORT: '0',
    STORAGE_PORT: '0',
    OPS_PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: asService(databases.production),
    SANDBOX_DATABASE_URL: asService(databases.sandbox),
    MIGRATION_DATABASE_URL: databases.production,
    SANDBOX_MIGRATION_DATABASE_URL: databases.sandbox,
    SECRET_KEY: testMasterKey.toString('hex'),
    DEMO: 'on',
    BENCH_LIMITS: limits,
    ...variables,
  })
  const logLines: string[] = []
  const log = serviceLog('info', { write: (line: string) => void logLines.push(line) })
  const service = await startService(settings, { clock: systemClock, log, crowd: false, ...serviceOptions })
  const silent = pino({ level: 'silent' })
  const owner = {
    production: openDatabase(databases.production, { log: silent }),
    sandbox: openDatabase(databases.sandbox, { log: silent }),
  }
  return {
    ...service,
    manifest: service.manifest!,
    dataDir,
    databases,
    owner,
    logLines,
    close: async () => {
      await service.close()
      await Promise.all([owner.production.close(), owner.sandbox.close()])
      await Promise.all([...fresh.map(({ drop }) => drop()), rm(dataDir, { recursive: true, force: true })])
    },
  }
}
