import type { Logger } from 'pino'
import type { ArtworkEngine } from './artwork/engine.ts'
import { openDatabase, type Database } from './database/database.ts'
import { tracedDatabase } from './database/traced-database.ts'
import { type LaggingReads, replicaReads } from './database/replica.ts'
import { startEraser } from './privacy/eraser.ts'
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
import { type KeptMails, keptMails } from './outside/mailer/kept-mails.ts'
import type { Mailer } from './outside/mailer/mailer.ts'
import type { SmtpServer } from './outside/mailer/smtp-mailer.ts'
import type { ObjectStore } from './outside/object-store/object-store.ts'
import type { TemplateVendor } from './outside/template-vendor/template-vendor.ts'
import { openPartnerApi, type PartnerApi } from './partner-api.ts'
import { inspectionBacklog } from './platform/artwork/claim-inspections.ts'
import { auditBacklog } from './platform/audit/audit-chain.ts'
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
import { noTracing, type Tracing } from './vocabulary/tracing.ts'
import { noteUses, type NoteUse } from './vocabulary/dependencies.ts'
import type { Environment } from './vocabulary/environment.ts'
import { type KeyPurpose, keyRing, type KeyRing, type MasterKeys } from './vocabulary/keys.ts'
import type { Limiter } from './vocabulary/limiters.ts'
import type { DeliveryOutcome, MailOutcome } from './vocabulary/sending-outcomes.ts'
import { webhookBacklogs } from './webhooks/webhook-backlogs.ts'
import { startWorkers, type Workers } from './workers.ts'

