import type { Logger } from 'pino'
import type { Database, Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { startWorker, type Worker } from '../database/worker.ts'
import type { OrderProblem } from '../platform/ordering/order-request.ts'
import { orderPlacer } from '../platform/ordering/place-orders.ts'
import type { Suppliers } from '../platform/ordering/plan-order.ts'
import type { Change } from '../vocabulary/change.ts'
import type { Clock, PartnerTime } from '../vocabulary/clock.ts'
import { Outage } from '../vocabulary/outage.ts'
import type { Tracing } from '../vocabulary/tracing.ts'
import { claimSubmissions, lanes, leaseSeconds, slotsOf, type Claim, type Lane } from './claim-submissions.ts'
import { completeSubmissions, LeaseLost, rejectSubmission } from './end-submissions.ts'
import type { Outcomes } from './outcomes.ts'
import type { SubmissionRow } from './submission-row.ts'
import { queuedChannel, type SubmissionSlot, type SubmissionWorkers } from './submissions.ts'

export type SubmissionWorker = SubmissionWorkers & {
  /** of the lane that has waited longer */
  lastRoundOn: Worker['lastRoundOn']
  /** finishes the submissions under way and stops */
  close: () => Promise<void>
}

/** What a sandbox does differently with submissions. */
export type SandboxIntake = {
  partnerTime: PartnerTime
  /** postpones or rejects a claimed submission instead of placing it */
  intercept: (claim: Claim) => { problems: OrderProblem[] } | { postponeSeconds: number } | undefined
  /** further writes in the transaction that places the order */
  alongside: (tx: Transaction, partnerId: string, orderNumber: number) => Promise<void>
}

const renewMilliseconds = 1_000
const pollMilliseconds = 1_000
/** A submission is rejected after this many claims that failed by a bug of ours. */
const failuresMax = 5
const pauseSecondsMax = 30

/**
 * Turns queued submissions into orders. A claim is a lease, which the worker renews while it works. When a worker dies,
 * its lease lapses and another worker takes over with a higher claim number. Only the latest claim can end a
 * submission, so nothing is done twice.
 */
export function startSubmissionWorker(parts: {
  database: Database
  suppliers: Suppliers
  outcomes: Outcomes
  clock: Clock
  log: Logger
  tracing: Tracing
  sandbox?: SandboxIntake | undefined
}): SubmissionWorker {
  const { database, log, clock, tracing, sandbox } = parts
  const placeOrder = orderPlacer<Claim, SubmissionRow>({
    database,
    tracing,
    suppliers: parts.suppliers,
    alongside: async (tx, placed) => {
      const [ended] = await Promise.all([
        completeSubmissions(
          tx,
          placed.map(({ ticket: claim, ...rest }) => ({ claim, ...rest })),
        ),
        ...placed.map(({ ticket, order }) => sandbox?.alongside(tx, ticket.partnerId, order.orderNumber)),
      ])
      return ended
    },
  })
  /** the claims under way, whose leases are renewed */
  const leased: Readonly<Record<Lane, Set<Claim>>> = { plain: new Set(), artwork: new Set() }
  const workers: Readonly<Record<Lane, Worker>> = { plain: startLane('plain'), artwork: startLane('artwork') }

  function startLane(lane: Lane): Worker {
    return startWorker({
      log,
      failed: 'submissions cannot be claimed; trying again soon',
      pollMilliseconds,
      slots: slotsOf[lane],
      round: async ({ free, begin }) => {
        const claims = await claimSubmissions(database.statements, lane, free, leased[lane], clock())
        for (const claim of claims) begin(() => work(lane, claim))
        return claims.length === free
      },
    })
  }

  async function work(lane: Lane, claim: Claim): Promise<void> {
    leased[lane].add(claim)
    try {
      await tracing.goOn({ kind: 'CONSUMER', name: 'process submission', parent: claim.traceContext }, (traceContext) =>
        placeOrReject({ ...claim, traceContext }),
      )
    } catch (error) {
      if (!(error instanceof LeaseLost)) await giveBack(claim, error)
    } finally {
      leased[lane].delete(claim)
      // A partner may be at its limit of these slots: each slot that it frees lets in another of its submissions.
      if (lane === 'artwork') workers.artwork.wake()
    }
  }

  async function placeOrReject(claim: Claim): Promise<void> {
    const intercepted = sandbox?.intercept(claim)
    if (intercepted && 'postponeSeconds' in intercepted) return postpone(claim, intercepted.postponeSeconds)
    if (intercepted) return reject(claim, intercepted.problems)
    const { partnerId, partnerOrderId, submissionId, orderingUserId } = claim
    const submitter = { partnerId, partnerOrderId, submissionId }
    const origin = { orderingUserId, submitter, ...causeOf(claim), time: () => timeOf(claim) }
    const placement = await placeOrder(claim.body, origin, claim)
    if ('problems' in placement) return reject(claim, placement.problems)
    parts.outcomes.ended(placement.placed)
  }

  async function reject(claim: Claim, problems: readonly OrderProblem[]): Promise<void> {
    const change = { ...causeOf(claim), now: await timeOf(claim) }
    const { done: ended } = await database.change((tx) => rejectSubmission(tx, change, claim, problems))
    parts.outcomes.ended(ended)
  }

  /** The partner's time now: in the sandbox partners have clocks of their own. */
  async function timeOf({ partnerId }: Claim): Promise<Date> {
    return sandbox ? sandbox.partnerTime(partnerId, clock()) : clock()
  }

  /** After an outage the submission is tried again, however often it meets one. After a bug, only a few times. */
  async function giveBack(claim: Claim, error: unknown): Promise<void> {
    const isOutage = error instanceof Outage
    const facts = { submissionId: claim.submissionId, claims: claim.claims, err: error }
    if (isOutage) log.warn(facts, 'an outage delays a submission')
    else log.error(facts, 'a bug keeps a submission from becoming an order')
    try {
      if (!isOutage && claim.failures + 1 >= failuresMax) {
        const detail = 'The order could not be processed. Quote the submissionId when contacting support.'
        return await reject(claim, [{ reason: 'service_fault', detail }])
      }
      await database.statements.rows(sql`
        update submission
        set failures = failures + ${isOutage ? 0 : 1},
          leased_until = now() + make_interval(secs => ${isOutage ? pauseSeconds(claim) : 1})
        where submission_id = ${claim.submissionId} and status = 'processing' and claims = ${claim.claims}`)
    } catch (problem) {
      log.warn({ err: problem }, 'a submission was not given back; its lease will lapse')
    }
  }

  async function postpone(claim: Claim, seconds: number): Promise<void> {
    await database.statements.rows(sql`
      update submission set leased_until = now() + make_interval(secs => ${seconds})
      where submission_id = ${claim.submissionId} and status = 'processing' and claims = ${claim.claims}`)
  }

  /** Skips locked rows: those submissions are about to end. */
  async function renew(): Promise<void> {
    const submissionIds = lanes.flatMap((lane) => [...leased[lane]].map(({ submissionId }) => submissionId))
    if (submissionIds.length === 0) return
    await database.statements
      .rows(sql`
        with renewed as (
          select submission_id from submission
          where submission_id = any(${submissionIds}::uuid[]) and status = 'processing'
          for no key update skip locked
        )
        update submission
        set leased_until = greatest(submission.leased_until, now() + make_interval(secs => ${leaseSeconds}))
        from renewed where submission.submission_id = renewed.submission_id`)
      .catch((error: Error) => log.warn({ err: error }, 'leases were not renewed'))
  }

  const listening = database.listen(queuedChannel, (hinted) => {
    for (const lane of lanes) if (hinted === lane || hinted === '') workers[lane].wake()
  })
  // Not a worker: a renewal that hangs must not delay the next one.
  const renewing = setInterval(() => void renew(), renewMilliseconds)

  return {
    takeSlot: () => slotFor(workers.plain, (claim) => work('plain', claim)),
    wake: (lane) => workers[lane].wake(),
    lastRoundOn: () =>
      lanes.map((lane) => workers[lane].lastRoundOn()).reduce((one, other) => (one < other ? one : other)),
    close: async () => {
      const stopListening = await listening
      await stopListening()
      await Promise.all(lanes.map((lane) => workers[lane].close()))
      clearInterval(renewing)
    },
  }
}

/** Most outages are short. One that lasts may be of the submission's own making, so its tries must not crowd others. */
function pauseSeconds({ claims }: Claim): number {
  return Math.min(pauseSecondsMax, Math.max(1, 2 ** (claims - 4)))
}

function slotFor(worker: Worker, work: (claim: Claim) => Promise<void>): SubmissionSlot | undefined {
  const slot = worker.takeSlot()
  return slot && { begin: (claim) => slot.begin(() => work(claim)), leave: slot.leave }
}

/** The change's actor is the partner, its request the one that brought the submission. */
function causeOf(claim: Claim): Omit<Change, 'now'> {
  return {
    actor: { kind: 'PARTNER', id: claim.partnerId },
    requestId: claim.requestId,
    traceContext: claim.traceContext,
  }
}
