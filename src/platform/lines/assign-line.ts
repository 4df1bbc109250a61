import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { changeLine, lineSubject } from './change-line.ts'

/** A person of the staff, whose account the caller has found enabled: accounts are in the production database. */
export type Assignee = { staffId: string; username: string }

/** Gives a line to one person, in place of whoever had it; null = to nobody. */
export function assignLine(
  tx: Transaction,
  change: Change,
  orderNumber: number,
  lineNumber: number,
  assignee: Assignee | null,
) {
  return changeLine(tx, change, orderNumber, lineNumber, 'amend', async (line) => {
    if (line.shipped) return { refused: 'line_shipped' }
    const changed = await tx.rows(sql`
      update order_line set assignee_id = ${assignee?.staffId ?? null}::uuid, updated_on = ${change.now}
      where order_number = ${orderNumber} and line_number = ${lineNumber}
        and assignee_id is distinct from ${assignee?.staffId ?? null}::uuid
      returning line_number`)
    return {
      done: {},
      audit: {
        action: 'line.assigned',
        subject: lineSubject(line),
        detail: { staffId: assignee?.staffId ?? null, username: assignee?.username ?? null },
      },
      unchanged: changed.length === 0,
    }
  })
}
