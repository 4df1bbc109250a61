import type { Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'

/** Gives a partner's submissions to another partner, so that a repeated order is still recognised. Answers how many. */
export async function reassignSubmissions(tx: Transaction, from: string, into: string): Promise<number> {
  const moved = await tx.rows(sql`
    update submission set partner_id = ${into} where partner_id = ${from} returning submission_id`)
  return moved.length
}
