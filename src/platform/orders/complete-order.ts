import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { changeOrder } from '../order-changes/change-order.ts'

/** Closes an order permanently, once every line has shipped or, if it is not shippable, is complete. */
export function completeOrder(tx: Transaction, change: Change, orderNumber: number) {
  return changeOrder(tx, change, orderNumber, 'complete', async () => {
    const open = await tx.row(sql`
      select line_number from order_line
      where order_number = ${orderNumber} and record_kind = 'SALE' and cancelled_on is null
        and case when shippable then shipped_on is null else production_status is distinct from 'COMPLETE' end
      limit 1`)
    if (open) return { refused: 'lines_not_finished' }
    return { done: {}, audit: { action: 'order.completed', subject: { kind: 'order', id: orderNumber } } }
  })
}
