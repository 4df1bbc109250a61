import type { Logger } from 'pino'
import type { ArtworkEngine } from './artwork/engine.ts'
import type { Database } from './database/database.ts'
import type { RunningWorker } from './database/worker.ts'
import type { Outcomes } from './intake/outcomes.ts'
import { startSubmissionWorker } from './intake/submission-worker.ts'
import type { SubmissionWorkers } from './intake/submissions.ts'
import { keptForATime } from './kept-for-a-time.ts'
import type { KeptMails } from './outside/mailer/kept-mails.ts'
import type { Mailer } from './outside/mailer/mailer.ts'
import type { ObjectStore } from './outside/object-store/object-store.ts'
import { startArtworkInspector } from './platform/artwork/inspector.ts'
import { startPartnerAlerts } from './partners/partner-alerts.ts'
import { startAuditSealer } from './platform/audit/audit-chain.ts'
import { startCreditExpirer } from './platform/credit/credit-expirer.ts'
import type { LetterTools } from './platform/mail/letters/letter-maker.ts'
import { startMailWorker } from './platform/mail/mail-worker.ts'
import type { Suppliers } from './platform/ordering/plan-order.ts'
import { startProofPublisher } from './platform/proofs/publish-due-proofs.ts'
import { startRetention } from './retention/retention.ts'
import type { KeepDays } from './settings.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import type { Clock } from './vocabulary/clock.ts'
import type { Tracing } from './vocabulary/tracing.ts'
import { startEventPublisher } from './webhooks/event-publisher.ts'
import { startWebhookCourier } from './webhooks/webhook-courier.ts'
import type { KeyRing } from './vocabulary/keys.ts'
import type { DeliveryOutcome, MailOutcome } from './vocabulary/sending-outcomes.ts'

/** The background workers of one environment. */
export type Workers = {
  submissions: SubmissionWorkers
  /** when each of them last made a round that did not fail, by its name in snake_case */
  lastRounds: () => Readonly<Record<string, Date>>
  /** finishes what is under way and stops */
  close: () => Promise<void>
}

export function startWorkers(parts: {
  database: Database
  objectStore: ObjectStore
  suppliers: Suppliers
  outcomes: Outcomes
  /** only in the sandbox */
  sandbox: Sandbox | undefined
  artworkEngine: ArtworkEngine
  mailer: Mailer
  keptMails: KeptMails
  keepDays: KeepDays
  pageUrl: LetterTools['pageUrl']
  storedSecretKeys: KeyRing
  linkKeys: KeyRing
  clock: Clock
  monotonic: () => number
  log: Logger
  tracing: Tracing
  observeDelivery: (outcome: DeliveryOutcome) => void
  observeMail: (outcome: MailOutcome) => void
}): Workers {
  const { database, sandbox, clock, log } = parts
  const submissions = startSubmissionWorker({ ...parts, sandbox: sandbox?.intake })
  // Orders and their webhooks. Receivers compare timestamps with their own clocks, so publisher and courier go by real
  // time in the sandbox too.
  const ofOrders = {
    submissions,
    ...(sandbox && { simulator: sandbox.startSimulator() }),
    artwork_inspector: startArtworkInspector({ ...parts, engine: parts.artworkEngine, sandbox: sandbox?.inspections }),
    proof_publisher: startProofPublisher({ ...parts, apart: sandbox?.isPlayed }),
    event_publisher: startEventPublisher({ database, clock, log, tracing: parts.tracing }),
    webhook_courier: startWebhookCourier({
      ...parts,
      attemptFor: sandbox?.attemptFor,
      recorded: parts.observeDelivery,
    }),
  }
  const mails = startMailWorker({ ...parts, isSandbox: sandbox !== undefined })
  const sealer = startAuditSealer(database, log)
  const daily = {
    credit_expirer: startCreditExpirer({ database, clock, log }),
    partner_alerts: startPartnerAlerts({ database, clock, log }),
    retention: startRetention({
      keptForATime: keptForATime(database, parts.objectStore, parts.keptMails, parts.keepDays),
      before: sandbox?.beforeRemoval,
      clock,
      log,
    }),
  }
  const beforeSealer: Readonly<Record<string, RunningWorker>> = { ...ofOrders, mails, ...daily }
  return {
    submissions,
    lastRounds: () =>
      Object.fromEntries(
        Object.entries({ ...beforeSealer, audit_sealer: sealer }).map(([name, worker]) => [name, worker.lastRoundOn()]),
      ),
    close: async () => {
      await Promise.all(Object.values(beforeSealer).map((worker) => worker.close()))
      await sealer.close()
    },
  }
}
