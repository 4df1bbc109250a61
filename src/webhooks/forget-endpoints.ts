import type { Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'

/**
 * Removes a partner's endpoints with their deliveries. Waits for transactions that are queuing deliveries for them;
 * later ones find no endpoint. An endpoint registered meanwhile stays.
 * @returns how many endpoints were removed
 */
export async function forgetEndpoints(tx: Transaction, partnerId: string): Promise<number> {
  const endpoints = await tx.rows<{ endpointId: string }>(sql`
    select endpoint_id from webhook_endpoint where partner_id = ${partnerId} order by endpoint_id for update`)
  const endpointIds = endpoints.map((endpoint) => endpoint.endpointId)
  await Promise.all([
    tx.rows(sql`delete from webhook_delivery where endpoint_id = any(${endpointIds}::uuid[])`),
    tx.rows(sql`delete from webhook_endpoint where endpoint_id = any(${endpointIds}::uuid[])`),
  ])
  return endpointIds.length
}
