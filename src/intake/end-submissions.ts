import type { Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import type { OrderProblem } from '../platform/ordering/order-request.ts'
import type { RejectionReason } from '../platform/ordering/rejection-reasons.ts'
import type { PlacedOrder } from '../platform/ordering/write-orders.ts'
import type { Change } from '../vocabulary/change.ts'
import type { Done } from '../vocabulary/outcome.ts'
import type { Claim } from './claim-submissions.ts'
import { endedChannel } from './outcomes.ts'
import { submissionColumns, type SubmissionRow, type SubmittedOrder } from './submission-row.ts'

/** Ends submissions, each once: only the latest claim of a submission can end it. */

/** The claim is no longer the latest, so another worker ends the submission. */
export class LeaseLost extends Error {}

/** Ends the submissions whose orders are placed in this transaction. @throws LeaseLost */
export function completeSubmissions(
  tx: Transaction,
  placed: readonly { claim: Claim; order: PlacedOrder; now: Date }[],
): Promise<SubmissionRow[]> {
  return end(
    tx,
    placed.map(({ claim, order, now }) => ({
      claim,
      status: 'completed',
      outcome: { order: submittedOrder(order) },
      reasons: null,
      orderNumber: order.orderNumber,
      now,
    })),
  )
}

/** @throws LeaseLost */
export async function rejectSubmission(
  tx: Transaction,
  change: Change,
  claim: Claim,
  problems: readonly OrderProblem[],
): Promise<Done<SubmissionRow>> {
  const errors = problems.map(({ reason: _reason, ...problem }) => ({ code: 'order_rejected' as const, ...problem }))
  const reasons = problems.map(({ reason }) => reason)
  await recordAudit(tx, change, {
    action: 'submission.rejected',
    subject: { kind: 'submission', id: claim.submissionId },
    siteId: claim.body.siteId,
    detail: { problems: problems.length, reasons: [...new Set(reasons)] },
  })
  const [ended] = await end(tx, [
    { claim, status: 'failed', outcome: { errors }, reasons, orderNumber: null, now: change.now },
  ])
  return { done: ended! }
}

type Ending = {
  claim: Claim
  status: 'completed' | 'failed'
  outcome: NonNullable<SubmissionRow['outcome']>
  /** why it failed, one for each of its errors */
  reasons: readonly RejectionReason[] | null
  orderNumber: number | null
  now: Date
}

/**
 * Arrays are read from a select so that the plan is cached, however long they are.
 * @throws LeaseLost if another worker has taken over one of them, which rolls the transaction back
 */
async function end(tx: Transaction, endings: readonly Ending[]): Promise<SubmissionRow[]> {
  const rows = await tx.rows<SubmissionRow>(sql`
    update submission
    set status = ending.status, outcome = ending.outcome,
      reasons = (select array_agg(reason) from jsonb_array_elements_text(ending.reasons) as reason), order_number = ending.order_number, leased_until = null,
      updated_on = greatest(submission.updated_on, ending.ended_on)
    from unnest(
      (select ${endings.map(({ claim }) => claim.submissionId)}::uuid[]),
      (select ${endings.map(({ claim }) => claim.claims)}::int[]),
      (select ${endings.map(({ status }) => status)}::text[]),
      (select ${endings.map(({ outcome }) => JSON.stringify(outcome))}::jsonb[]),
      (select ${endings.map(({ reasons }) => (reasons ? JSON.stringify(reasons) : '[]'))}::jsonb[]),
      (select ${endings.map(({ orderNumber }) => orderNumber)}::bigint[]),
      (select ${endings.map(({ now }) => now)}::timestamptz[]))
      as ending (submission_id, claims, status, outcome, reasons, order_number, ended_on)
    where submission.submission_id = ending.submission_id and submission.status = 'processing'
      and submission.claims = ending.claims
    returning ${submissionColumns}`)
  const byId = new Map(rows.map((row) => [row.submissionId, row]))
  return endings.map(({ claim }) => {
    const ended = byId.get(claim.submissionId)
    if (!ended) throw new LeaseLost()
    tx.hint(endedChannel, claim.submissionId)
    return ended
  })
}

/**
 * The only place where money becomes a number: the contract declares the order's total and two fields of a line as
 * such.
 */
function submittedOrder(order: PlacedOrder): SubmittedOrder {
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
