import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { changeLine, lineSubject } from './change-line.ts'

/**
 * Notes a problem with a line's artwork, data or production. Customers see that there is one, but not its text
 * (ORD-21).
 */
export function reportProblem(
  tx: Transaction,
  change: Change,
  orderNumber: number,
  lineNumber: number,
  problem: string,
) {
  return changeLine(tx, change, orderNumber, lineNumber, 'amend', async (line) => {
    if (problem.trim() === '') return { refused: 'problem_text_missing' }
    await tx.rows(sql`
      update order_line set problem = ${problem}, updated_on = ${change.now}
      where order_number = ${orderNumber} and line_number = ${lineNumber}`)
    return { done: {}, audit: { action: 'line.problem_reported', subject: lineSubject(line), detail: { problem } } }
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
