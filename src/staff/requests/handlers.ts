import type { Static } from 'typebox'
import { isProblemCode, problemMeaning } from '../../contract/problems.ts'
import {
  loggedRequest,
  readRequestLog,
  type LoggedRequest,
  type RequestKey,
} from '../../gateway/request-log/read-request-log.ts'
import { submissionOfRequest, type SubmissionRecord } from '../../intake/submission-of-request.ts'
import { listAuditRecords } from '../../platform/audit/audit-log.ts'
import type { StaffHandlers } from '../operation.ts'
import type { requests, SubmissionOfRequest } from './contract.ts'

/** More than any one request changes. */
const recordsMax = 1_000

export const requestHandlers: StaffHandlers<typeof requests> = {
  listRequests: async ({ environment, query, after, page }) => {
    const { limit, cursor: _, statusClass, slowerThan: milliseconds, ...filter } = query
    const { found, goOn } = await readRequestLog(environment.database.longReads, {
      ...filter,
      milliseconds,
      statusClass: statusClass && Number(statusClass[0]),
      after: after && { recordedOn: String(after[0]), entryId: Number(after[1]) },
      limit: limit + 1,
    })
    const { rows, nextCursor } = page(found, keyOf, goOn && keyOf(goOn))
    return { status: 200, body: { requests: rows.map(({ entryId: _entryId, ...request }) => request), nextCursor } }
  },
  readRequest: async ({ environment, path, refuse }) => {
    const { requestId } = path
    const { reads } = environment.database
    const [calls, submission, { records }] = await Promise.all([
      loggedRequest(reads, requestId),
      submissionOfRequest(reads, requestId),
      listAuditRecords(environment.database.longReads, { requestId }, { after: undefined, limit: recordsMax }),
    ])
    if (calls.length === 0 && !submission && records.length === 0) throw refuse('request_not_found')
    return {
      status: 200,
      body: {
        requestId,
        calls: calls.map(explained),
        submission: submission ? shown(submission) : null,
        records: records.toReversed(),
      },
    }
  },
}

/** The log keeps the code of a refusal and not the sentence that the partner received. */
function explained(call: LoggedRequest) {
  const { code } = call
  return { ...call, codeMeans: code !== null && isProblemCode(code) ? problemMeaning(code) : null }
}

function keyOf({ recordedOn, entryId }: RequestKey) {
  return [recordedOn, entryId] as const
}

function shown(submission: SubmissionRecord): Static<typeof SubmissionOfRequest> {
  const errors = submission.errors.map(({ detail, field = null, partnerLineId = null }) => ({
    detail,
    field,
    partnerLineId,
  }))
  return { ...submission, errors }
}
