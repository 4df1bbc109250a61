import { mkdir, mkdtemp, rmdir } from 'node:fs/promises'
import type { Server } from 'node:http'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { invitationPath } from './auth/sign-in/invitations.ts'
import { EmbeddedServerRefused, startEmbeddedServer, type EmbeddedServer } from './database/embedded/server.ts'
import { holdServiceLock, type ServiceLock } from './database/service-lock.ts'
import { ensureDatabase, migrate } from './database/migrate.ts'
import { demoCertificate } from './demo/demo-certificate.ts'
import { demoManifest, writeManifest, type Hosts, type Manifest } from './demo/manifest.ts'
import { seedApart } from './demo/seed-apart.ts'
import { DemoRefused, seedDemo } from './demo/seed.ts'
import { openEnvironment, type OpenEnvironment, type TlsEnd } from './environment.ts'
import { listenAt } from './http/server.ts'
import { claimKey, masterKey } from './master-key.ts'
import { sourceAddressReader } from './gateway/edge/source-address.ts'
import { createMetrics, createOperationsHost } from './operations/operations-host.ts'
import { fileServerCertificate, selfMadeServerCertificate } from './mutual-tls/server-certificate.ts'
import { openStaffHost } from './staff/listener.ts'
import type { StaffWorld } from './staff/world.ts'
import { openStorage } from './storage.ts'
import { openTemplateVendor } from './template-vendor.ts'
import { listenerUrl, type ListenerName, type Settings } from './settings.ts'
import type { TemplateVendor } from './outside/template-vendor/template-vendor.ts'
import type { Clock } from './vocabulary/clock.ts'
import type { Environment } from './vocabulary/environment.ts'
import { deriveKey } from './vocabulary/keys.ts'
import { Outage } from './vocabulary/outage.ts'
import { sql } from './database/sql.ts'
import { SettingRefused } from './vocabulary/setting-refused.ts'

/** The composition root: the only builder of the world. Everything it makes it also ends, in reverse. */
export type Service = {
  hosts: Hosts
  production: OpenEnvironment
  sandbox: OpenEnvironment
  /** null without demo data */
  manifest: Manifest | null
  /** answers what is under way, then ends everything, the embedded server with it */
  close: () => Promise<void>
}

export type ServiceOptions = {
  clock: Clock
  log: Logger
  /** whatever the settings say: whether production's demo data has the thousands of rows around the cast */
  crowd?: boolean
  submissionWaitMilliseconds?: number
  /** how long, once it is stopped, clients' connections may rest before they are ended; not at all unless told */
  closingGraceMilliseconds?: number
  /** what limits are timed by: milliseconds, never set back */
  monotonic?: () => number
  /** in place of the vendor of the settings */
  templateVendor?: TemplateVendor
  /** PEM certificates trusted instead of the public authorities where applications' documents are fetched */
  clientDocumentAuthorities?: readonly string[]
}

const submissionWaitMilliseconds = 20_000

/** @throws SettingRefused, EmbeddedServerRefused with a sentence for people; nothing is left running then */
export async function startService(settings: Settings, options: ServiceOptions): Promise<Service> {
  const endings: (() => Promise<unknown>)[] = []
  const close = async (): Promise<void> => {
    for (const end of endings.splice(0).toReversed()) await end()
  }
  try {
    return await build(settings, options, endings, close)
  } catch (error) {
    await close().catch((problem: Error) => options.log.error({ err: problem }, 'the failed start was not undone'))
    throw error
  }
}

