import type { Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'

/** Gives a partner's endpoints, with their deliveries, to another partner. Answers how many. */
export async function reassignEndpoints(tx: Transaction, from: string, into: string): Promise<number> {
  const moved = await tx.rows(sql`
    update webhook_endpoint set partner_id = ${into} where partner_id = ${from} returning endpoint_id`)
  return moved.length
}
