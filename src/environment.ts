import type { Logger } from 'pino'
import type { ArtworkEngine } from './artwork/engine.ts'
import { openDatabase, type Database, type Queries } from './database/database.ts'
import { replicaReads } from './database/replica.ts'
import { withFilesWhenAsked } from './demo/files-when-asked.ts'
import { demoProductImage } from './demo/product-images/product-images.ts'
import { demoPrintFile } from './demo/print-files.ts'
import { drawsDemoProofs } from './demo/proof-files.ts'
import { forgetQuotasOf } from './gateway/throttle/forget-quotas.ts'
import { createOutcomes } from './intake/outcomes.ts'
import { submissionBacklogs } from './intake/submission-backlogs.ts'
import { noWorkersHere } from './intake/submissions.ts'
import { createEgress } from './outside/egress/guarded-request.ts'
import { join } from 'node:path'
import { keptMails } from './outside/mailer/kept-mails.ts'
import { smtpMailer } from './outside/mailer/smtp-mailer.ts'
import type { ObjectStore } from './outside/object-store/object-store.ts'
import type { TemplateVendor } from './outside/template-vendor/template-vendor.ts'
import { openPartnerApi, type PartnerApi } from './partner-api.ts'
import { inspectionBacklog } from './platform/artwork/claim-inspections.ts'
import { mailBacklog } from './platform/mail/claim-mails.ts'
import type { LetterTools } from './platform/mail/letters/letter-maker.ts'
import { openAccounts } from './outside-accounts.ts'
import type { Carriers } from './outside/carriers/carriers.ts'
import type { Suppliers } from './platform/ordering/plan-order.ts'
import { serviceTaxes } from './platform/pricing/service-taxes.ts'
import { carrierRates } from './platform/shipping/carrier-rates.ts'
import { dutiesOf } from './role.ts'
import { openSandbox } from './sandbox/sandbox.ts'
import { staffProblems } from './staff/api.ts'
import type { Settings } from './settings.ts'
import type { Backlog } from './vocabulary/backlog.ts'
import type { Clock, PartnerTime } from './vocabulary/clock.ts'
import type { Environment } from './vocabulary/environment.ts'
import { deriveKey, type KeyPurpose } from './vocabulary/keys.ts'
import { webhookBacklogs } from './webhooks/webhook-backlogs.ts'
import { startWorkers } from './workers.ts'

/** One of the two environments, production or sandbox: its database, its partner API and its workers. */
export type OpenEnvironment = {
  name: Environment
  database: Database
  /** the store of its files */
  objectStore: ObjectStore
  suppliers: Suppliers
  /** null = no account at carriers */
  carriers: Carriers | null
  hasTaxService: boolean
  /** only the sandbox's partners have clocks of their own */
  partnerTime?: PartnerTime | undefined
  /** undefined in a process that does not answer requests */
  partnerApi: PartnerApi | undefined
  /** the lengths of its queues. @throws Outage */
  backlogs: () => Promise<Backlog[]>
  /** stops the workers and closes the connections, after the partner API has drained */
  close: () => Promise<void>
}

export type EnvironmentParts = {
  name: Environment
  databaseUrl: string
  /** a replica of that database, if it has one */
  databaseReplicaUrl: string | undefined
  objectStore: ObjectStore
  templateVendor: TemplateVendor
  /** undefined in a process without workers */
  artworkEngine: ArtworkEngine | undefined
  masterKey: Buffer
  settings: Settings
  clock: Clock
  /** PEM certificates trusted instead of the public authorities when documents of applications are fetched */
  clientDocumentAuthorities: readonly string[] | undefined
  /** milliseconds, never set back */
  monotonic: () => number
  log: Logger
  observe: (operation: string, status: number, milliseconds: number) => void
  observeDelivery: (outcome: string) => void
  observeUnlogged: (calls: number) => void
  requestLog: 'off' | undefined
  observeMail: (outcome: string) => void
  /** the developer site, as people reach it; known once it listens */
  developerUrl: () => string
  /** the addresses of the pages that let people in */
  pageUrl: LetterTools['pageUrl']
  submissionWaitMilliseconds: number
  /** how long idle connections of clients stay open after the stop has begun */
  closingGraceMilliseconds: number
  streamPulseMilliseconds: number
}

