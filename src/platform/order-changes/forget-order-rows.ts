import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** The last of what is removed of orders: all else names them. */
export async function forgetOrderRows(tx: Transaction, orderNumbers: readonly number[]): Promise<void> {
  await tx.rows(sql`delete from orders where order_number = any(${orderNumbers}::bigint[])`)
}
