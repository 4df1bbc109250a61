import { createHash, randomUUID } from 'node:crypto'
import type { Database, Queries } from '../database/database.ts'
import { sql, sqlText } from '../database/sql.ts'
import type { OrderRequest, OrderProblem } from '../platform/ordering/order-request.ts'
import type { OrderStatus, SubmissionStatus } from '../vocabulary/statuses.ts'
import { canonicalJson } from '../vocabulary/json.ts'
import type { Outcomes } from './outcomes.ts'

/**
 * The way in for orders. It owns the submission: one row per (partner, partnerOrderId) for ever, stored before anything
 * is promised, ended exactly once by a worker. What an order is and costs is the platform's business.
 *
 * queued ──claimed by a worker──▶ processing ──order created──▶ completed
 *                                            └──order rejected─▶ failed
 */
export type SubmissionRow = {
  submission_id: string
  partner_order_id: string
  site_id: number
  status: SubmissionStatus
  outcome: { order: SubmittedOrder } | { errors: SubmissionError[] } | null
  created_on: string
  updated_on: string
}

/** The published `order` of a completed submission; its amounts are JSON numbers by contract (SUB-05, SUB-06). */
export type SubmittedOrder = {
  orderNumber: number
  status: OrderStatus
  totalPrice: number
  projectId: number
  lines: { partnerLineId: string; quantity: number; lineListTotal: number; lineTotalBeforeAdjustments: number }[]
}

/** One entry per problem, all with the one code (SUB-08, SUB-09). */
export type SubmissionError = { code: 'order_rejected' } & OrderProblem

export const submissionColumns = sqlText`
  submission_id, partner_order_id, site_id, status, outcome, created_on, updated_on`

/** Hinted when a submission waits for a worker. */
export const queuedChannel = 'submission_queued'
/** Hinted, with its id, when a submission has ended. */
export const endedChannel = 'submission_ended'

export type Submitted =
  | { is: 'new' | 'replayed'; submission: SubmissionRow }
  | { is: 'key-reused' | 'site-not-granted' | 'ordering-not-provisioned' | 'division-unknown' }

/**
 * Stores an order as submitted, once per (partner, partnerOrderId), and wakes a worker. Races are settled by the unique
 * key: the first insert wins, everyone else finds it (SUB-10, SUB-11). A refused body leaves the key free.
 */
export async function submitOrder(
  database: Database,
  partner: { partnerId: string; siteIds: readonly number[] },
  request: OrderRequest & { partnerOrderId: string },
  now: Date,
  wake: () => void,
): Promise<Submitted> {
  const bodyHash = createHash('sha256').update(canonicalJson(request)).digest()
  const known = await database.statements.row<Known>(sql`
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
  if (known?.body_hash) return replay({ ...known, body_hash: known.body_hash }, bodyHash)
  if (!partner.siteIds.includes(request.siteId)) return { is: 'site-not-granted' }
  const orderingUserId = known?.ordering_user_id ?? null
  if (orderingUserId === null) return { is: 'ordering-not-provisioned' }
  if (request.divisionId !== undefined && !known?.division_is_active) return { is: 'division-unknown' }

  const stored = await database.statements.row<SubmissionRow>(sql`
    insert into submission (submission_id, partner_id, partner_order_id, site_id, ordering_user_id, body_hash, body,
      created_on, updated_on)
    values (${randomUUID()}, ${partner.partnerId}, ${request.partnerOrderId}, ${request.siteId}, ${orderingUserId},
      ${bodyHash}, ${JSON.stringify(request)}, ${now}, ${now})
    on conflict on constraint submission_key do nothing
    returning ${submissionColumns}`)
  if (stored) {
    wake()
    database.hint(queuedChannel, '')
    return { is: 'new', submission: stored }
  }
  const winner = await database.statements.row<SubmissionRow & { body_hash: Buffer }>(sql`
    select ${submissionColumns}, body_hash from submission
    where partner_id = ${partner.partnerId} and partner_order_id = ${request.partnerOrderId}`)
  if (!winner) throw new Error('a submission that blocked an insert is gone; submissions are never deleted')
  return replay(winner, bodyHash)
}

type Known = Omit<SubmissionRow, 'status'> & {
  status: SubmissionStatus
  body_hash: Buffer | null
  ordering_user_id: number | null
  division_is_active: boolean
}

function replay(existing: SubmissionRow & { body_hash: Buffer }, bodyHash: Buffer): Submitted {
  return existing.body_hash.equals(bodyHash) ? { is: 'replayed', submission: existing } : { is: 'key-reused' }
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
 */
export async function waitForOutcome(
  outcomes: Outcomes,
  submission: SubmissionRow,
  waitMilliseconds: number,
): Promise<SubmissionRow> {
  if (isTerminal(submission.status)) return submission
  return (await outcomes.wait(submission.submission_id, waitMilliseconds)) ?? submission
}
