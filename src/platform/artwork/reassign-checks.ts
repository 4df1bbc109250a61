import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** Gives a partner's artwork checks to another partner. Answers how many. */
export async function reassignChecks(tx: Transaction, from: string, into: string): Promise<number> {
  const moved = await tx.rows(sql`
    update artwork_check set partner_id = ${into} where partner_id = ${from} returning check_id`)
  return moved.length
}
