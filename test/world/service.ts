import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import type { Manifest } from '../../src/demo/manifest.ts'
import { startService, type Service, type ServiceOptions } from '../../src/service.ts'
import { readSettings } from '../../src/settings.ts'
import { systemClock } from '../../src/vocabulary/clock.ts'
import { freshDatabase } from './database.ts'
import { testMasterKey } from './master-key.ts'

/**
 * The real service in this process: every listener on a free port of loopback, both databases fresh copies holding the
 * demo cast, limits lifted unless asked for. Tests speak to it over HTTP and look into its databases.
 */
export type TestService = Service & { manifest: Manifest; dataDir: string; logLines: string[] }

export async function startTestService(
  options: Partial<ServiceOptions> & { limits?: 'on' | 'off'; variables?: Record<string, string> } = {},
): Promise<TestService> {
  const [production, sandbox] = await Promise.all([freshDatabase('template_production'), freshDatabase('template_sandbox')])
  const dataDir = await mkdtemp(join(tmpdir(), 'partner-commerce-world-'))
  const settings = readSettings({
    PORT: '0',
    MTLS_PORT: '0',
    SANDBOX_PORT: '0',
    CONSOLE_PORT: '0',
    STORAGE_PORT: '0',
    OPS_PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: production.url,
    SANDBOX_DATABASE_URL: sandbox.url,
    SECRET_KEY: testMasterKey.toString('hex'),
    DEMO: 'on',
    BENCH_LIMITS: options.limits ?? 'off',
    ...options.variables,
  })
  const logLines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void logLines.push(line) })
  const service = await startService(settings, { clock: systemClock, log, crowd: false, ...options })
  return {
    ...service,
    manifest: service.manifest!,
    dataDir,
    logLines,
    close: async () => {
      await service.close()
      await Promise.all([production.drop(), sandbox.drop(), rm(dataDir, { recursive: true, force: true })])
    },
  }
}
