import type { Transaction } from './database.ts'
import { sql } from './sql.ts'

/** Does a part of a transaction; when it throws, only this part is undone. One at a time, and none that ends with `finish`. */
export async function withSavepoint<Result>(tx: Transaction, work: () => Promise<Result>): Promise<Result> {
  await tx.rows(sql`savepoint part`)
  try {
    const result = await work()
    await tx.rows(sql`release savepoint part`)
    return result
  } catch (error) {
    await tx.rows(sql`rollback to savepoint part`)
    throw error
  }
}
