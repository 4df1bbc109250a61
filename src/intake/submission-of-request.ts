import type { Queries } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { SubmissionStatus } from '../vocabulary/statuses.ts'
import type { SubmissionError } from './submission-row.ts'

/** A submission as staff see it. */
export type SubmissionRecord = {
  submissionId: string
  partnerId: string
  partnerOrderId: string
  siteId: number
  status: SubmissionStatus
  /** null without an order: a rejected submission never has one */
  orderNumber: number | null
  /** why it was rejected */
  errors: SubmissionError[]
  createdOn: string
  updatedOn: string
}

/**
 * The submission that this request created; undefined if it created none, as a repeated request does. An ended
 * submission is found by the audit record of the request, an open one among all open submissions.
 */
export function submissionOfRequest(reads: Queries, requestId: string): Promise<SubmissionRecord | undefined> {
  // audit_by_request, submission_open_plain, submission_open_artwork
  return reads.row<SubmissionRecord>(sql`
    with ended as (
      select subject_kind, subject_id from audit_record where request_id = ${requestId}::text
    ), candidate as (
      select submission_id from submission
      where status in ('queued', 'processing') and not with_artwork and request_id = ${requestId}::uuid
      union all
      select submission_id from submission
      where status in ('queued', 'processing') and with_artwork and request_id = ${requestId}::uuid
      union all
      select case subject_kind when 'submission' then subject_id::uuid end from ended
      union all
      select orders.submission_id from orders
      where order_number in (select case subject_kind when 'order' then subject_id::bigint end from ended)
    )
    select submission.submission_id, submission.partner_id, submission.partner_order_id, submission.site_id,
      submission.status, submission.order_number, coalesce(submission.outcome -> 'errors', '[]') as errors,
      submission.created_on, submission.updated_on
    from candidate
    join submission using (submission_id)
    where submission.request_id = ${requestId}::uuid
    limit 1`)
}
