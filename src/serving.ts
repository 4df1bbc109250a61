import type { Server } from 'node:http'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { passwordLinkPath } from './auth/sign-in/password-links.ts'
import { openDeveloperSite } from './developer-site/listener.ts'
import { type ArtworkEngine, createArtworkEngine } from './artwork/engine.ts'
import { newestBackupOn } from './backup/backups.ts'
import { notedBackup } from './backup/noted-backup.ts'
import { startFileCopier } from './backup/file-copier.ts'
import { readArchiveWorks, tellOfArchive } from './database/wal-archive.ts'
import type { BothDatabases } from './databases.ts'
import { watchDependencies } from './dependencies.ts'
import { demoCertificate } from './demo/demo-certificate.ts'
import { folderWithFilesWhenOpened } from './demo/files-when-asked.ts'
import { demoProductImage } from './demo/product-images/product-images.ts'
import { demoManifest, writeManifest, type Hosts, type Manifest } from './demo/manifest.ts'
import { seedApart } from './demo/seed-apart.ts'
import { isSeeded, seedAll, type Seeded, type SeedNews } from './demo/seed.ts'
import { openEnvironment, type OpenEnvironment } from './environment.ts'
import { sourceAddressReader } from './gateway/edge/source-address.ts'
import type { Front } from './http/front.ts'
import { listenAt } from './http/server.ts'
import type { Listeners } from './listeners.ts'
import { noteKeyInUse } from './master-keys.ts'
import { fileServerCertificate, selfMadeServerCertificate } from './mutual-tls/server-certificate.ts'
import type { Metrics } from './operations/metrics.ts'
import type { Readiness } from './operations/readiness.ts'
import type { TemplateVendor } from './outside/template-vendor/template-vendor.ts'
import type { TlsEnd } from './partner-credentials.ts'
import { dutiesOf } from './role.ts'
import type { Settings } from './settings.ts'
import { inParts, silentSteps, type Steps } from './start-steps.ts'
import { createChangeFeed } from './staff/changes/change-feed.ts'
import { openStaffHost } from './staff/listener.ts'
import type { StaffEnvironment } from './staff/environment.ts'
import { openStorage, type Storage } from './storage.ts'
import { openTemplateVendor } from './template-vendor.ts'
import { allEnded } from './vocabulary/all-ended.ts'
import type { Clock } from './vocabulary/clock.ts'
import type { Environment } from './vocabulary/environment.ts'
import { keyRing, type MasterKeys } from './vocabulary/keys.ts'
import type { Tracing } from './vocabulary/tracing.ts'

/**
 * The part of the composition root that stands on databases that are up to date: demo data, both environments and all
 * that listens. It is apart because its modules are most of the service, and are loaded while PostgreSQL starts.
 */

export type Service = {
  hosts: Hosts
  /** those of `hosts` on which this process listens */
  opened: Partial<Hosts>
  production: OpenEnvironment
  sandbox: OpenEnvironment
  /** null without demo data */
  manifest: Manifest | null
  /** answers what is under way, then closes everything, including the embedded server */
  close: () => Promise<void>
  /** tells balancers that this process will stop: it is not ready from now on, and answers all the same */
  drain: () => void
}

export type ServiceOptions = {
  clock: Clock
  log: Logger
  /** says what the start does */
  steps?: Steps
  /** overrides the settings: whether production's demo data has the thousands of rows around the cast */
  crowd?: boolean
  submissionWaitMilliseconds?: number
  /** how long idle connections of clients stay open after the stop has begun; 0 by default */
  closingGraceMilliseconds?: number
  /** how often streams of events show that they are there; 15 s by default */
  streamPulseMilliseconds?: number
  /** the clock of the limits: milliseconds, never set back */
  monotonic?: () => number
  /** left out of a benchmark, to see what it costs */
  requestLog?: 'off'
  /** used instead of the engine that inspects artwork in child processes */
  artworkEngine?: ArtworkEngine
  /** used instead of the vendor of the settings */
  templateVendor?: TemplateVendor
  /** PEM certificates trusted instead of the public authorities when documents of applications are fetched */
  clientDocumentAuthorities?: readonly string[]
}

const submissionWaitMilliseconds = 20_000
const streamPulseMilliseconds = 15_000

