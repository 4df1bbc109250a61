import type { Static } from 'typebox'
import type { SubmissionRow } from '../../intake/submission-row.ts'
import { isTerminal } from '../../intake/submissions.ts'
import type { Submission } from './contract.ts'

/** One shape on the fast path, when polling and in the list (SUB-22). */
export function submissionView(row: SubmissionRow): Static<typeof Submission> {
  return {
    submissionId: row.submissionId,
    partnerOrderId: row.partnerOrderId,
    siteId: row.siteId,
    status: row.status,
    createdOn: row.createdOn,
    updatedOn: row.updatedOn,
    ...row.outcome,
  }
}

/** Seconds after which to look again; only while there is something to wait for (SUB-19, SUB-21). */
export function pollHint(row: SubmissionRow): Record<string, string> {
  return isTerminal(row.status) ? {} : { 'retry-after': '2' }
}
