import { join } from 'node:path'
import type { Logger } from 'pino'
import { readArchiving } from './database/embedded/archive.ts'
import { startEmbeddedServer, type EmbeddedServer } from './database/embedded/server.ts'
import { ensureDatabase, ensureRole, migrate } from './database/migrate.ts'
import { takeServiceLock, type ServiceLock } from './database/service-lock.ts'
import type { Settings } from './settings.ts'
import type { Steps } from './start-steps.ts'
import { allEnded } from './vocabulary/all-ended.ts'
import type { Environment } from './vocabulary/environment.ts'
import { SettingRefused } from './vocabulary/setting-refused.ts'

type Surroundings = {
  log: Logger
  steps: Steps
  /** called while the embedded server starts: what then keeps the processor busy does not delay it */
  whenLaunched?: (() => void) | undefined
}

/** The URLs of a database: for its owner, who migrates and brings the demo data, and for the service. */
export type DatabaseUrls = { owner: string; service: string }

export type BothDatabases = Readonly<Record<Environment, DatabaseUrls>>

/**
 * Migrates and returns the two databases: those of the settings, or two on the embedded server, which then belongs to
 * this service alone.
 * @throws SettingRefused, EmbeddedServerRefused
 */
export async function openDatabases(
  settings: Settings,
  { log, steps, whenLaunched }: Surroundings,
  opened: AsyncDisposableStack,
): Promise<BothDatabases> {
  const { dataDir, databaseUrl, sandboxDatabaseUrl, migrationDatabaseUrl, sandboxMigrationDatabaseUrl } = settings
  if (databaseUrl === undefined) {
    const urls = await startOwnServer(settings, { log, steps, whenLaunched }, opened)
    await migrateBoth(urls, { log, steps }, { PRODUCTION: `DATA_DIR ${dataDir}`, SANDBOX: `DATA_DIR ${dataDir}` })
    return urls
  }
  const urls = {
    PRODUCTION: { owner: migrationDatabaseUrl ?? databaseUrl, service: databaseUrl },
    SANDBOX: { owner: sandboxMigrationDatabaseUrl ?? sandboxDatabaseUrl!, service: sandboxDatabaseUrl! },
  }
  const prefix = migrationDatabaseUrl === undefined ? '' : 'MIGRATION_'
  const settingOf = { PRODUCTION: `${prefix}DATABASE_URL`, SANDBOX: `SANDBOX_${prefix}DATABASE_URL` }
  await migrateBoth(urls, { log, steps }, settingOf)
  return urls
}

async function startOwnServer(
  settings: Pick<Settings, 'dataDir' | 'backupDir'>,
  { log, steps, whenLaunched }: Surroundings,
  opened: AsyncDisposableStack,
): Promise<BothDatabases> {
  const folder = join(settings.dataDir, 'postgres')
  const { server, lock } = await steps('starts PostgreSQL', async () => {
    const owned = await ownServer(settings, folder, { log, whenLaunched })
    return [owned, owned.server.madeNow ? `new, in ${folder}` : `with the data kept in ${folder}`]
  })
  opened.defer(server.stop)
  opened.defer(lock.release)
  const postgres = server.url('postgres')
  await allEnded([ensureDatabase(postgres, 'production'), ensureDatabase(postgres, 'sandbox')])
  const urls = (name: string) => ({ owner: server.url(name), service: server.serviceUrl(name) })
  return { PRODUCTION: urls('production'), SANDBOX: urls('sandbox') }
}

type OwnServer = { server: EmbeddedServer; lock: ServiceLock }

/** The server on the folder, and the lock that makes it this service's own. */
async function ownServer(
  settings: Pick<Settings, 'dataDir' | 'backupDir'>,
  folder: string,
  around: Omit<Surroundings, 'steps'>,
): Promise<OwnServer> {
  const owned = await takeServer(settings, folder, around)
  if (!owned.server.adopted) return owned
  if ((await readArchiving(owned.server.url('postgres'))).command === owned.server.archiveCommand) return owned
  around.log.info('starts PostgreSQL again, since it archives elsewhere than BACKUP_DIR says')
  await owned.lock.release()
  await owned.server.stop()
  return takeServer(settings, folder, around)
}

async function takeServer(
  { dataDir, backupDir }: Pick<Settings, 'dataDir' | 'backupDir'>,
  folder: string,
  { log, whenLaunched }: Omit<Surroundings, 'steps'>,
): Promise<OwnServer> {
  const server = await startEmbeddedServer({
    folder,
    backupDir,
    whenLaunched,
    log: (line, level = 'info') => log[level](line),
  })
  let lock: ServiceLock | undefined
  try {
    await ensureRole(server.url('postgres'), roleOf(server.serviceUrl('postgres')))
    lock = await takeServiceLock(server.serviceUrl('postgres'), log)
  } finally {
    // Without the lock, the server belongs to another living service: leave it running.
    if (!lock) await server.release()
  }
  if (!lock) {
    throw new SettingRefused(`Another service already runs on DATA_DIR ${dataDir}: stop it or set another DATA_DIR.`)
  }
  if (server.adopted) log.info(`took over the PostgreSQL server that an earlier service left running in ${folder}`)
  return { server, lock }
}

/** @param settings what gave the URLs, for the refusal */
function migrateBoth(
  urls: BothDatabases,
  { log, steps }: Surroundings,
  settings: Readonly<Record<Environment, string>>,
): Promise<void> {
  return steps('brings the tables up to date', async () => {
    let asOwner = false
    const applied = await Promise.all(
      (['PRODUCTION', 'SANDBOX'] as const).map(async (environment) => {
        const { owner, service } = urls[environment]
        const role = isApart(urls[environment]) ? { ...roleOf(service), environment } : undefined
        try {
          const { applied: now, ahead, ownsTables } = await migrate(owner, role, { log })
          asOwner ||= role === undefined && ownsTables
          if (ahead.length > 0) {
            log.warn(
              { environment, migrations: ahead },
              'a later release has changed the tables; this one runs on them, until the release after that',
            )
          }
          return now
        } catch (error) {
          const reason = (error as Error).message
          throw new SettingRefused(`The database of ${settings[environment]} cannot be used: ${reason}.`)
        }
      }),
    )
    if (asOwner) {
      log.info(
        'the service connects as the owner of its tables; MIGRATION_DATABASE_URL would let it run with fewer rights',
      )
    }
    const count = applied.flat().length
    return [undefined, count === 0 ? 'nothing to do' : `${count} migrations, in production and sandbox`]
  })
}

/** Whether the service connects as another role than the owner. */
function isApart({ owner, service }: DatabaseUrls): boolean {
  return roleOf(owner).role !== roleOf(service).role
}

/** The role and the password that a URL names. */
function roleOf(url: string): { role: string; password: string } {
  const { username, password } = new URL(url)
  return { role: decodeURIComponent(username), password: decodeURIComponent(password) }
}
