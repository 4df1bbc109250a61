import type { Logger } from 'pino'
import type { Database, Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import type { Change } from '../vocabulary/change.ts'
import { eventChannel } from '../platform/events/events.ts'
import type { OrderProblem } from '../platform/ordering/order-request.ts'
import { orderPlacer } from '../platform/ordering/place-orders.ts'
import type { PlacedOrder } from '../platform/ordering/write-orders.ts'
import type { Suppliers } from '../platform/ordering/plan-order.ts'
import type { Clock, PartnerTime } from '../vocabulary/clock.ts'
import { Outage } from '../vocabulary/outage.ts'
import { claimSubmissions, lanes, leaseSeconds, placesOf, type Claim, type Lane } from './claim-submissions.ts'
import { endedChannel, type Outcomes } from './outcomes.ts'
import { submissionColumns, type SubmissionRow } from './submission-row.ts'
import { queuedChannel, type Place, type SubmissionWorkers } from './submissions.ts'

/**
 * Turns queued submissions into orders. A claim is a lease: the worker renews it while it works, and a worker that died
 * stops renewing, so another takes over when it lapses. Whoever took over has the higher claim number, and only the
 * latest claim can end a submission: nothing is done twice.
 */
export type SubmissionWorker = SubmissionWorkers & {
  /** finishes what it has begun and stops */
  close: () => Promise<void>
}

/** What is otherwise with a sandbox's submissions. */
export type SandboxIntake = {
  partnerTime: PartnerTime
  /** what happens to a claimed submission in place of being placed */
  intercept: (claim: Claim) => { problems: OrderProblem[] } | { postponeSeconds: number } | undefined
  /** what is written along with an order */
  alongside: (tx: Transaction, partnerId: string, orderNumber: number) => Promise<void>
}

const renewMilliseconds = 1_000
const pollMilliseconds = 1_000
/** Claims that may end in a bug of ours before the submission is given up as rejected. */
const failuresMax = 5

export async function startSubmissionWorker(parts: {
  database: Database
  suppliers: Suppliers
  outcomes: Outcomes
  clock: Clock
  log: Logger
  sandbox?: SandboxIntake
}): Promise<SubmissionWorker> {
  const { database, log } = parts
  const placeOrder = orderPlacer<Claim, SubmissionRow>({
    database,
    suppliers: parts.suppliers,
    alongside: async (tx, placed) => {
      const endings = placed.map(({ ticket, order, now }): Ending => ({
        claim: ticket,
        status: 'completed',
        outcome: { order: submittedOrder(order) },
        orderNumber: order.orderNumber,
        now,
      }))
      const [ended] = await Promise.all([
        end(tx, endings),
        ...placed.map(({ ticket, order }) => parts.sandbox?.alongside(tx, ticket.partnerId, order.orderNumber)),
      ])
      return ended
    },
  })
  const running: Record<Lane, Map<string, { claim: Claim; ends: Promise<void> }>> = {
    plain: new Map(),
    artwork: new Map(),
  }
  /** places of the plain lane promised to submissions that are just being stored */
  let promised = 0
  const claiming: Partial<Record<Lane, Promise<void>>> = {}
  /** lanes whose queue may hold what nobody has */
  const wanted = new Set<Lane>()
  let closed = false

  function wake(lane: Lane): void {
    wanted.add(lane)
    claimWanted(lane)
  }

  function claimWanted(lane: Lane): void {
    // Begun a moment later, so that an end without any wait does not come before this assignment.
    if (!closed && wanted.has(lane)) claiming[lane] ??= Promise.resolve().then(() => claimUntilIdle(lane))
  }

  /** What may be in the queue came first. */
  function place(): Place | undefined {
    if (closed || wanted.has('plain') || running.plain.size + promised >= placesOf.plain) return undefined
    promised++
    return {
      begin: (claim) => {
        promised--
        begin('plain', claim)
      },
      leave: () => {
        promised--
      },
    }
  }

  function begin(lane: Lane, claim: Claim): void {
    running[lane].set(claim.submissionId, { claim, ends: work(lane, claim) })
  }

  function wakeAll(): void {
    for (const lane of lanes) wake(lane)
  }

  async function claimUntilIdle(lane: Lane): Promise<void> {
    const mine = running[lane]
    try {
      while (wanted.has(lane) && !closed && mine.size < placesOf[lane]) {
        wanted.delete(lane)
        const underWay = [...mine.values()].map(({ claim }) => claim)
        const claims = await claimSubmissions(database.statements, lane, underWay, parts.clock())
        // A full hand means there may be more.
        if (underWay.length + claims.length >= placesOf[lane]) wanted.add(lane)
        for (const claim of claims) begin(lane, claim)
      }
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'submissions cannot be claimed; trying again soon')
    } finally {
      delete claiming[lane]
    }
  }

  async function work(lane: Lane, each: Claim): Promise<void> {
    try {
      await placeOrReject(each)
    } catch (error) {
      if (!(error instanceof LeaseLost)) await giveBack(each, error)
    } finally {
      running[lane].delete(each.submissionId)
      // Where a partner holds no more than a part of the places, each that comes free lets another in.
      if (lane === 'artwork') wake(lane)
      else claimWanted(lane)
    }
  }

  async function placeOrReject(each: Claim): Promise<void> {
    const { sandbox } = parts
    const now = sandbox ? await sandbox.partnerTime(each.partnerId, parts.clock()) : parts.clock()
    const intercepted = sandbox?.intercept(each)
    if (intercepted && 'postponeSeconds' in intercepted) return postpone(each, intercepted.postponeSeconds)
    if (intercepted) return announce(await reject(each, intercepted.problems, now))
    const placement = await placeOrder(
      each.body,
      {
        orderingUserId: each.orderingUserId,
        submitter: {
          partnerId: each.partnerId,
          partnerOrderId: each.partnerOrderId,
          submissionId: each.submissionId,
        },
        ...changeBy(each, now),
      },
      each,
    )
    announce('problems' in placement ? await reject(each, placement.problems, now) : placement.placed)
    if ('placed' in placement) database.hint(eventChannel, '')
  }

  async function reject(each: Claim, problems: readonly OrderProblem[], now: Date): Promise<SubmissionRow> {
    const errors = problems.map((problem) => ({ code: 'order_rejected' as const, ...problem }))
    return database.transaction(async (tx) => {
      await recordAudit(tx, changeBy(each, now), {
        action: 'submission.rejected',
        subject: { kind: 'submission', id: each.submissionId },
        siteId: each.body.siteId,
        detail: { problems: problems.length },
      })
      const [ended] = await end(tx, [{ claim: each, status: 'failed', outcome: { errors }, orderNumber: null, now }])
      return ended!
    })
  }

  function announce(ended: SubmissionRow): void {
    parts.outcomes.ended(ended)
    database.hint(endedChannel, ended.submissionId)
  }

  /** An outage is waited out for as long as it takes; a bug of ours is tried a few times and then admitted. */
  async function giveBack(each: Claim, error: unknown): Promise<void> {
    const isOutage = error instanceof Outage
    const facts = { submissionId: each.submissionId, claims: each.claims, err: error }
    if (isOutage) log.warn(facts, 'an outage delays a submission')
    else log.error(facts, 'a bug keeps a submission from becoming an order')
    try {
      if (!isOutage && each.failures + 1 >= failuresMax) {
        const detail = 'The order could not be processed. Quote the submissionId when contacting support.'
        announce(await reject(each, [{ detail }], parts.clock()))
        return
      }
      await database.statements.rows(sql`
        update submission
        set failures = failures + ${isOutage ? 0 : 1}, leased_until = now() + interval '1 second'
        where submission_id = ${each.submissionId} and status = 'processing' and claims = ${each.claims}`)
    } catch (problem) {
      log.warn({ error: (problem as Error).message }, 'a submission was not given back; its lease will lapse')
    }
  }

  async function postpone(each: Claim, seconds: number): Promise<void> {
    await database.statements.rows(sql`
      update submission set leased_until = now() + make_interval(secs => ${seconds})
      where submission_id = ${each.submissionId} and status = 'processing' and claims = ${each.claims}`)
  }

  /** Those locked are just being ended. */
  async function renew(): Promise<void> {
    const submissionIds = lanes.flatMap((lane) => [...running[lane].keys()])
    if (submissionIds.length === 0) return
    await database.statements
      .rows(sql`
        with held as (
          select submission_id from submission
          where submission_id = any(${submissionIds}::uuid[]) and status = 'processing'
          for no key update skip locked
        )
        update submission
        set leased_until = greatest(submission.leased_until, now() + make_interval(secs => ${leaseSeconds}))
        from held where submission.submission_id = held.submission_id`)
      .catch((error: Error) => log.warn({ error: error.message }, 'leases were not renewed'))
  }

  const stopListening = await database.listen(queuedChannel, (lane) => {
    if (lane === 'plain' || lane === 'artwork') wake(lane)
    else wakeAll()
  })
  const renewing = setInterval(() => void renew(), renewMilliseconds)
  const polling = setInterval(wakeAll, pollMilliseconds)
  wakeAll()

  return {
    place,
    wake,
    close: async () => {
      closed = true
      clearInterval(polling)
      await stopListening()
      // A claim under way may still bring work, which is then this worker's to finish.
      await Promise.all(lanes.map((lane) => claiming[lane]))
      for (const lane of lanes)
        while (running[lane].size > 0) await Promise.all([...running[lane].values()].map(({ ends }) => ends))
      clearInterval(renewing)
    },
  }
}

