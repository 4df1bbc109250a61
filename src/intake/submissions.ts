import { createHash } from 'node:crypto'
import type { Database, Queries } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { OrderRequest } from '../platform/ordering/order-request.ts'
import type { Change } from '../vocabulary/change.ts'
import { canonicalJson } from '../vocabulary/json.ts'
import { Outage } from '../vocabulary/outage.ts'
import type { Done, Outcome, Refused } from '../vocabulary/outcome.ts'
import { timeOrderedUuid } from '../vocabulary/time-ordered-uuid.ts'
import type { SubmissionStatus } from '../vocabulary/statuses.ts'
import { laneOf, type Claim, type Lane } from './claim-submissions.ts'
import {
  orderingColumns,
  orderingSite,
  orderingUserOf,
  type OrderingAt,
  type OrderingRefused,
} from './ordering-user.ts'
import type { Outcomes } from './outcomes.ts'
import type { SubmissionStore } from './store-submissions.ts'
import { submissionColumns, type SubmissionRow } from './submission-row.ts'

/**
 * Accepts orders. This folder owns the submission: one permanent row per (partner, partnerOrderId), stored before the
 * caller gets an answer and ended exactly once by a worker. The platform decides what an order is and costs.
 *
 * queued ──claimed by a worker──▶ processing ──order created──▶ completed
 *                                            └──order rejected─▶ failed
 */

/** Hinted, with its lane, when a submission waits for a worker. */
export const queuedChannel = 'submission_queued'

/** The workers of this process, as this folder sees them. */
export type SubmissionWorkers = {
  /** reserves a free slot for a plain order, until it is begun or left; undefined without one */
  takeSlot: () => SubmissionSlot | undefined
  /** there is work in this lane's queue */
  wake: (lane: Lane) => void
}

export type SubmissionSlot = { begin: (claim: Claim) => void; leave: () => void }

/** For a process without workers: those of other processes get hints through the database. */
export const noWorkersHere: SubmissionWorkers = { takeSlot: () => undefined, wake: () => undefined }

export type SubmissionDesk = { database: Database; store: SubmissionStore; workers: SubmissionWorkers }

/** A new submission, or the one that the same body made before. */
type Submitted = { submission: SubmissionRow; isNew: boolean }

type SubmissionRefused = Refused<'partner_order_id_reused'> | OrderingRefused

/**
 * Stores an order as submitted, once per (partner, partnerOrderId). If a worker of this process has a free slot, the
 * insert is its claim. Otherwise the submission is queued and the workers get a hint. The unique key decides races: the
 * first insert wins, and all others find it (SUB-10, SUB-11). A refused body leaves the key free. There is no
 * transaction parameter, since submissions that arrive together are stored in one.
 */
export async function submitOrder(
  { database, store, workers }: SubmissionDesk,
  change: Change,
  partner: { partnerId: string; siteIds: readonly number[] },
  request: OrderRequest & { partnerOrderId: string },
): Promise<Outcome<Submitted, SubmissionRefused>> {
  const bodyHash = createHash('sha256').update(canonicalJson(request)).digest()
  const known = await database.reads.row<Known>(sql`
    select submission.body_hash, ${submissionColumns}, ${orderingColumns(request)}
    from (select) as always
    left join submission
      on submission.partner_id = ${partner.partnerId} and submission.partner_order_id = ${request.partnerOrderId}
    left join site on ${orderingSite(request, partner.siteIds)}`)
  if (known?.bodyHash) return replay({ ...known, bodyHash: known.bodyHash }, bodyHash)
  const ordering = orderingUserOf(known, request, partner.siteIds)
  if ('refused' in ordering) return ordering

  const submission = {
    // The rows of a time are neighbours in the indexes, so that few of their pages change.
    submissionId: timeOrderedUuid(change.now),
    partnerId: partner.partnerId,
    partnerOrderId: request.partnerOrderId,
    ...ordering.done,
    body: request,
    requestId: change.requestId,
    traceContext: change.traceContext ?? null,
  }
  const lane = laneOf(request)
  const slot = lane === 'plain' ? workers.takeSlot() : undefined
  let isBegun = false
  try {
    const stored = await store({ ...submission, bodyHash, isClaimed: slot !== undefined, now: change.now })
    if (stored && slot) {
      slot.begin({ ...submission, claims: 1, failures: 0 })
      isBegun = true
    } else if (stored) {
      workers.wake(lane)
      database.hint(queuedChannel, lane)
    }
    if (stored) return { done: { submission: stored, isNew: true } }
  } finally {
    if (!isBegun) slot?.leave()
  }
  const winner = await database.reads.row<SubmissionRow & { bodyHash: Buffer }>(sql`
    select ${submissionColumns}, body_hash from submission
    where partner_id = ${partner.partnerId} and partner_order_id = ${request.partnerOrderId}`)
  // Only a reset of the sandbox removes a submission, which makes the key free again.
  return winner ? replay(winner, bodyHash) : submitOrder({ database, store, workers }, change, partner, request)
}

type Known = SubmissionRow & OrderingAt & { bodyHash: Buffer | null }

function replay(
  existing: SubmissionRow & { bodyHash: Buffer },
  bodyHash: Buffer,
): Done<Submitted> | Refused<'partner_order_id_reused'> {
  if (!existing.bodyHash.equals(bodyHash)) return { refused: 'partner_order_id_reused' }
  return { done: { submission: existing, isNew: false } }
}

export async function findSubmission(
  queries: Queries,
  partnerId: string,
  submissionId: string,
): Promise<SubmissionRow | undefined> {
  return queries.row<SubmissionRow>(sql`
    select ${submissionColumns} from submission
    where submission_id = ${submissionId} and partner_id = ${partnerId}`)
}

export function isTerminal(status: SubmissionStatus): boolean {
  return status === 'completed' || status === 'failed'
}

/**
 * Waits until the submission has ended, up to a time limit. Answers the ended submission, or after the limit the
 * submission as it is then (SUB-15). The end wakes the wait at once, in whichever process it happens.
 * @throws Outage if a reset of the sandbox has removed the submission
 */
export async function waitForOutcome(
  { reads }: Pick<Database, 'reads'>,
  outcomes: Outcomes,
  partnerId: string,
  submission: SubmissionRow,
  waitMilliseconds: number,
): Promise<SubmissionRow> {
  if (isTerminal(submission.status)) return submission
  const ended = await outcomes.wait(submission.submissionId, waitMilliseconds)
  const latest = ended ?? (await findSubmission(reads, partnerId, submission.submissionId)) ?? 'removed'
  if (latest === 'removed') throw new Outage('the submission was removed while it was waited for')
  return latest
}
