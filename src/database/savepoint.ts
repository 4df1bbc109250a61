import type { Database, Transaction } from './database.ts'
import { sql } from './sql.ts'

/**
 * Transactions within one: what takes a database to change it, changes this transaction instead, and where it fails only
 * its own part is undone. One at a time, and none that ends with `finish`.
 */
export function savepointsOf(tx: Transaction): Pick<Database, 'transaction'> {
  return {
    transaction: async (work) => {
      await tx.rows(sql`savepoint part`)
      try {
        const result = await work(tx)
        await tx.rows(sql`release savepoint part`)
        return result
      } catch (error) {
        await tx.rows(sql`rollback to savepoint part`)
        throw error
      }
    },
  }
}
