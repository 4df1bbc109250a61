import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/**
 * Removes proofs and the proof log, which only a reset of the sandbox does.
 * @returns the object keys that no record refers to any more
 */
export async function forgetProofs(tx: Transaction, orderNumbers: readonly number[]): Promise<string[]> {
  const [files] = await Promise.all([
    tx.rows<{ objectKey: string; renditionKey: string }>(sql`
      delete from proof_file where order_number = any(${orderNumbers}::bigint[]) returning object_key, rendition_key`),
    tx.rows(sql`delete from proof_log_entry where order_number = any(${orderNumbers}::bigint[])`),
  ])
  return files.flatMap((file) => [file.objectKey, file.renditionKey])
}
