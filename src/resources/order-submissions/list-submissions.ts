import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { fixed, nothing, sql, sqlText, word } from '../../database/sql.ts'
import { submissionColumns, type SubmissionRow } from '../../intake/submission-row.ts'
import { type orderSubmissions, pageMax } from './contract.ts'
import { submissionView } from './submission-view.ts'

/**
 * The caller's own, newest first, in the order of submission_newest or submission_by_status. A limit that is no parameter tells
 * the planner that few rows are wanted of many; there is one more, which tells that a page follows.
 */
export function listSubmissions(database: Database): Handler<typeof orderSubmissions.listSubmissions> {
  return async ({ caller, query, after, page }) => {
    const found = await database.lists.rows<SubmissionRow>(sql`
      select ${submissionColumns}
      from (
        select * from submission
        where partner_id = ${caller.partnerId}
          ${query.status ? sqlText`and status = ${word(query.status)}` : nothing}
          ${after ? sqlText`and (created_on, submission_id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : nothing}
        order by created_on desc, submission_id desc
        limit ${fixed(pageMax + 1)}
      ) as submission
      order by created_on desc, submission_id desc
      limit ${query.limit + 1}`)
    const { rows, nextCursor } = page(found, (row) => [row.createdOn, row.submissionId])
    return { status: 200, body: { submissions: rows.map(submissionView), nextCursor } }
  }
}
