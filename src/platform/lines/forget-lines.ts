import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** After what names lines: files, proofs and shipments. */
export async function forgetLines(tx: Transaction, orderNumbers: readonly number[]): Promise<void> {
  await tx.rows(sql`delete from order_line where order_number = any(${orderNumbers}::bigint[])`)
}