/** What all parts of the service need. */
export type Ground = {
  settings: Settings
  options: ServiceOptions
  keys: MasterKeys
  metrics: Metrics
  tracingOf: (environment: Environment | 'STAFF') => Tracing
  readiness: Readiness
  listeners: Listeners
  operations: Front
  opened: AsyncDisposableStack
}

/** @throws SettingRefused, DemoRefused; what was opened until then is in `ground.opened` */
export async function serve(ground: Ground, urls: BothDatabases): Promise<Service> {
  const { settings, options, keys, metrics, listeners, opened } = ground
  const { clock, log, steps = silentSteps } = options
  const storage = await openStorage({
    ...settings,
    masterKeys: keys,
    clock,
    log,
    ownUrl: () => listeners.hosts().storageUrl,
    consoleUrl: () => listeners.hosts().consoleUrl,
    folderOf: (folder) => (settings.demo ? folderWithFilesWhenOpened(folder, demoProductImage) : folder),
  })
  if (dutiesOf(settings).answers) await listenStorage(ground, storage)
  const { dataDir, backupDir } = settings
  if (backupDir !== undefined) metrics.watchBackups(() => newestBackupOn(backupDir))
  if (backupDir !== undefined && !settings.s3) {
    const noteUse = (environment: Environment, isUp: boolean): void =>
      metrics.observeUse(environment, 'backup_files', isUp)
    opened.defer(startFileCopier({ dataDir, backupDir, noteUse, log }).close)
  }
  const templates = await openTemplateVendor(settings, log)
  opened.defer(templates.close)

  const casts = settings.demo ? await seedBoth(ground, urls, steps) : null
  return steps('opens the addresses', async () => {
    const service = await openBoth(ground, urls, storage, templates.vendor, openArtworkEngine(ground), casts)
    return [service, `${Object.keys(service.opened).length} of them`]
  })
}

/** One engine serves both environments, so that together they inspect no more files at once than there are processors. */
function openArtworkEngine({ settings, options, opened }: Ground): ArtworkEngine | undefined {
  if (!dutiesOf(settings).works) return undefined
  if (options.artworkEngine) return options.artworkEngine
  const engine = createArtworkEngine({ log: (line) => options.log.info(line) })
  opened.defer(engine.close)
  return engine
}

type Casts = { production: Seeded; sandbox: Seeded }

/** Brings the demo data into both databases, or finds it there. */
function seedBoth({ settings, options, keys }: Ground, urls: BothDatabases, steps: Steps): Promise<Casts> {
  return steps('brings the demo data', async (tellDone) => {
    let keptSince: string | undefined
    const crowd = options.crowd ?? settings.demoCrowd
    // The crowd has most of the rows, and the two casts about the same number.
    const [production, sandbox] = inParts(tellDone, crowd ? [0.95, 0.05] : [0.5, 0.5])
    const tellers = { PRODUCTION: production!, SANDBOX: sandbox! }
    const newsOf = (environment: Environment): SeedNews => ({
      tellDone: tellers[environment],
      tellKept: (madeOn) => (keptSince = madeOn),
    })
    const now = options.clock()
    const seedings = (['PRODUCTION', 'SANDBOX'] as const).map((environment) => ({
      databaseUrl: urls[environment].owner,
      options: { environment, masterKeys: keys, now, crowd: crowd && environment === 'PRODUCTION' },
    }))
    // A thread takes longer to start than to find the data there, or to make the cast alone.
    const isMuch = crowd && !(await isSeeded(urls.PRODUCTION.owner, 'PRODUCTION'))
    const [first, second] = isMuch ? await seedApart(seedings, newsOf) : await seedAll(seedings, newsOf)
    return [
      { production: first!, sandbox: second! },
      keptSince ? `kept, made on ${keptSince.slice(0, 16).replace('T', ' at ')} UTC` : 'made, dated from now',
    ]
  })
}

