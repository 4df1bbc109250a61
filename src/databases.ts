import { join } from 'node:path'
import type { Logger } from 'pino'
import { startEmbeddedServer } from './database/embedded/server.ts'
import { ensureDatabase, migrate } from './database/migrate.ts'
import { takeServiceLock, type ServiceLock } from './database/service-lock.ts'
import type { Settings } from './settings.ts'
import { SettingRefused } from './vocabulary/setting-refused.ts'

/** The URLs of the two databases. */
export type DatabaseUrls = { production: string; sandbox: string }

/**
 * Migrates and returns the two databases: those of the settings, or two on the embedded server, which then belongs to
 * this service alone.
 * @throws SettingRefused, EmbeddedServerRefused
 */
export async function openDatabases(
  settings: Settings,
  log: Logger,
  opened: AsyncDisposableStack,
): Promise<DatabaseUrls> {
  const { dataDir, databaseUrl, sandboxDatabaseUrl } = settings
  if (databaseUrl === undefined) {
    const urls = await startOwnServer(dataDir, log, opened)
    await migrateBoth(urls, { production: `DATA_DIR ${dataDir}`, sandbox: `DATA_DIR ${dataDir}` })
    return urls
  }
  const urls = { production: databaseUrl, sandbox: sandboxDatabaseUrl! }
  await migrateBoth(urls, { production: 'DATABASE_URL', sandbox: 'SANDBOX_DATABASE_URL' })
  return urls
}

async function startOwnServer(dataDir: string, log: Logger, opened: AsyncDisposableStack): Promise<DatabaseUrls> {
  const server = await startEmbeddedServer({ folder: join(dataDir, 'postgres'), log: (line) => log.info(line) })
  let lock: ServiceLock | undefined
  try {
    lock = await takeServiceLock(server.url('postgres'), log)
  } finally {
    // Without the lock, the server belongs to another living service: leave it running.
    if (!lock) await server.release()
  }
  if (!lock) {
    throw new SettingRefused(`Another service already runs on DATA_DIR ${dataDir}: stop it or set another DATA_DIR.`)
  }
  opened.defer(server.stop)
  opened.defer(lock.release)
  await ensureDatabase(server.url('postgres'), 'production')
  await ensureDatabase(server.url('postgres'), 'sandbox')
  return { production: server.url('production'), sandbox: server.url('sandbox') }
}

/** @param settings the names of the settings that gave the URLs, for the refusal */
async function migrateBoth(urls: DatabaseUrls, settings: DatabaseUrls): Promise<void> {
  await Promise.all((['production', 'sandbox'] as const).map((name) => migrateOrRefuse(urls[name], settings[name])))
}

async function migrateOrRefuse(url: string, setting: string): Promise<void> {
  try {
    await migrate(url)
  } catch (error) {
    throw new SettingRefused(`The database of ${setting} cannot be used: ${(error as Error).message}.`)
  }
}
