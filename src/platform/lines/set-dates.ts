import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { changeLine, lineSubject } from './change-line.ts'

/** A date left out stays as it is; null clears it. */
export type LineDates = { estimatedShipBy?: Date | null; shipBy?: Date | null }

/** Sets when a line is expected to ship, and its deadline. */
export function setDates(tx: Transaction, change: Change, orderNumber: number, lineNumber: number, dates: LineDates) {
  return changeLine(tx, change, orderNumber, lineNumber, 'amend', async (line) => {
    const changed = await tx.rows(sql`
      update order_line set estimated_ship_by = wish.estimated_ship_by, ship_by = wish.ship_by, updated_on = ${change.now}
      from (
        select
          case when ${dates.estimatedShipBy === undefined} then estimated_ship_by else ${dates.estimatedShipBy ?? null} end
            as estimated_ship_by,
          case when ${dates.shipBy === undefined} then ship_by else ${dates.shipBy ?? null} end as ship_by
        from order_line where order_number = ${orderNumber} and line_number = ${lineNumber}
      ) wish
      where order_number = ${orderNumber} and line_number = ${lineNumber}
        and (order_line.estimated_ship_by, order_line.ship_by) is distinct from (wish.estimated_ship_by, wish.ship_by)
      returning line_number`)
    const audit = { action: 'line.dates_set', subject: lineSubject(line), detail: { ...dates } }
    return { done: {}, audit, unchanged: changed.length === 0 }
  })
}
