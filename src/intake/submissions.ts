import { createHash, randomUUID } from 'node:crypto'
import type { Database, Queries } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { OrderRequest } from '../platform/ordering/order-request.ts'
import { canonicalJson } from '../vocabulary/json.ts'
import { Outage } from '../vocabulary/outage.ts'
import type { SubmissionStatus } from '../vocabulary/statuses.ts'
import { laneOf, type Claim, type Lane } from './claim-submissions.ts'
import type { Outcomes } from './outcomes.ts'
import type { SubmissionStore } from './store-submissions.ts'
import { submissionColumns, type SubmissionRow } from './submission-row.ts'

/**
 * The way in for orders. It owns the submission: one row per (partner, partnerOrderId) for ever, stored before anything
 * is promised, ended exactly once by a worker. What an order is and costs is the platform's business.
 *
 * queued ──claimed by a worker──▶ processing ──order created──▶ completed
 *                                            └──order rejected─▶ failed
 */

/** Hinted, with its lane, when a submission waits for a worker. */
export const queuedChannel = 'submission_queued'

/** The workers, as the way in sees them. */
export type SubmissionWorkers = {
  /** a free place for a plain order, held until it is begun or left; undefined where a worker has none here */
  place: () => Place | undefined
  /** there is work in this lane's queue */
  wake: (lane: Lane) => void
}

export type Place = { begin: (claim: Claim) => void; leave: () => void }

/** Workers are in other processes, which are told through the database. */
export const noWorkersHere: SubmissionWorkers = { place: () => undefined, wake: () => undefined }

export type SubmissionDesk = { database: Database; store: SubmissionStore; workers: SubmissionWorkers }

export type Submitted =
  | { is: 'new' | 'replayed'; submission: SubmissionRow }
  | { is: 'key-reused' | 'site-not-granted' | 'ordering-not-provisioned' | 'division-unknown' }

/**
 * Stores an order as submitted, once per (partner, partnerOrderId). A worker of this process that has a place free takes
 * it from there, claimed by the very insert; otherwise it is queued and workers are told. Races are settled by the unique
 * key: the first insert wins, everyone else finds it (SUB-10, SUB-11). A refused body leaves the key free.
 */
export async function submitOrder(
  { database, store, workers }: SubmissionDesk,
  partner: { partnerId: string; siteIds: readonly number[] },
  request: OrderRequest & { partnerOrderId: string },
  asked: { now: Date; requestId: string },
): Promise<Submitted> {
  const bodyHash = createHash('sha256').update(canonicalJson(request)).digest()
  const known = await database.reads.row<Known>(sql`
    select existing.body_hash, existing.submission_id, existing.partner_order_id, existing.site_id, existing.status,
      existing.outcome, existing.created_on, existing.updated_on,
      site.ordering_user_id,
      exists (
        select from division
        where division.site_id = site.site_id and division.division_id = ${request.divisionId ?? null}::int and division.active
      ) as division_is_active
    from (select) as always
    left join submission existing
      on existing.partner_id = ${partner.partnerId} and existing.partner_order_id = ${request.partnerOrderId}
    left join site on site.site_id = ${request.siteId} and site.site_id = any(${partner.siteIds}::int[])`)
  if (known?.bodyHash) return replay({ ...known, bodyHash: known.bodyHash }, bodyHash)
  if (!partner.siteIds.includes(request.siteId)) return { is: 'site-not-granted' }
  const orderingUserId = known?.orderingUserId ?? null
  if (orderingUserId === null) return { is: 'ordering-not-provisioned' }
  if (request.divisionId !== undefined && !known?.divisionIsActive) return { is: 'division-unknown' }

  const submission = {
    submissionId: randomUUID(),
    partnerId: partner.partnerId,
    partnerOrderId: request.partnerOrderId,
    orderingUserId: orderingUserId,
    body: request,
    requestId: asked.requestId,
  }
  const lane = laneOf(request)
  const place = lane === 'plain' ? workers.place() : undefined
  let isBegun = false
  try {
    const stored = await store({ ...submission, bodyHash, isClaimed: place !== undefined, now: asked.now })
    if (stored && place) {
      place.begin({ ...submission, claims: 1, failures: 0 })
      isBegun = true
    } else if (stored) {
      workers.wake(lane)
      database.hint(queuedChannel, lane)
    }
    if (stored) return { is: 'new', submission: stored }
  } finally {
    if (!isBegun) place?.leave()
  }
  const winner = await database.reads.row<SubmissionRow & { bodyHash: Buffer }>(sql`
    select ${submissionColumns}, body_hash from submission
    where partner_id = ${partner.partnerId} and partner_order_id = ${request.partnerOrderId}`)
  // Only a sandbox that starts over removes one, which leaves the key free again.
  return winner ? replay(winner, bodyHash) : submitOrder({ database, store, workers }, partner, request, asked)
}

type Known = Omit<SubmissionRow, 'status'> & {
  status: SubmissionStatus
  bodyHash: Buffer | null
  orderingUserId: number | null
  divisionIsActive: boolean
}

function replay(existing: SubmissionRow & { bodyHash: Buffer }, bodyHash: Buffer): Submitted {
  return existing.bodyHash.equals(bodyHash) ? { is: 'replayed', submission: existing } : { is: 'key-reused' }
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
 * Waits until the submission has ended, at most so long, and answers it as it then is, or as it was while it has not
 * (SUB-15). The end wakes the wait at once, whichever process brought it about.
 * @throws Outage when the submission was removed meanwhile, by a sandbox that starts over
 */
export async function waitForOutcome(
  outcomes: Outcomes,
  submission: SubmissionRow,
  waitMilliseconds: number,
): Promise<SubmissionRow> {
  if (isTerminal(submission.status)) return submission
  const latest = await outcomes.wait(submission.submissionId, waitMilliseconds)
  if (latest === 'removed') throw new Outage('the submission was removed while it was waited for')
  return latest ?? submission
}
