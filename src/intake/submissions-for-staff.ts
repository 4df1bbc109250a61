import { type Looked, lookThrough } from '../database/bounded-look.ts'
import type { Queries } from '../database/database.ts'
import { nothing, sql, type SqlPart, sqlText, word } from '../database/sql.ts'
import type { RejectionReason } from '../platform/ordering/rejection-reasons.ts'
import type { JsonObject } from '../vocabulary/json.ts'
import type { SubmissionStatus } from '../vocabulary/statuses.ts'
import type { SubmissionError, SubmittedOrder } from './submission-row.ts'

/** Submissions of all partners, as staff read them. */

/** A submission in the list. */
export type ListedSubmission = {
  submissionId: string
  partnerId: string
  partnerName: string
  partnerOrderId: string
  siteId: number
  status: SubmissionStatus
  orderNumber: number | null
  /** why it failed, each once; empty if it has not */
  reasons: RejectionReason[]
  requestId: string | null
  createdOn: string
  updatedOn: string
}

export type WholeSubmission = Omit<ListedSubmission, 'reasons'> & {
  orderingUserId: number
  body: JsonObject
  order: SubmittedOrder | null
  /** why it failed; of an older one without the reason */
  errors: (SubmissionError & { reason: RejectionReason | null })[]
}

export type SubmissionWish = {
  partnerId?: string | undefined
  siteId?: number | undefined
  status?: SubmissionStatus | undefined
  reason?: RejectionReason | undefined
  partnerOrderId?: string | undefined
  submissionId?: string | undefined
  /** inclusive */
  from?: string | undefined
  /** exclusive */
  to?: string | undefined
}

const listed = sqlText`
  submission.submission_id, submission.partner_id, partner.name as partner_name, submission.partner_order_id,
  submission.site_id, submission.status, submission.order_number, submission.request_id, submission.created_on,
  submission.updated_on`

/** How many submissions one read looks at. There is no index of a partner's by site, nor of the failed ones by site or reason. */
const submissionsLookedAt = 500

type SubmissionKey = { createdOn: string; submissionId: string }

/** At most `limit`, newest first; `after` = createdOn and submissionId of the one before. */
export function listSubmissions(
  queries: Queries,
  wish: SubmissionWish,
  { after, limit }: { after: readonly [createdOn: string, submissionId: string] | undefined; limit: number },
): Promise<Looked<ListedSubmission, SubmissionKey>> {
  const { siteId, reason } = wish
  const newest = sqlText`order by created_on desc, submission_id desc`
  const walked = sqlText`select submission.* from ${submissionsWalked(wish, after, limit)} as submission ${newest}`
  return lookThrough(
    queries,
    { walked, lookAt: submissionsLookedAt, limit, key: sqlText`created_on, submission_id` },
    (looked) => sql`
    select ${listed}, array(select distinct unnest(submission.reasons)) as reasons
    from (
      select * from (${looked}) as looked
      where true
        ${siteId === undefined ? nothing : sqlText`and site_id = ${siteId}`}
        ${reason === undefined ? nothing : sqlText`and ${reason} = any(reasons)`}
      ${newest}
      limit ${limit}
    ) as submission
    join partner using (partner_id)
    order by submission.created_on desc, submission.submission_id desc`,
  )
}

/**
 * What an index has of the wish: the primary key; submission_key, asked for each partner; a partner's by submission_newest or
 * submission_by_status; submission_failed; the workers' two queues; or the newest of each site by submission_of_site.
 */
function submissionsWalked(
  { partnerId, siteId, status, reason, partnerOrderId, submissionId, from, to }: SubmissionWish,
  after: readonly [createdOn: string, submissionId: string] | undefined,
  limit: number,
): SqlPart {
  const indexed = sqlText`
    ${partnerId === undefined ? nothing : sqlText`and submission.partner_id = ${partnerId}`}
    ${status === undefined ? nothing : sqlText`and submission.status = ${word(status)}`}
    ${reason === undefined ? nothing : sqlText`and submission.status = 'failed'`}
    ${from === undefined ? nothing : sqlText`and submission.created_on >= ${from}::timestamptz`}
    ${to === undefined ? nothing : sqlText`and submission.created_on < ${to}::timestamptz`}
    ${after ? sqlText`and (submission.created_on, submission.submission_id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : nothing}`
  if (submissionId !== undefined)
    return sqlText`(select * from submission where submission_id = ${submissionId}::uuid ${indexed})`
  if (partnerOrderId !== undefined)
    return sqlText`(
      select submission.* from (select partner_id as each from partner) as partners
      cross join lateral (
        select * from submission
        where submission.partner_id = partners.each and submission.partner_order_id = ${partnerOrderId} ${indexed}
      ) as submission)`
  if (partnerId !== undefined || status === 'failed' || reason !== undefined)
    return sqlText`(select * from submission where true ${indexed})`
  if (status === 'queued' || status === 'processing')
    return sqlText`(
      select * from submission where status in ('queued', 'processing') and not with_artwork ${indexed}
      union all
      select * from submission where status in ('queued', 'processing') and with_artwork ${indexed})`
  return sqlText`(
    select submission.* from site
    cross join lateral (
      select * from submission where submission.site_id = site.site_id ${indexed}
      order by created_on desc, submission_id desc limit ${limit}
    ) as submission
    where ${siteId === undefined ? sqlText`true` : sqlText`site.site_id = ${siteId}`})`
}

/** A submission with what was sent and what came of it. */
export async function readSubmission(queries: Queries, submissionId: string): Promise<WholeSubmission | undefined> {
  type Row = Omit<WholeSubmission, 'order' | 'errors'> & {
    outcome: { order?: SubmittedOrder; errors?: SubmissionError[] } | null
    reasons: RejectionReason[] | null
  }
  const row = await queries.row<Row>(sql`
    select ${listed}, submission.ordering_user_id, submission.body, submission.outcome, submission.reasons
    from submission join partner using (partner_id)
    where submission_id = ${submissionId}::uuid`)
  if (!row) return undefined
  const { outcome, reasons, ...rest } = row
  const errors = outcome?.errors ?? []
  return {
    ...rest,
    order: outcome?.order ?? null,
    errors: errors.map((error, index) => ({ ...error, reason: reasons?.[index] ?? null })),
  }
}

/** How many submissions failed for a reason, and the newest of them. */
export type ReasonCount = {
  reason: RejectionReason
  submissions: number
  partners: number
  newestSubmissionId: string
  newestOn: string
}

/** The commonest first. Served by submission_failed. */
export function countReasons(
  queries: Queries,
  { partnerId, siteId, from, to }: Pick<SubmissionWish, 'partnerId' | 'siteId'> & { from: string; to: string },
): Promise<ReasonCount[]> {
  return queries.rows(sql`
    select reason, count(*) as submissions, count(distinct partner_id) as partners, max(created_on) as newest_on,
      (array_agg(submission_id order by created_on desc, submission_id desc))[1] as newest_submission_id
    from submission
    cross join lateral (select distinct unnest(reasons) as reason) as given
    where status = 'failed' and created_on >= ${from}::timestamptz and created_on < ${to}::timestamptz
      ${partnerId === undefined ? nothing : sqlText`and partner_id = ${partnerId}`}
      ${siteId === undefined ? nothing : sqlText`and site_id = ${siteId}`}
    group by reason
    order by submissions desc, reason`)
}
