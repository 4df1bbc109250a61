import type { Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'

/** Lets the orders that the simulator moves go on by the clock of another partner. Answers how many. */
export async function reassignSimulatedOrders(tx: Transaction, from: string, into: string): Promise<number> {
  const moved = await tx.rows(sql`
    update sandbox_order set partner_id = ${into} where partner_id = ${from} returning order_number`)
  return moved.length
}
