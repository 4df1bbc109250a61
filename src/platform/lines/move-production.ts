import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { LockedLine } from './change-line.ts'
import { productionColumns, type Production } from './production-states.ts'

/** Writes the station that a locked line is now at. */
export async function moveProduction(
  tx: Transaction,
  line: Pick<LockedLine, 'orderNumber' | 'lineNumber'>,
  production: Production,
  now: Date,
): Promise<void> {
  const { productionStatus, heldProductionStatus } = productionColumns(production)
  await tx.rows(sql`
    update order_line
    set production_status = ${productionStatus}, held_production_status = ${heldProductionStatus}, updated_on = ${now}
    where order_number = ${line.orderNumber} and line_number = ${line.lineNumber}`)
}