type Ending = {
  claim: Claim
  status: 'completed' | 'failed'
  outcome: NonNullable<SubmissionRow['outcome']>
  orderNumber: number | null
  now: Date
}

/**
 * Arrays are read from a select so that the plan is kept, however long they are.
 * @throws LeaseLost when another worker has taken over one of them, which undoes the transaction
 */
async function end(tx: Transaction, endings: readonly Ending[]): Promise<SubmissionRow[]> {
  const rows = await tx.rows<SubmissionRow>(sql`
    update submission
    set status = ending.status, outcome = ending.outcome, order_number = ending.order_number, leased_until = null,
      updated_on = ending.ended_on
    from unnest(
      (select ${endings.map(({ claim }) => claim.submissionId)}::uuid[]),
      (select ${endings.map(({ claim }) => claim.claims)}::int[]),
      (select ${endings.map(({ status }) => status)}::text[]),
      (select ${endings.map(({ outcome }) => JSON.stringify(outcome))}::jsonb[]),
      (select ${endings.map(({ orderNumber }) => orderNumber)}::bigint[]),
      (select ${endings.map(({ now }) => now)}::timestamptz[]))
      as ending (submission_id, claims, status, outcome, order_number, ended_on)
    where submission.submission_id = ending.submission_id and submission.status = 'processing'
      and submission.claims = ending.claims
    returning ${submissionColumns}`)
  const byId = new Map(rows.map((row) => [row.submissionId, row]))
  return endings.map(({ claim }) => {
    const ended = byId.get(claim.submissionId)
    if (!ended) throw new LeaseLost()
    return ended
  })
}

/** What becomes of a submission is its partner's doing, in answer to the request that brought it. */
function changeBy(claim: Claim, now: Date): Change {
  return { actor: { kind: 'PARTNER', id: claim.partnerId }, now, requestId: claim.requestId }
}

/** The claim is no longer the latest: another worker ends this submission. */
class LeaseLost extends Error {}

/** The two published JSON-number fields of a line, and the order's total, are the only places money becomes a number. */
function submittedOrder(order: PlacedOrder) {
  return {
    orderNumber: order.orderNumber,
    status: order.status,
    totalPrice: order.totalPrice.toNumber(),
    projectId: order.projectId,
    lines: order.lines.map((line) => ({
      partnerLineId: line.partnerLineId,
      quantity: line.quantity,
      lineListTotal: line.lineListTotal.toNumber(),
      lineTotalBeforeAdjustments: line.lineTotalBeforeAdjustments.toNumber(),
    })),
  }
}