export async function openEnvironment(given: EnvironmentParts): Promise<OpenEnvironment> {
  const { name, settings, clock } = given
  const { answers } = dutiesOf(settings)
  const log = given.log.child({ environment: name })
  const key = (purpose: KeyPurpose): Buffer => deriveKey(given.masterKey, name, purpose)
  await using opened = new AsyncDisposableStack()

  const { database, balances, close: closeDatabases } = connectDatabases({ ...given, log })
  opened.defer(closeDatabases)
  const objectStore = settings.demo
    ? withFilesWhenAsked(given.objectStore, [
        drawsDemoProofs(database.reads),
        demoPrintFile,
        // A folder of our own draws them when they are opened.
        ...(settings.s3 ? [demoProductImage] : []),
      ])
    : given.objectStore
  const sandbox =
    name === 'SANDBOX'
      ? await openSandbox({
          database,
          objectStore,
          storedSecretKey: key('stored-secret'),
          clientSecretKey: key('client-secret'),
          eventStreamKey: key('event-stream'),
          webhookCheckKey: key('webhook-check'),
          receiverHosts: settings.sandboxWebhookHosts,
          forgetUsage: forgetQuotasOf,
          meaningOf: (code) => staffProblems[code]?.[1],
          clock,
          log,
        })
      : undefined
  if (sandbox) opened.defer(sandbox.close)
  const artworkEgress = createEgress({ allowedHosts: (host) => settings.artworkHosts.includes(host) })
  const accounts = openAccounts(settings, name)
  opened.defer(async () => accounts.close())
  const suppliers = {
    carrierRates: carrierRates(accounts.carriers, given.monotonic),
    serviceTaxes: serviceTaxes(accounts.taxService, given.monotonic),
    templateVendor: given.templateVendor,
    artwork: { egress: artworkEgress, objectStore },
  }
  const outcomes = await createOutcomes(database)
  opened.defer(outcomes.close)

  const parts = { ...given, log, key, database, suppliers, outcomes, sandbox }
  const { artworkEngine } = given
  const kept = keptMails(join(settings.dataDir, 'mail', name.toLowerCase()), settings.smtp?.fromAddress)
  // What happens in the sandbox is told to nobody.
  const mailer = settings.smtp && name === 'PRODUCTION' ? smtpMailer(settings.smtp) : kept
  opened.defer(mailer.close)
  const secretKeys = { storedSecretKey: key('stored-secret'), linkKey: key('link') }
  const workers = artworkEngine
    ? startWorkers({ ...parts, ...secretKeys, objectStore, artworkEngine, mailer, keptMails: kept })
    : undefined
  if (workers) opened.defer(workers.close)
  const partnerApi = answers
    ? await openPartnerApi({ ...parts, balances, objectStore, workers: workers?.submissions ?? noWorkersHere })
    : undefined
  if (partnerApi) opened.defer(partnerApi.close)

  const everything = opened.move()
  return {
    name,
    database,
    objectStore,
    suppliers,
    carriers: accounts.carriers,
    hasTaxService: accounts.taxService !== null,
    partnerTime: sandbox?.partnerTime,
    partnerApi,
    backlogs: async () => {
      const { reads } = database
      return (
        await Promise.all([
          submissionBacklogs(reads),
          inspectionBacklog(reads),
          webhookBacklogs(reads),
          mailBacklog(reads),
          sandbox?.backlog() ?? [],
        ])
      ).flat()
    },
    close: () => everything.disposeAsync(),
  }
}

/** The database and, if there is one, its replica. */
function connectDatabases(parts: Pick<EnvironmentParts, 'databaseUrl' | 'databaseReplicaUrl' | 'monotonic' | 'log'>): {
  database: Database
  balances: Queries
  close: () => Promise<void>
} {
  const { databaseUrl, databaseReplicaUrl, monotonic, log } = parts
  const database = openDatabase(databaseUrl, { log })
  if (databaseReplicaUrl === undefined) return { database, balances: database.reads, close: database.close }
  const replica = openDatabase(databaseReplicaUrl, { log })
  return {
    database,
    balances: replicaReads({ primary: database.reads, replica: replica.reads, monotonic, log }),
    close: async () => {
      await Promise.all([database.close(), replica.close()])
    },
  }
}
