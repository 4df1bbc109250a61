import type { Logger } from 'pino'
import type { ArtworkEngine } from './artwork/engine.ts'
import type { Database } from './database/database.ts'
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
import type { Sandbox } from './sandbox/sandbox.ts'
import type { Clock } from './vocabulary/clock.ts'
import { startEventPublisher } from './webhooks/event-publisher.ts'
import { startWebhookCourier } from './webhooks/webhook-courier.ts'

/** The background workers of one environment. */
export type Workers = {
  submissions: SubmissionWorkers
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
  pageUrl: LetterTools['pageUrl']
  storedSecretKey: Buffer
  linkKey: Buffer
  clock: Clock
  monotonic: () => number
  log: Logger
  observeDelivery: (outcome: string) => void
  observeMail: (outcome: string) => void
}): Workers {
  const { database, sandbox, clock, log } = parts
  const submissions = startSubmissionWorker({ ...parts, sandbox: sandbox?.intake })
  // Orders and their webhooks. Receivers compare timestamps with their own clocks, so publisher and courier go by real
  // time in the sandbox too.
  const ofOrders = [
    submissions,
    ...(sandbox ? [sandbox.startSimulator()] : []),
    startArtworkInspector({ ...parts, engine: parts.artworkEngine, sandbox: sandbox?.inspections }),
    startProofPublisher({ ...parts, apart: sandbox?.isPlayed }),
    startEventPublisher({ database, clock, log }),
    startWebhookCourier({ ...parts, attemptFor: sandbox?.attemptFor, recorded: parts.observeDelivery }),
  ]
  const mails = startMailWorker({ ...parts, isSandbox: sandbox !== undefined })
  const sealer = startAuditSealer(database, log)
  const daily = [
    startCreditExpirer({ database, clock, log }),
    startPartnerAlerts({ database, clock, log }),
    startRetention({
      keptForATime: keptForATime(database, parts.objectStore, parts.keptMails),
      before: sandbox?.beforeRemoval,
      clock,
      log,
    }),
  ]
  return {
    submissions,
    close: async () => {
      await Promise.all([...ofOrders, mails, ...daily].map((worker) => worker.close()))
      await sealer.close()
    },
  }
}
