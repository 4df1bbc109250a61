import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { changeLine, lineSubject, type Refused } from '../order-changes/change-order.ts'

/** Notes trouble with a line's artwork, data or production. The customer sees that there is some, not what (ORD-21). */
export function reportProblem(
  database: Database,
  orderNumber: number,
  lineNumber: number,
  problem: string,
  change: Change,
) {
  return changeLine<{}, Refused<'problem_text_missing'>>(
    database,
    orderNumber,
    lineNumber,
    'amend',
    change,
    async (tx, _order, line) => {
      if (problem.trim() === '') return { refused: 'problem_text_missing' }
      await tx.rows(sql`
        update order_line set problem = ${problem}, updated_on = ${change.now}
        where order_number = ${orderNumber} and line_number = ${lineNumber}`)
      return { done: {}, audit: { action: 'line.problem_reported', subject: lineSubject(line), detail: { problem } } }
    },
  )
}

export function clearProblem(database: Database, orderNumber: number, lineNumber: number, change: Change) {
  return changeLine<{}, Refused<'no_problem_reported'>>(
    database,
    orderNumber,
    lineNumber,
    'amend',
    change,
    async (tx, _order, line) => {
      if (line.problem === null) return { refused: 'no_problem_reported' }
      await tx.rows(sql`
        update order_line set problem = null, updated_on = ${change.now}
        where order_number = ${orderNumber} and line_number = ${lineNumber}`)
      return { done: {}, audit: { action: 'line.problem_cleared', subject: lineSubject(line) } }
    },
  )
}
