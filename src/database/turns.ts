import type { Queries } from './database.ts'
import { sql } from './sql.ts'

/** The first key of the advisory locks behind turns; no other lock uses it. */
const turns = 7_305

/** Waits until no other transaction has this turn, and keeps it until the transaction ends. */
export async function takeTurn(tx: Queries, turn: string): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(${turns}::int, hashtext(${turn}))`)
}