async function openBoth(
  ground: Ground,
  urls: BothDatabases,
  storage: Storage,
  templateVendor: TemplateVendor,
  artworkEngine: ArtworkEngine | undefined,
  casts: Casts | null,
): Promise<Service> {
  const { settings, options, keys, metrics, readiness, listeners, operations, opened } = ground
  const { clock } = options
  const open = (name: Environment) => openOne(ground, name, urls[name].service, storage, templateVendor, artworkEngine)
  const [production, sandbox] = await allEnded([open('PRODUCTION'), open('SANDBOX')])

  if (dutiesOf(settings).answers) {
    await listenPartnerApis(ground, production, sandbox)
    await listenStaff(ground, production, sandbox)
    await listenDeveloperSite(ground)
  }
  const { tlsEnd, caFile } = await mutualTls(settings, keys, clock())
  const certificate =
    casts &&
    (await demoCertificate(production.database, {
      demoKey: casts.production.demoKey,
      dataDir: settings.dataDir,
      now: clock(),
    }))
  const { partnerApi } = production
  if (partnerApi) await listeners.open('mtls', (host, port) => partnerApi.listenMutualTls(tlsEnd, host, port))
  tellOfArchives(ground, production, sandbox)
  watchDependencies(readiness, [production, sandbox], storage, metrics.observeUse)
  await listeners.open('ops', operations.listen)

  const hosts = listeners.hosts()
  const manifest = casts && demoManifest(hosts, casts, certificate ? { ...certificate, caFile } : undefined)
  if (manifest) await writeManifest(settings.dataDir, manifest)
  return {
    hosts,
    opened: listeners.opened(),
    production,
    sandbox,
    manifest,
    drain: readiness.drain,
    close: async () => {
      readiness.drain()
      await opened.disposeAsync()
    },
  }
}

function tellOfArchives({ settings, options, opened }: Ground, ...environments: OpenEnvironment[]): void {
  const { databaseUrl, dataDir } = settings
  const isEmbedded = databaseUrl === undefined
  // The embedded server has both databases, and one archive.
  for (const { name, database } of isEmbedded ? environments.slice(0, 1) : environments) {
    const telling = tellOfArchive({
      reads: database.longReads,
      causeIn: isEmbedded ? join(dataDir, 'postgres', 'postgresql.log') : 'its log',
      log: options.log.child({ environment: name }),
    })
    opened.defer(telling.close)
  }
}

async function listenStorage({ listeners, opened }: Ground, { server }: Storage): Promise<void> {
  if (!server) return
  opened.defer(() => drainServer(server))
  await listeners.open('storage', (host, port) => listenAt(server, host, port))
}

async function openOne(
  { settings, options, keys, metrics, tracingOf, listeners, opened }: Ground,
  name: Environment,
  databaseUrl: string,
  storage: Storage,
  templateVendor: TemplateVendor,
  artworkEngine: ArtworkEngine | undefined,
): Promise<OpenEnvironment> {
  const environment = await openEnvironment({
    name,
    databaseUrl,
    databaseReplicaUrl: name === 'PRODUCTION' ? settings.databaseReplicaUrl : undefined,
    objectStore: storage.storeOf(name, listeners.hosts().storageUrl),
    templateVendor: options.templateVendor ?? templateVendor,
    artworkEngine,
    clientDocumentAuthorities: options.clientDocumentAuthorities,
    masterKeys: keys,
    settings,
    clock: options.clock,
    monotonic: options.monotonic ?? (() => performance.now()),
    log: options.log,
    tracing: tracingOf(name),
    observe: (operation, status, milliseconds) => metrics.observe(name, operation, status, milliseconds),
    observeDelivery: (outcome) => metrics.observeDelivery(name, outcome),
    observeUnlogged: (calls) => metrics.observeUnlogged(name, calls),
    requestLog: options.requestLog,
    observeMail: (outcome) => metrics.observeMail(name, outcome),
    observeRefusal: (limiter) => metrics.observeRefusal(name, limiter),
    observeUse: (dependency, isUp) => metrics.observeUse(name, dependency, isUp),
    observeCertificate: metrics.observeCertificate,
    developerUrl: () => listeners.url('developer'),
    pageUrl: (link, token) => baseUrlOf(listeners, name) + passwordLinkPath(link, token),
    submissionWaitMilliseconds: options.submissionWaitMilliseconds ?? submissionWaitMilliseconds,
    closingGraceMilliseconds: options.closingGraceMilliseconds ?? 0,
    streamPulseMilliseconds: options.streamPulseMilliseconds ?? streamPulseMilliseconds,
  })
  opened.defer(environment.close)
  metrics.watchEnvironment(name, {
    backlogs: environment.backlogs,
    archiveWorks: () => readArchiveWorks(environment.database.longReads),
    connections: environment.database.connections,
    lastRounds: environment.lastRounds,
  })
  if (name === 'PRODUCTION' && settings.backupDir === undefined)
    metrics.watchBackups(() => notedBackup(environment.database.longReads))
  const noting = noteKeyInUse({ database: environment.database, keys, environment: name, log: options.log })
  opened.defer(noting.close)
  return environment
}

