import type { Handler } from '../../contract/operation.ts'
import { divisionNotActive } from '../../intake/ordering-user.ts'
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
  return async ({ caller, body, change, inTime, refuse }) => {
    const outcome = await inTime(submit(intake, change, caller, body))
    if ('refused' in outcome) {
      if (outcome.refused === 'division_not_active') throw refuse('invalid_request', divisionNotActive)
      throw refuse(outcome.refused)
    }
    const { submission, isNew } = outcome.done
    if (!isNew) return { status: 200, body: submissionView(submission), headers: whileOpen(submission) }
    const latest = await waitForOutcome(
      intake.database,
      intake.outcomes,
      caller.partnerId,
      submission,
      intake.waitMilliseconds,
    )
    return { status: 201, body: submissionView(latest), headers: whileOpen(latest) }
  }
}

/** Where and when to look again, while the submission has not ended (SUB-19, SUB-20). */
function whileOpen(row: SubmissionRow): Record<string, string> {
  if (isTerminal(row.status)) return {}
  return { ...pollHint(row), location: `/v1/orders/submissions/${row.submissionId}` }
}
