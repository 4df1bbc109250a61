import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { nothing, sql, sqlText, word } from '../../database/sql.ts'
import { submissionColumns, type SubmissionRow } from '../../intake/submission-row.ts'
import type { orderSubmissions } from './contract.ts'
import { submissionView } from './submission-view.ts'

/** The caller's own, newest first, in the order of submission_newest or submission_by_status. */
export function listSubmissions(database: Database): Handler<typeof orderSubmissions.listSubmissions> {
  return async ({ caller, query, after, page }) => {
    const found = await database.lists.rows<SubmissionRow>(sql`
      select ${submissionColumns}
      from submission
      where partner_id = ${caller.partnerId}
        ${query.status ? sqlText`and status = ${word(query.status)}` : nothing}
        ${after ? sqlText`and (created_on, submission_id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : nothing}
      order by created_on desc, submission_id desc
      limit ${query.limit + 1}`)
    const { rows, nextCursor } = page(found, (row) => [row.createdOn, row.submissionId])
    return { status: 200, body: { submissions: rows.map(submissionView), nextCursor } }
  }
}
