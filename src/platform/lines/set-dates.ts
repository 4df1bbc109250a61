import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { changeLine, lineSubject } from './change-line.ts'

/** A date left out stays as it is; null clears it. */
export type LineDates = { estimatedShipBy?: Date | null; shipBy?: Date | null }

/** Sets when a line is expected to ship, and its deadline. */
export function setDates(tx: Transaction, change: Change, orderNumber: number, lineNumber: number, dates: LineDates) {
  return changeLine(tx, change, orderNumber, lineNumber, 'amend', async (line) => {
    await tx.rows(sql`
      update order_line set
        estimated_ship_by = case when ${dates.estimatedShipBy === undefined} then estimated_ship_by else ${dates.estimatedShipBy ?? null} end,
        ship_by = case when ${dates.shipBy === undefined} then ship_by else ${dates.shipBy ?? null} end,
        updated_on = ${change.now}
      where order_number = ${orderNumber} and line_number = ${lineNumber}`)
    return { done: {}, audit: { action: 'line.dates_set', subject: lineSubject(line), detail: { ...dates } } }
  })
}
