import type { Handler } from '../../contract/operation.ts'
import type { Outcomes } from '../../intake/outcomes.ts'
import type { SubmissionRow } from '../../intake/submission-row.ts'
import { isTerminal, submitOrder as submit, waitForOutcome, type SubmissionDesk } from '../../intake/submissions.ts'
import type { orderSubmissions } from './contract.ts'
import { pollHint, submissionView } from './submission-view.ts'

export type Intake = SubmissionDesk & {
  outcomes: Outcomes
  /** how long a new submission is waited for: 20 s (SUB-15) */
  waitMilliseconds: number
}

export function submitOrder(intake: Intake): Handler<typeof orderSubmissions.submitOrder> {
  return async ({ caller, body, now, requestId, inTime, refuse }) => {
    const submitted = await inTime(submit(intake, caller, body, { now, requestId }))
    switch (submitted.is) {
      case 'key-reused':
        throw refuse('partner_order_id_reused')
      case 'site-not-granted':
        throw refuse('invalid_site_id')
      case 'ordering-not-provisioned':
        throw refuse('ordering_not_provisioned')
      case 'division-unknown':
        throw refuse('invalid_request', 'divisionId must name an active division of the site')
      case 'replayed':
        return { status: 200, body: submissionView(submitted.submission), headers: whileOpen(submitted.submission) }
      case 'new': {
        const latest = await waitForOutcome(intake.outcomes, submitted.submission, intake.waitMilliseconds)
        return { status: 201, body: submissionView(latest), headers: whileOpen(latest) }
      }
    }
  }
}

/** Where and when to look again, while the submission has not ended (SUB-19, SUB-20). */
function whileOpen(row: SubmissionRow): Record<string, string> {
  if (isTerminal(row.status)) return {}
  return { ...pollHint(row), location: `/v1/orders/submissions/${row.submissionId}` }
}
