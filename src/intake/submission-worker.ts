import type { Logger } from 'pino'
import type { Database, Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { recordAudit, type Actor } from '../platform/audit/audit.ts'
import { eventChannel } from '../platform/events/events.ts'
import type { OrderProblem, OrderRequest } from '../platform/ordering/order-request.ts'
import { placeOrder, type PlacedOrder } from '../platform/ordering/place-order.ts'
import type { Suppliers } from '../platform/ordering/plan-order.ts'
import type { Clock } from '../vocabulary/clock.ts'
import { Outage } from '../vocabulary/outage.ts'
import type { Outcomes } from './outcomes.ts'
import { endedChannel, queuedChannel, submissionColumns, type SubmissionRow } from './submissions.ts'

/**
 * Turns queued submissions into orders. A claim is a lease: the worker renews it while it works, and a worker that died
 * stops renewing, so another takes over when it lapses. Whoever took over has the higher claim number, and only the
 * latest claim can end a submission: nothing is done twice.
 */
export type SubmissionWorker = {
  /** there is work */
  wake: () => void
  /** finishes what it has begun and stops */
  close: () => Promise<void>
}

type Claim = {
  submission_id: string
  partner_id: string
  partner_order_id: string
  ordering_user_id: number
  body: OrderRequest
  claims: number
  failures: number
}

/** Lapses this soon after a worker died: a restarted service ends what it found within 5 s. */
const leaseSeconds = 3
const renewMilliseconds = 1_000
const pollMilliseconds = 1_000
const atOnceMax = 12
/** Claims that may end in a bug of ours before the submission is given up as rejected. */
const failuresMax = 5

export async function startSubmissionWorker(parts: {
  database: Database
  suppliers: Suppliers
  outcomes: Outcomes
  clock: Clock
  log: Logger
}): Promise<SubmissionWorker> {
  const { database, log } = parts
  const running = new Map<string, Promise<void>>()
  let claiming: Promise<void> | undefined
  let wanted = false
  let closed = false

  function wake(): void {
    wanted = true
    // Begun a moment later, so that an end without any wait does not come before this assignment.
    if (!closed) claiming ??= Promise.resolve().then(claimUntilIdle)
  }

  async function claimUntilIdle(): Promise<void> {
    try {
      while (wanted && !closed && running.size < atOnceMax) {
        wanted = false
        const claims = await claim(atOnceMax - running.size)
        // A full hand means there may be more.
        if (running.size + claims.length >= atOnceMax) wanted = true
        for (const each of claims) running.set(each.submission_id, work(each))
      }
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'submissions cannot be claimed; trying again soon')
    } finally {
      claiming = undefined
    }
  }

  /** Served by submission_open. Leases run on the database's clock: it is the one clock all workers share. */
  async function claim(most: number): Promise<Claim[]> {
    return database.statements.rows<Claim>(sql`
      with next as (
        select submission_id from submission
        where status in ('queued', 'processing') and (leased_until is null or leased_until < now())
        order by created_on
        limit ${most}
        for update skip locked
      )
      update submission
      set status = 'processing', leased_until = now() + make_interval(secs => ${leaseSeconds}), claims = claims + 1,
        updated_on = ${parts.clock()}
      from next where submission.submission_id = next.submission_id
      returning submission.submission_id, partner_id, partner_order_id, ordering_user_id, body, claims, failures`)
  }

  async function work(each: Claim): Promise<void> {
    try {
      await placeOrReject(each)
    } catch (error) {
      if (!(error instanceof LeaseLost)) await giveBack(each, error)
    } finally {
      running.delete(each.submission_id)
      wake()
    }
  }

  async function placeOrReject(each: Claim): Promise<void> {
    const now = parts.clock()
    const actor: Actor = { kind: 'PARTNER', id: each.partner_id }
    let ended: SubmissionRow | undefined
    const placement = await placeOrder(
      database,
      parts.suppliers,
      each.body,
      {
        orderingUserId: each.ordering_user_id,
        submitter: {
          partnerId: each.partner_id,
          partnerOrderId: each.partner_order_id,
          submissionId: each.submission_id,
        },
        actor,
        requestId: null,
        now,
      },
      async (tx, order) => {
        ended = await end(tx, each, 'completed', { order: submittedOrder(order) }, order.orderNumber, now)
      },
    )
    if ('problems' in placement) ended = await reject(each, placement.problems, now)
    announce(ended!)
    if ('placed' in placement) database.hint(eventChannel, '')
  }

  async function reject(each: Claim, problems: readonly OrderProblem[], now: Date): Promise<SubmissionRow> {
    const errors = problems.map((problem) => ({ code: 'order_rejected' as const, ...problem }))
    return database.transaction(async (tx) => {
      await recordAudit(tx, now, {
        actor: { kind: 'PARTNER', id: each.partner_id },
        action: 'submission.rejected',
        subject: { kind: 'submission', id: each.submission_id },
        siteId: each.body.siteId,
        requestId: null,
        detail: { problems: problems.length },
      })
      return end(tx, each, 'failed', { errors }, null, now)
    })
  }

  /** @throws LeaseLost when another worker has taken over, which undoes the transaction */
  async function end(
    tx: Transaction,
    each: Claim,
    status: 'completed' | 'failed',
    outcome: NonNullable<SubmissionRow['outcome']>,
    orderNumber: number | null,
    now: Date,
  ): Promise<SubmissionRow> {
    const ended = await tx.row<SubmissionRow>(sql`
      update submission
      set status = ${status}, outcome = ${JSON.stringify(outcome)}, order_number = ${orderNumber}, leased_until = null,
        updated_on = ${now}
      where submission_id = ${each.submission_id} and status = 'processing' and claims = ${each.claims}
      returning ${submissionColumns}`)
    if (!ended) throw new LeaseLost()
    return ended
  }

  function announce(ended: SubmissionRow): void {
    parts.outcomes.ended(ended)
    database.hint(endedChannel, ended.submission_id)
  }

  /** An outage is waited out for as long as it takes; a bug of ours is tried a few times and then admitted. */
  async function giveBack(each: Claim, error: unknown): Promise<void> {
    const isOutage = error instanceof Outage
    const facts = { submissionId: each.submission_id, claims: each.claims, err: error }
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
        where submission_id = ${each.submission_id} and status = 'processing' and claims = ${each.claims}`)
    } catch (problem) {
      log.warn({ error: (problem as Error).message }, 'a submission was not given back; its lease will lapse')
    }
  }

  async function renew(): Promise<void> {
    if (running.size === 0) return
    await database.statements
      .rows(sql`
        update submission set leased_until = now() + make_interval(secs => ${leaseSeconds})
        where submission_id = any(${[...running.keys()]}::uuid[]) and status = 'processing'`)
      .catch((error: Error) => log.warn({ error: error.message }, 'leases were not renewed'))
  }

  const stopListening = await database.listen(queuedChannel, wake)
  const renewing = setInterval(() => void renew(), renewMilliseconds)
  const polling = setInterval(wake, pollMilliseconds)
  wake()

  return {
    wake,
    close: async () => {
      closed = true
      clearInterval(polling)
      await stopListening()
      // A claim under way may still bring work, which is then this worker's to finish.
      await claiming
      while (running.size > 0) await Promise.all(running.values())
      clearInterval(renewing)
    },
  }
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
