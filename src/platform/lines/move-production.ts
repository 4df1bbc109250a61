import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { LockedLine } from '../order-changes/change-order.ts'
import { productionColumns, type Production } from '../order-changes/production-states.ts'

/** Writes where a locked line now stands. */
export async function moveProduction(
  tx: Transaction,
  line: Pick<LockedLine, 'orderNumber' | 'lineNumber'>,
  production: Production,
  now: Date,
): Promise<void> {
  const { status, heldFrom } = productionColumns(production)
  await tx.rows(sql`
    update order_line set production_status = ${status}, held_production_status = ${heldFrom}, updated_on = ${now}
    where order_number = ${line.orderNumber} and line_number = ${line.lineNumber}`)
}
