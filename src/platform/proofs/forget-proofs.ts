import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/**
 * Proofs and the proof log, which only a sandbox lets go.
 * @returns the object keys that no record names any more
 */
export async function forgetProofs(tx: Transaction, orderNumbers: readonly number[]): Promise<string[]> {
  const [files] = await Promise.all([
    tx.rows<{ objectKey: string; renditionKey: string }>(sql`
      delete from proof_file where order_number = any(${orderNumbers}::bigint[]) returning object_key, rendition_key`),
    tx.rows(sql`delete from proof_log_entry where order_number = any(${orderNumbers}::bigint[])`),
  ])
  return files.flatMap((file) => [file.objectKey, file.renditionKey])
}
