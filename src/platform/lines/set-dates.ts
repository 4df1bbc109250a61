import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { changeLine, lineSubject } from '../order-changes/change-order.ts'

/** Sets when a line is expected to ship and by when it shall; a date left out stays, null clears it. */
export function setDates(
  database: Database,
  orderNumber: number,
  lineNumber: number,
  dates: { estimatedShipBy?: Date | null; shipBy?: Date | null },
  change: Change,
) {
  return changeLine<{}>(database, orderNumber, lineNumber, 'amend', change, async (tx, _order, line) => {
    await tx.rows(sql`
      update order_line set
        estimated_ship_by = case when ${dates.estimatedShipBy === undefined} then estimated_ship_by else ${dates.estimatedShipBy ?? null} end,
        ship_by = case when ${dates.shipBy === undefined} then ship_by else ${dates.shipBy ?? null} end,
        updated_on = ${change.now}
      where order_number = ${orderNumber} and line_number = ${lineNumber}`)
    return { done: {}, audit: { action: 'line.dates_set', subject: lineSubject(line), detail: { ...dates } } }
  })
}
