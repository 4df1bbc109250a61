import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { findSubmission } from '../../intake/submissions.ts'
import type { orderSubmissions } from './contract.ts'
import { pollHint, submissionView } from './submission-view.ts'

export function getSubmission(database: Database): Handler<typeof orderSubmissions.getSubmission> {
  return async ({ caller, path, refuse }) => {
    const row = await findSubmission(database.reads, caller.partnerId, path.submissionId)
    if (!row) throw refuse('submission_not_found')
    return { status: 200, body: submissionView(row), headers: pollHint(row) }
  }
}
