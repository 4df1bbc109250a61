import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Refused } from '../../vocabulary/outcome.ts'
import type { ProductionStatus } from '../../vocabulary/statuses.ts'

/**
 * Whether a line still has the production status that a person saw, so that a double click does nothing twice. Called
 * before a verb in its transaction: it locks the order, as every change of the line does first.
 * @param seen undefined = nobody says
 */
export async function expectStatus(
  tx: Transaction,
  orderNumber: number,
  lineNumber: number,
  seen: ProductionStatus | null | undefined,
): Promise<Refused<'line_moved_on'> | undefined> {
  if (seen === undefined) return undefined
  await tx.rows(sql`select order_number from orders where order_number = ${orderNumber} for no key update`)
  const line = await tx.row<{ productionStatus: ProductionStatus | null }>(sql`
    select production_status from order_line where order_number = ${orderNumber} and line_number = ${lineNumber}`)
  // That there is no such line, the verb says.
  return !line || line.productionStatus === seen ? undefined : { refused: 'line_moved_on' }
}
