import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { reasonDetail, recordDecision } from '../order-changes/decisions.ts'
import { givenReason, refuseReason } from '../reasons/reasons.ts'
import { changeLine, lineSubject } from './change-line.ts'

/**
 * Notes a problem with a line's artwork, data or production. Customers see that there is one, but not its text
 * (ORD-21).
 * @param problem `text` says what it is, `reason` is of the list `problem`; one of them is enough
 */
export function reportProblem(
  tx: Transaction,
  change: Change,
  orderNumber: number,
  lineNumber: number,
  { text, reason }: { text?: string; reason?: string },
) {
  return changeLine(tx, change, orderNumber, lineNumber, 'amend', async (line) => {
    const given = givenReason({ reason: reason ?? null, comment: text ?? null })
    const refused = await refuseReason(tx, 'problem', given.reason)
    if (refused) return refused
    if (given.comment === null && given.reason === null) return { refused: 'problem_text_missing' }
    await tx.rows(sql`
      update order_line
      set problem = coalesce(${given.comment}, (select label from reason where kind = 'problem' and code = ${given.reason})),
        updated_on = ${change.now}
      where order_number = ${orderNumber} and line_number = ${lineNumber}`)
    await recordDecision(tx, change, line, 'problem', given)
    const detail = reasonDetail(given)
    return { done: {}, audit: { action: 'line.problem_reported', subject: lineSubject(line), detail } }
  })
}

export function clearProblem(tx: Transaction, change: Change, orderNumber: number, lineNumber: number) {
  return changeLine(tx, change, orderNumber, lineNumber, 'amend', async (line) => {
    if (line.problem === null) return { refused: 'no_problem_reported' }
    await tx.rows(sql`
      update order_line set problem = null, updated_on = ${change.now}
      where order_number = ${orderNumber} and line_number = ${lineNumber}`)
    return { done: {}, audit: { action: 'line.problem_cleared', subject: lineSubject(line) } }
  })
}
