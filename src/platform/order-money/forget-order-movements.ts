import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

export async function forgetOrderMovements(tx: Transaction, orderNumbers: readonly number[]): Promise<void> {
  await Promise.all([
    tx.rows(sql`delete from refund_part where order_number = any(${orderNumbers}::bigint[])`),
    tx.rows(sql`delete from order_movement where order_number = any(${orderNumbers}::bigint[])`),
  ])
}