async function listenPartnerApis(
  { listeners, opened }: Ground,
  production: OpenEnvironment,
  sandbox: OpenEnvironment,
): Promise<void> {
  opened.defer(async () => {
    await Promise.all([production.partnerApi?.drain(), sandbox.partnerApi?.drain()])
  })
  if (production.partnerApi) await listeners.open('api', production.partnerApi.listen)
  if (sandbox.partnerApi) await listeners.open('sandbox', sandbox.partnerApi.listen)
}

async function listenStaff(
  { settings, options, keys, metrics, tracingOf, listeners, opened }: Ground,
  production: OpenEnvironment,
  sandbox: OpenEnvironment,
): Promise<void> {
  const environment = ({ name, partnerTime, ...open }: OpenEnvironment): StaffEnvironment => ({
    database: open.database,
    changes: createChangeFeed(open.database, options.log),
    // A process that answers staff answers partners too.
    standing: open.partnerApi!.standing,
    accounts: production.database.reads,
    objectStore: open.objectStore,
    keptMails: open.keptMails,
    suppliers: open.suppliers,
    carriers: open.carriers,
    hasTaxService: open.hasTaxService,
    partnerTime,
    keys: (purpose) => keyRing(keys, name, purpose),
    lineUrl: ({ orderNumber, lineNumber }) =>
      `${listeners.hosts().consoleUrl}/${name.toLowerCase()}/orders/${orderNumber}/lines/${lineNumber}`,
    invitationUrl: (token) => baseUrlOf(listeners, name) + passwordLinkPath('invitation', token),
  })
  const sourceAddress = sourceAddressReader(settings.trustedProxies)
  const environments = { PRODUCTION: environment(production), SANDBOX: environment(sandbox) }
  opened.defer(async () => {
    await Promise.all(Object.values(environments).map(({ changes }) => changes.close()))
  })
  const staff = openStaffHost({
    environments,
    hosts: listeners.hosts,
    sourceAddress: ({ socket, headers }) => sourceAddress(socket.remoteAddress, headers['x-forwarded-for']),
    clock: options.clock,
    log: options.log,
    tracing: tracingOf('STAFF'),
    observe: (operation, status, milliseconds, code) => {
      metrics.observe('STAFF', operation, status, milliseconds)
      // Staff accounts are in the production database.
      if (code === 'sign_in_throttled') metrics.observeRefusal('PRODUCTION', 'staff_sign_in_attempts')
    },
    closingGraceMilliseconds: options.closingGraceMilliseconds ?? 0,
    streamPulseMilliseconds: options.streamPulseMilliseconds ?? streamPulseMilliseconds,
  })
  opened.defer(staff.close)
  await listeners.open('console', staff.listen)
}

/** The site for the developers of partners. */
async function listenDeveloperSite({ options, listeners, opened }: Ground): Promise<void> {
  const site = openDeveloperSite({
    hosts: listeners.hosts,
    closingGraceMilliseconds: options.closingGraceMilliseconds ?? 0,
    log: options.log,
  })
  opened.defer(site.close)
  await listeners.open('developer', site.listen)
}

/** The bearer host of an environment, where people sign in. */
function baseUrlOf(listeners: Listeners, name: Environment): string {
  return listeners.hosts()[name === 'PRODUCTION' ? 'baseUrl' : 'sandboxBaseUrl']
}

/** Where TLS of the mutual-TLS host ends, and the authority that clients must trust. */
async function mutualTls(settings: Settings, keys: MasterKeys, now: Date): Promise<{ tlsEnd: TlsEnd; caFile: string }> {
  const { mutualTls: set, dataDir } = settings
  const { read, caFile } =
    set.by === 'files'
      ? await fileServerCertificate(set)
      : await selfMadeServerCertificate({ masterKeys: keys, dataDir, now })
  return { tlsEnd: set.by === 'proxy' ? set : { by: 'service', serverCertificate: read }, caFile }
}

/** Transfers under way have this long to finish; a longer one is cut, and its sender must begin again. */
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