async function build(
  settings: Settings,
  options: ServiceOptions,
  endings: (() => Promise<unknown>)[],
  close: () => Promise<void>,
): Promise<Service> {
  const { clock, log } = options
  await prepareFolder(settings.dataDir)
  const urls = await databases(settings, log, endings)
  const embedded = settings.databaseUrl === undefined ? `DATA_DIR ${settings.dataDir}` : undefined
  await Promise.all([
    migrateOrRefuse(urls.production, embedded ?? 'DATABASE_URL'),
    migrateOrRefuse(urls.sandbox, embedded ?? 'SANDBOX_DATABASE_URL'),
  ])
  const key = await masterKey(settings.secretKey, settings.dataDir)
  const metrics = createMetrics()
  const ports: Partial<Record<ListenerName, number>> = {}

  const { server: storageServer, storeOf } = await openStorage({ ...settings, masterKey: key, clock, log })
  if (storageServer && settings.role !== 'worker') {
    endings.push(() => drainServer(storageServer))
    ports.storage = await listening('storage', settings, (host, port) => listenAt(storageServer, host, port))
  }
  const { storageUrl } = publicHosts(settings, ports)
  const templates = await openTemplateVendor(settings, log)
  endings.push(templates.close)

  const open = async (name: Environment, databaseUrl: string): Promise<OpenEnvironment> => {
    const environment = await openEnvironment({
      name,
      databaseUrl,
      databaseReplicaUrl: name === 'PRODUCTION' ? settings.databaseReplicaUrl : undefined,
      objectStore: storeOf(name, storageUrl),
      templateVendor: options.templateVendor ?? templates.vendor,
      clientDocumentAuthorities: options.clientDocumentAuthorities,
      masterKey: key,
      settings,
      clock,
      monotonic: options.monotonic ?? (() => performance.now()),
      log,
      observe: (operation, status, milliseconds) => metrics.observe(name, operation, status, milliseconds),
      observeDelivery: (outcome) => metrics.observeDelivery(name, outcome),
      submissionWaitMilliseconds: options.submissionWaitMilliseconds ?? submissionWaitMilliseconds,
      closingGraceMilliseconds: options.closingGraceMilliseconds ?? 0,
    })
    endings.push(environment.close)
    metrics.watchBacklogs(name, environment.backlogs)
    await claimKey(environment.database, key, name)
    return environment
  }
  const seed = (environment: Environment, databaseUrl: string, crowd: boolean) =>
    (crowd ? seedApart : seedDemo)(databaseUrl, { environment, masterKey: key, now: clock(), crowd })
  const casts = settings.demo
    ? {
        production: await seed('PRODUCTION', urls.production, options.crowd ?? settings.demoCrowd),
        sandbox: await seed('SANDBOX', urls.sandbox, false),
      }
    : null
  const production = await open('PRODUCTION', urls.production)
  const sandbox = await open('SANDBOX', urls.sandbox)

  if (settings.role !== 'worker') {
    endings.push(() => Promise.all([production.drain(), sandbox.drain()]))
    for (const [name, environment] of [
      ['api', production],
      ['sandbox', sandbox],
    ] as const) {
      ports[name] = await listening(name, settings, (host, port) => environment.listen(host, port))
    }
  }
  if (settings.role !== 'worker') {
    const hosts = () => publicHosts(settings, ports)
    const world = ({ name, database, objectStore, partnerTime }: OpenEnvironment): StaffWorld => ({
      environment: name,
      database,
      objectStore,
      partnerTime,
      key: (purpose) => deriveKey(key, name, purpose),
      invitationUrl: (token) => hosts()[name === 'PRODUCTION' ? 'baseUrl' : 'sandboxBaseUrl'] + invitationPath(token),
    })
    const sourceAddress = sourceAddressReader(settings.trustedProxies)
    const staff = openStaffHost({
      worlds: { PRODUCTION: world(production), SANDBOX: world(sandbox) },
      hosts,
      sourceAddress: ({ socket, headers }) => sourceAddress(socket.remoteAddress, headers['x-forwarded-for']),
      clock,
      log,
      observe: (operation, status, milliseconds) => metrics.observe('STAFF', operation, status, milliseconds),
      closingGraceMilliseconds: options.closingGraceMilliseconds ?? 0,
    })
    endings.push(() => staff.close())
    ports.console = await listening('console', settings, staff.listen)
  }
  const { tlsEnd, caFile } = await mutualTls(settings, key, clock())
  const certificate =
    casts && (await demoCertificate(production.database, { masterKey: key, dataDir: settings.dataDir, now: clock() }))
  if (settings.role !== 'worker') {
    ports.mtls = await listening('mtls', settings, (host, port) => production.listenMutualTls(tlsEnd, host, port))
  }
  const isReady = async (): Promise<boolean> => {
    await Promise.all([production, sandbox].map(({ database }) => database.reads.row(sql`select 1 as ready`)))
    return true
  }
  const operations = createOperationsHost(metrics, isReady, log)
  endings.push(operations.close)
  ports.ops = await listening('ops', settings, operations.listen)

  const hosts = publicHosts(settings, ports)
  const manifest = casts && demoManifest(hosts, key, casts, certificate ? { ...certificate, caFile } : undefined)
  if (manifest) await writeManifest(settings.dataDir, manifest)
  return { hosts, production, sandbox, manifest, close }
}

