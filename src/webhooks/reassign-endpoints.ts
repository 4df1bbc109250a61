import type { Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'

/** Gives a partner's endpoints, with their deliveries, to another partner. Answers them. */
export function reassignEndpoints(
  tx: Transaction,
  from: string,
  into: string,
): Promise<{ endpointId: string; url: string }[]> {
  return tx.rows(sql`
    update webhook_endpoint set partner_id = ${into} where partner_id = ${from} returning endpoint_id, url`)
}
