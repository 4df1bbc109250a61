import type { Queries, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** Removes the quota counts of days before the given instant. There is one row per partner and day, so they are few. */
export async function forgetQuotas(statements: Queries, before: Date): Promise<number> {
  const gone = await statements.rows(sql`
    delete from partner_quota where day < ${before.toISOString().slice(0, 10)}::date returning day`)
  return gone.length
}

export async function forgetQuotasOf(tx: Transaction, partnerId: string): Promise<void> {
  await tx.rows(sql`delete from partner_quota where partner_id = ${partnerId}`)
}
