import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** For a reset of a sandbox partner: there the series of a site may get gaps. */
export async function forgetInvoices(tx: Transaction, orderNumbers: readonly number[]): Promise<void> {
  await tx.rows(sql`delete from invoice where order_number = any(${orderNumbers}::bigint[])`)
}
