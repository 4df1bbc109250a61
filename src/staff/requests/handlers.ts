import type { Static } from 'typebox'
import { submissionOfRequest, type SubmissionRecord } from '../../intake/submission-of-request.ts'
import { listAuditRecords } from '../../platform/audit/audit-log.ts'
import type { StaffHandlers } from '../operation.ts'
import type { requests, SubmissionOfRequest } from './contract.ts'

/** More than any one request changes. */
const recordsMax = 1_000

export const requestHandlers: StaffHandlers<typeof requests> = {
  readRequest: async ({ environment, path, refuse }) => {
    const { requestId } = path
    const { reads } = environment.database
    const [submission, records] = await Promise.all([
      submissionOfRequest(reads, requestId),
      listAuditRecords(reads, { requestId }, { after: undefined, limit: recordsMax }),
    ])
    if (!submission && records.length === 0) throw refuse('request_not_found')
    return {
      status: 200,
      body: { requestId, submission: submission ? shown(submission) : null, records: records.toReversed() },
    }
  },
}

function shown(submission: SubmissionRecord): Static<typeof SubmissionOfRequest> {
  const errors = submission.errors.map(({ detail, field = null, partnerLineId = null }) => ({
    detail,
    field,
    partnerLineId,
  }))
  return { ...submission, errors }
}
