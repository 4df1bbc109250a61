import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { writtenTogether } from '../database/written-together.ts'
import type { Tracing } from '../vocabulary/tracing.ts'
import { leaseSeconds, type Claim } from './claim-submissions.ts'
import { submissionColumns, type SubmissionRow } from './submission-row.ts'

export type NewSubmission = Omit<Claim, 'claims' | 'failures'> & {
  bodyHash: Buffer
  /** the insert is a worker's claim */
  isClaimed: boolean
  now: Date
}

/** Stores a new submission; undefined if its key is taken (SUB-10, SUB-11). */
export type SubmissionStore = (submission: NewSubmission) => Promise<SubmissionRow | undefined>

/** Submissions that arrive together share one statement, and therefore one wait for the disk. */
export function submissionStore(database: Database, tracing: Tracing): SubmissionStore {
  const write = (submissions: readonly NewSubmission[]) => {
    const [parent, ...others] = submissions.map(({ traceContext }) => traceContext)
    return tracing.goOn({ kind: 'INTERNAL', name: 'store submissions', parent: parent!, others }, () =>
      insert(database, submissions),
    )
  }
  return writtenTogether(write, { groupMax: 24, atOnceMax: 2 })
}

/** Arrays are read from a select so that the plan is cached, however long they are. */
async function insert(
  database: Database,
  submissions: readonly NewSubmission[],
): Promise<readonly (SubmissionRow | undefined)[]> {
  const each = <Value>(value: (submission: NewSubmission) => Value): Value[] => submissions.map(value)
  const rows = await database.statements.rows<SubmissionRow>(sql`
    insert into submission (submission_id, partner_id, partner_order_id, site_id, ordering_user_id, body_hash, body,
      request_id, trace_context, created_on, updated_on, status, claims, leased_until)
    select submission_id, partner_id, partner_order_id, site_id, ordering_user_id, body_hash, body, request_id,
      trace_context, created_on, created_on, case when claimed then 'processing' else 'queued' end, claimed::int,
      case when claimed then now() + make_interval(secs => ${leaseSeconds}) end
    from unnest(
      (select ${each((submission) => submission.submissionId)}::uuid[]),
      (select ${each((submission) => submission.partnerId)}::uuid[]),
      (select ${each((submission) => submission.partnerOrderId)}::text[]),
      (select ${each((submission) => submission.body.siteId)}::int[]),
      (select ${each((submission) => submission.orderingUserId)}::int[]),
      (select ${each((submission) => submission.bodyHash)}::bytea[]),
      (select ${each((submission) => JSON.stringify(submission.body))}::jsonb[]),
      (select ${each((submission) => submission.requestId)}::uuid[]),
      (select ${each((submission) => submission.traceContext)}::text[]),
      (select ${each((submission) => submission.now)}::timestamptz[]),
      (select ${each((submission) => submission.isClaimed)}::boolean[]))
      as arrived (submission_id, partner_id, partner_order_id, site_id, ordering_user_id, body_hash, body, request_id,
        trace_context, created_on, claimed)
    on conflict on constraint submission_key do nothing
    returning ${submissionColumns}`)
  const byId = new Map(rows.map((row) => [row.submissionId, row]))
  return submissions.map((submission) => byId.get(submission.submissionId))
}
