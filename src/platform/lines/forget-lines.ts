import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** Called after files, proofs and shipments, which refer to lines. */
export async function forgetLines(tx: Transaction, orderNumbers: readonly number[]): Promise<void> {
  await tx.rows(sql`delete from order_line where order_number = any(${orderNumbers}::bigint[])`)
}