async function prepareFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true })
    // A folder that is there may still be one in which this user can make nothing.
    await rmdir(await mkdtemp(join(dataDir, 'trial-')))
  } catch (error) {
    throw new SettingRefused(`DATA_DIR ${dataDir} cannot be used as a folder: ${(error as Error).message}.`)
  }
}

/** The two databases as set, or two on the embedded server, which then belongs to this service alone. */
async function databases(settings: Settings, log: Logger, endings: (() => Promise<unknown>)[]) {
  if (settings.databaseUrl !== undefined)
    return { production: settings.databaseUrl, sandbox: settings.sandboxDatabaseUrl! }
  const server: EmbeddedServer = await startEmbeddedServer({
    folder: join(settings.dataDir, 'postgres'),
    log: (line) => log.info(line),
  })
  let lock: ServiceLock | undefined
  try {
    lock = await holdServiceLock(server.url('postgres'), log)
  } finally {
    // Without the lock another living service owns the server: leave it running.
    if (!lock) await server.release()
  }
  if (!lock) {
    throw new SettingRefused(
      `Another service already runs on DATA_DIR ${settings.dataDir}: stop it or set another DATA_DIR.`,
    )
  }
  const held = lock
  endings.push(async () => {
    await held.release()
    await server.stop()
  })
  const urls = { production: server.url('production'), sandbox: server.url('sandbox') }
  await ensureDatabase(server.url('postgres'), 'production')
  await ensureDatabase(server.url('postgres'), 'sandbox')
  return urls
}

/** Where TLS of the mutual-TLS host ends, and what its clients are to trust. */
async function mutualTls(settings: Settings, key: Buffer, now: Date): Promise<{ tlsEnd: TlsEnd; caFile: string }> {
  const { mutualTls: set, dataDir } = settings
  const { read, caFile } =
    set.by === 'files'
      ? await fileServerCertificate(set)
      : await selfMadeServerCertificate({ masterKey: key, dataDir, now })
  return { tlsEnd: set.by === 'proxy' ? set : { by: 'service', serverCertificate: read }, caFile }
}

async function migrateOrRefuse(url: string, setting: string): Promise<void> {
  try {
    await migrate(url)
  } catch (error) {
    throw new SettingRefused(`The database of ${setting} cannot be used: ${(error as Error).message}.`)
  }
}

async function listening(
  name: ListenerName,
  settings: Settings,
  listen: (host: string, port: number) => Promise<number>,
): Promise<number> {
  try {
    return await listen(settings.host, settings.ports[name])
  } catch (error) {
    const variable = name === 'api' ? 'PORT' : `${name.toUpperCase()}_PORT`
    throw new SettingRefused(
      `${variable} ${settings.ports[name]} on HOST ${settings.host} cannot be listened on: ${(error as Error).message}.`,
    )
  }
}

/** What moves may still arrive; a transfer that takes longer is cut, and its sender begins again. */
const drainMilliseconds = 5_000

function drainServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), drainMilliseconds)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
  })
}

function publicHosts(settings: Settings, ports: Partial<Record<ListenerName, number>>): Hosts {
  const at = (name: ListenerName): string => listenerUrl(settings, name, ports[name] ?? settings.ports[name])
  return {
    baseUrl: at('api'),
    mtlsBaseUrl: at('mtls'),
    sandboxBaseUrl: at('sandbox'),
    consoleUrl: at('console'),
    storageUrl: settings.publicUrls.storage ?? settings.s3?.endpoint ?? at('storage'),
    opsUrl: at('ops'),
  }
}

/** What stops a start with a sentence for people rather than with a stack. */
export function isStartRefusal(error: unknown): error is Error {
  return (
    error instanceof SettingRefused ||
    error instanceof EmbeddedServerRefused ||
    error instanceof DemoRefused ||
    error instanceof Outage
  )
}
