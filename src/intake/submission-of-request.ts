import type { Queries } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { SubmissionStatus } from '../vocabulary/statuses.ts'
import type { SubmissionError, SubmissionRow } from './submission-row.ts'

/** A submission as staff see it. */
export type SubmissionRecord = {
  submissionId: string
  partnerId: string
  partnerOrderId: string
  siteId: number
  status: SubmissionStatus
  /** null while there is no order, which a rejected submission never has */
  orderNumber: number | null
  /** why it was rejected */
  errors: SubmissionError[]
  createdOn: string
  updatedOn: string
}

type Row = SubmissionRow & { partnerId: string; orderNumber: number | null }

/**
 * The submission this request brought; undefined where it brought none, as one that only repeated a submission did.
 * What has ended has an audit record in answer to the request, and all that has not is looked through.
 */
export async function submissionOfRequest(reads: Queries, requestId: string): Promise<SubmissionRecord | undefined> {
  // audit_by_request, submission_open_plain, submission_open_artwork
  const row = await reads.row<Row>(sql`
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
      submission.status, submission.order_number, submission.outcome, submission.created_on, submission.updated_on
    from candidate
    join submission using (submission_id)
    where submission.request_id = ${requestId}::uuid
    limit 1`)
  return (
    row && {
      submissionId: row.submissionId,
      partnerId: row.partnerId,
      partnerOrderId: row.partnerOrderId,
      siteId: row.siteId,
      status: row.status,
      orderNumber: row.orderNumber,
      errors: row.outcome && 'errors' in row.outcome ? row.outcome.errors : [],
      createdOn: row.createdOn,
      updatedOn: row.updatedOn,
    }
  )
}
