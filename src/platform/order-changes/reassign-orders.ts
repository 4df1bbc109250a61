import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** Gives a partner's orders to another partner. Answers how many. */
export async function reassignOrders(tx: Transaction, from: string, into: string): Promise<number> {
  const moved = await tx.rows(sql`
    update orders set partner_id = ${into} where partner_id = ${from} returning order_number`)
  return moved.length
}
