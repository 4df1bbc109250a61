import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** Called last: every other row of an order refers to it. */
export async function forgetOrderRows(tx: Transaction, orderNumbers: readonly number[]): Promise<void> {
  await tx.rows(sql`delete from orders where order_number = any(${orderNumbers}::bigint[])`)
}
