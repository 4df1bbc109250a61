import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** Gives another line of the same order the current proof of a line. */
export async function copyProof(
  tx: Transaction,
  { orderNumber, lineNumber }: { orderNumber: number; lineNumber: number },
  toLineNumber: number,
): Promise<void> {
  await tx.rows(sql`
    insert into proof_file (order_number, line_number, revision, site_id, name, object_key, rendition_key, active,
      consumer_visible, findings, archived_on, created_on)
    select order_number, ${toLineNumber}::int, 1, site_id, name, object_key, rendition_key, active, consumer_visible,
      findings, archived_on, created_on
    from proof_file where order_number = ${orderNumber} and line_number = ${lineNumber} and active`)
}
