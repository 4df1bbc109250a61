import { submissionOfRequest } from '../../intake/submission-of-request.ts'
import { countReasons, listSubmissions, readSubmission } from '../../intake/submissions-for-staff.ts'
import type { OrderRequestLine } from '../../platform/ordering/order-request.ts'
import type { StaffHandlers } from '../operation.ts'
import type { submissions } from './contract.ts'
import { remediesOf } from './remedies.ts'

const dayMilliseconds = 86_400_000
const spanDaysUsual = 7
const spanDaysMax = 92

const keyOf = ({ createdOn, submissionId }: { createdOn: string; submissionId: string }) => [createdOn, submissionId]

export const submissionHandlers: StaffHandlers<typeof submissions> = {
  listSubmissions: async ({ environment, query, after, page }) => {
    const { longReads } = environment.database
    const { requestId, limit, cursor: _, ...wish } = query
    const ofRequest = requestId === undefined ? undefined : await submissionOfRequest(longReads, requestId)
    const isNone = requestId !== undefined && !ofRequest
    const { found, goOn } = isNone
      ? { found: [], goOn: undefined }
      : await listSubmissions(
          longReads,
          { ...wish, submissionId: ofRequest?.submissionId },
          { after: after && [String(after[0]), String(after[1])], limit: limit + 1 },
        )
    const { rows, nextCursor } = page(found, keyOf, goOn && keyOf(goOn))
    return { status: 200, body: { submissions: rows, nextCursor } }
  },
  countSubmissionReasons: async ({ environment, query, now, refuse }) => {
    const to = query.to ?? now.toISOString()
    const from = query.from ?? new Date(Date.parse(to) - spanDaysUsual * dayMilliseconds).toISOString()
    if (Date.parse(to) - Date.parse(from) > spanDaysMax * dayMilliseconds) throw refuse('span_too_long')
    const { partnerId, siteId } = query
    const reasons = await countReasons(environment.database.longReads, { partnerId, siteId, from, to })
    return {
      status: 200,
      body: { from: new Date(from).toISOString(), to: new Date(to).toISOString(), reasons },
    }
  },
  readSubmission: async ({ environment, path, refuse }) => {
    const found = await readSubmission(environment.database.reads, path.submissionId)
    if (!found) throw refuse('submission_not_found')
    const { errors, ...submission } = found
    const lines = (submission.body.lines ?? []) as Partial<OrderRequestLine>[]
    const rejectedFor = errors.map(({ reason, detail, field = null, partnerLineId = null }) => {
      const index = /^lines\[(\d+)\]/.exec(field ?? '')?.[1]
      const facts = {
        detail,
        environment: path.environment,
        siteId: submission.siteId,
        orderingUserId: submission.orderingUserId,
        line: index === undefined ? undefined : lines[Number(index)],
      }
      return { reason, detail, field, partnerLineId, remedies: reason === null ? [] : remediesOf(reason, facts) }
    })
    return { status: 200, body: { ...submission, rejectedFor } }
  },
}