/** One of the two environments, production or sandbox: its database, its partner API and its workers. */
export type OpenEnvironment = {
  name: Environment
  database: Database
  /** the store of its files */
  objectStore: ObjectStore
  /** the mails that are kept as files */
  keptMails: KeptMails
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
  /** when each of its workers last made a round that did not fail */
  lastRounds: Workers['lastRounds']
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
  masterKeys: MasterKeys
  settings: Settings
  clock: Clock
  /** PEM certificates trusted instead of the public authorities when documents of applications are fetched */
  clientDocumentAuthorities: readonly string[] | undefined
  /** milliseconds, never set back */
  monotonic: () => number
  log: Logger
  tracing: Tracing
  observe: (operation: string, status: number, milliseconds: number) => void
  observeDelivery: (outcome: DeliveryOutcome) => void
  observeUnlogged: (calls: number) => void
  requestLog: 'off' | undefined
  observeMail: (outcome: MailOutcome) => void
  /** told of each call that a limiter refused */
  observeRefusal: (limiter: Limiter) => void
  /** told how each use of a dependency went */
  observeUse: NoteUse
  /** told when the certificate of the mutual-TLS listener ends */
  observeCertificate: (endsOn: Date) => void
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
  const keys = (purpose: KeyPurpose): KeyRing => keyRing(given.masterKeys, name, purpose)
  await using opened = new AsyncDisposableStack()

  const { database: plain, balances, close: closeDatabases } = connectDatabases({ ...given, log })
  opened.defer(closeDatabases)
  const database = given.tracing === noTracing ? plain : tracedDatabase(plain, given.tracing)
  const { observeUse } = given
  const ofStore = ['head', 'read', 'write', 'settle', 'remove'] as const
  const givenStore = given.tracing.tool(
    'object_store',
    noteUses(given.objectStore, ofStore, (isUp) => observeUse('object_store', isUp)),
    ofStore,
  )
  const objectStore = settings.demo
    ? withFilesWhenAsked(givenStore, [
        drawsDemoProofs(database.reads),
        demoPrintFile,
        // A folder of our own draws them when they are opened.
        ...(settings.s3 ? [demoProductImage] : []),
      ])
    : givenStore
  const sandbox =
    name === 'SANDBOX'
      ? await openSandbox({
          database,
          objectStore,
          storedSecretKeys: keys('stored-secret'),
          clientSecretKeys: keys('client-secret'),
          eventStreamKeys: keys('event-stream'),
          webhookCheckKeys: keys('webhook-check'),
          receiverHosts: settings.sandboxWebhookHosts,
          forgetUsage: forgetQuotasOf,
          meaningOf: (code) => staffProblems[code]?.[1],
          clock,
          log,
        })
      : undefined
  if (sandbox) opened.defer(sandbox.close)
  const artworkEgress = createEgress({ allowedHosts: (host) => settings.artworkHosts.includes(host) })
  const accounts = openAccounts(settings, name, observeUse, given.tracing)
  opened.defer(async () => accounts.close())
  const ofVendor = ['document', 'check', 'render'] as const
  const suppliers = {
    carrierRates: carrierRates(accounts.carriers, given.monotonic),
    serviceTaxes: serviceTaxes(accounts.taxService, given.monotonic),
    templateVendor: given.tracing.tool(
      'template_vendor',
      noteUses(given.templateVendor, ofVendor, (isUp) => observeUse('template_vendor', isUp)),
      ofVendor,
    ),
    artwork: { egress: artworkEgress, objectStore },
  }
  const outcomes = await createOutcomes(database)
  opened.defer(outcomes.close)

  const parts = { ...given, log, keys, database, suppliers, outcomes, sandbox }
  const { artworkEngine } = given
  const kept = keptMails(join(settings.dataDir, 'mail', name.toLowerCase()), settings.smtp?.fromAddress)
  // What happens in the sandbox is told to nobody.
  const mailer = settings.smtp && name === 'PRODUCTION' ? await notedMailer(settings.smtp, observeUse) : kept
  opened.defer(mailer.close)
  // A database from a backup that is older than an erasure: nothing of it is shown before the person is erased again.
  const eraser = await startEraser({
    database,
    objectStore,
    keptMails: kept,
    erasureKeys: keys('erasure'),
    clock,
    log,
  })
  opened.defer(eraser.close)
  const secretKeys = { storedSecretKeys: keys('stored-secret'), linkKeys: keys('link') }
  const workers = artworkEngine
    ? startWorkers({
        ...parts,
        ...secretKeys,
        objectStore,
        artworkEngine,
        mailer,
        keptMails: kept,
        keepDays: settings.keepDays,
      })
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
    keptMails: kept,
    suppliers,
    carriers: accounts.carriers,
    hasTaxService: accounts.taxService !== null,
    partnerTime: sandbox?.partnerTime,
    partnerApi,
    backlogs: async () => {
      const { longReads } = database
      return (
        await Promise.all([
          submissionBacklogs(longReads),
          inspectionBacklog(longReads),
          webhookBacklogs(longReads),
          mailBacklog(longReads),
          auditBacklog(longReads),
          sandbox?.backlog() ?? [],
        ])
      ).flat()
    },
    lastRounds: () => ({ eraser: eraser.lastRoundOn(), ...workers?.lastRounds() }),
    close: () => everything.disposeAsync(),
  }
}

/** Sends over the mail server, and also tells how each use of the mail server went. A server that answers is up, whatever it answers. */
async function notedMailer(server: SmtpServer, observeUse: NoteUse): Promise<Mailer> {
  const { smtpMailer } = await import('./outside/mailer/smtp-mailer.ts')
  const mailer = smtpMailer(server)
  return {
    ...mailer,
    send: async (mail) => {
      const sending = await mailer.send(mail)
      observeUse('mail_server', sending.outcome !== 'unreachable')
      return sending
    },
  }
}

/** The database and, if there is one, its replica. */
function connectDatabases(
  parts: Pick<EnvironmentParts, 'databaseUrl' | 'databaseReplicaUrl' | 'settings' | 'monotonic' | 'observeUse' | 'log'>,
): {
  database: Database
  balances: LaggingReads
  close: () => Promise<void>
} {
  const { databaseUrl, databaseReplicaUrl, monotonic, observeUse, log } = parts
  const { connections } = parts.settings
  const database = openDatabase(databaseUrl, { log, connections })
  if (databaseReplicaUrl === undefined) return { database, balances: database, close: database.close }
  const replica = openDatabase(databaseReplicaUrl, { log, connections })
  const noteUse = (isUp: boolean): void => observeUse('replica', isUp)
  return {
    database,
    balances: replicaReads({ primary: database, replica, monotonic, noteUse, log }),
    close: async () => {
      await Promise.all([database.close(), replica.close()])
    },
  }
}
