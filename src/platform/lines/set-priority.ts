import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { LinePriority } from '../../vocabulary/statuses.ts'
import { changeOrder } from '../order-changes/change-order.ts'
import { changeLine, lineSubject, lockLines } from './change-line.ts'

/** Sets how urgent a line is among those that are due at the same time. */
export function setPriority(
  tx: Transaction,
  change: Change,
  orderNumber: number,
  lineNumber: number,
  priority: LinePriority,
) {
  return changeLine(tx, change, orderNumber, lineNumber, 'amend', async (line) => {
    if (line.shipped) return { refused: 'line_shipped' }
    const changed = await writePriority(tx, orderNumber, [lineNumber], priority, change.now)
    const audit = { action: 'line.priority_set', subject: lineSubject(line), detail: { priority } }
    return { done: {}, audit, unchanged: changed.length === 0 }
  })
}

/** Sets it for all lines of an order that have not shipped and are not cancelled. */
export function setOrderPriority(tx: Transaction, change: Change, orderNumber: number, priority: LinePriority) {
  return changeOrder(tx, change, orderNumber, 'amend', async () => {
    const open = (await lockLines(tx, orderNumber, null)).filter((line) => !line.shipped && !line.cancelled)
    const lineNumbers = open.map((line) => line.lineNumber)
    const lines = await writePriority(tx, orderNumber, lineNumbers, priority, change.now)
    return {
      done: { lines },
      audit: {
        action: 'order.priority_set',
        subject: { kind: 'order', id: orderNumber },
        detail: { priority, lines },
      },
      unchanged: lines.length === 0,
    }
  })
}

/** @returns the lines that had another priority */
async function writePriority(
  tx: Transaction,
  orderNumber: number,
  lineNumbers: readonly number[],
  priority: LinePriority,
  now: Date,
): Promise<number[]> {
  const changed = await tx.rows<{ lineNumber: number }>(sql`
    update order_line set priority = ${priority}, updated_on = ${now}
    where order_number = ${orderNumber} and line_number = any(${lineNumbers}::int[]) and priority <> ${priority}
    returning line_number`)
  return changed.map((line) => line.lineNumber).toSorted((a, b) => a - b)
}
