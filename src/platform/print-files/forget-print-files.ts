import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** @returns the object keys that no record refers to any more */
export async function forgetPrintFiles(tx: Transaction, orderNumbers: readonly number[]): Promise<string[]> {
  const gone = await Promise.all([
    tx.rows<{ objectKey: string }>(sql`
      delete from print_file where order_number = any(${orderNumbers}::bigint[]) returning object_key`),
    tx.rows<{ objectKey: string }>(sql`
      delete from artwork_reservation where order_number = any(${orderNumbers}::bigint[]) returning object_key`),
  ])
  return gone.flat().map((file) => file.objectKey)
}
