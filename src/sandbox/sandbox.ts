import type { Logger } from 'pino'
import type { AnyHandler, Paired } from '../contract/operation.ts'
import type { Database } from '../database/database.ts'
import { sql, type SqlPart } from '../database/sql.ts'
import type { Worker } from '../database/worker.ts'
import type { SandboxIntake } from '../intake/submission-worker.ts'
import type { ObjectStore } from '../outside/object-store/object-store.ts'
import type { SandboxInspections } from '../platform/artwork/inspector.ts'
import type { makeAttempt } from '../webhooks/attempt.ts'
import type { Backlog } from '../vocabulary/backlog.ts'
import type { Clock, PartnerTime } from '../vocabulary/clock.ts'
import { controlOperations } from './control/handlers.ts'
import { simulatorBacklog } from './due-orders.ts'
import { createEventStreams } from './event-streams.ts'
import { keepAllEarned } from './go-live/go-live.ts'
import { interceptInspection } from './magic-files.ts'
import { interceptSubmission } from './magic-inputs.ts'
import { withMagic } from './magic-handlers.ts'
import { misbehavingAttempts } from './misbehaviour.ts'
import { partnerTime } from './partner-clock.ts'
import type { ForgetUsage } from './reset-partner.ts'
import { isPlayed, wakeForArtwork } from './sandbox-artwork.ts'
import { enrolOrder, startSimulator } from './simulator.ts'
import type { KeyRing } from '../vocabulary/keys.ts'

/**
 * What the sandbox adds to the service: a clock for each partner, orders that move by themselves, magic inputs,
 * deliveries that go wrong on purpose, and an API to control it all. The service gets these as values; production has
 * none of them.
 */
export type Sandbox = {
  partnerTime: PartnerTime
  intake: SandboxIntake
  attemptFor: (endpointId: string, deliveryId: number) => Promise<typeof makeAttempt>
  withMagic: (id: string, handler: AnyHandler) => AnyHandler
  /** operations of the control API */
  control: Paired[]
  startSimulator: () => Worker
  inspections: SandboxInspections
  /** the condition on `line` of orders whose proofs the simulator publishes */
  isPlayed: SqlPart
  /** the orders that wait for the simulator. @throws Outage */
  backlog: () => Promise<Backlog[]>
  /** writes down what is seen only in data that is kept for a time, before it is removed */
  beforeRemoval: (ending: AbortSignal) => Promise<void>
  /** call it when no stream of events is open any more */
  close: () => Promise<void>
}

export async function openSandbox(parts: {
  database: Database
  objectStore: ObjectStore
  storedSecretKeys: KeyRing
  clientSecretKeys: KeyRing
  eventStreamKeys: KeyRing
  webhookCheckKeys: KeyRing
  receiverHosts: readonly string[]
  forgetUsage: ForgetUsage
  /** what a code with which a verb of staff refuses means, as a sentence */
  meaningOf: (code: string) => string | undefined
  /** real time */
  clock: Clock
  log: Logger
}): Promise<Sandbox> {
  const { database, objectStore, clock, log } = parts
  await database.statements.rows(sql`insert into sandbox_database default values on conflict do nothing`)
  const time = partnerTime(database.reads)
  const eventStreams = createEventStreams({ database, clock, log })
  return {
    partnerTime: time,
    intake: { partnerTime: time, intercept: interceptSubmission, alongside: enrolOrder },
    attemptFor: misbehavingAttempts(database, log),
    withMagic: (id, handler) => withMagic(database, id, handler),
    control: controlOperations({ ...parts, realClock: clock, partnerTime: time, eventStreams }),
    startSimulator: () => startSimulator({ database, objectStore, clock, log }),
    inspections: { partnerTime: time, intercept: interceptInspection, alongside: wakeForArtwork },
    isPlayed,
    backlog: () => simulatorBacklog(database.longReads, clock()),
    beforeRemoval: (ending) => keepAllEarned(database.statements, ending),
    close: eventStreams.close,
  }
}
