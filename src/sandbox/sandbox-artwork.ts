import type { Transaction } from '../database/database.ts'
import { sql, sqlText } from '../database/sql.ts'
import { dueChannel } from './simulator.ts'

/** Lets the simulator look at an order again, in the transaction that ends the inspection of one of its files. */
export async function wakeForArtwork(tx: Transaction, orderNumber: number): Promise<void> {
  await tx.rows(sql`
    update sandbox_order set artwork_ended = artwork_ended + 1 where order_number = ${orderNumber}`)
  tx.hint(dueChannel)
}

/** The condition on `line` that the simulator plays its order, and so publishes its proofs. */
export const isPlayed = sqlText`
  exists (select from sandbox_order played where played.order_number = line.order_number)`
