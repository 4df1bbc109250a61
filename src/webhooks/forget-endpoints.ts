import type { Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import type { Change } from '../vocabulary/change.ts'
import type { Done, Refused } from '../vocabulary/outcome.ts'

/** Removes endpoints, which only a sandbox may: in production they stay with what was sent to them, and are disabled. */

/**
 * Removes a partner's endpoints with their deliveries. Waits for transactions that are queuing deliveries for them;
 * later ones find no endpoint. An endpoint registered meanwhile stays.
 * @returns how many endpoints were removed
 */
export async function forgetEndpoints(tx: Transaction, partnerId: string): Promise<number> {
  const endpoints = await tx.rows<{ endpointId: string }>(sql`
    select endpoint_id from webhook_endpoint where partner_id = ${partnerId} order by endpoint_id for update`)
  await remove(
    tx,
    endpoints.map((endpoint) => endpoint.endpointId),
  )
  return endpoints.length
}

/**
 * Removes one endpoint in the same way. What waits for it is not sent any more; an attempt under way ends, and its outcome
 * is dropped.
 */
export async function removeEndpoint(
  tx: Transaction,
  change: Change,
  endpointId: string,
): Promise<Done<{ deliveries: number }> | Refused<'endpoint_not_found'>> {
  const endpoint = await tx.row<{ partnerId: string }>(sql`
    select partner_id from webhook_endpoint where endpoint_id = ${endpointId} for update`)
  if (!endpoint) return { refused: 'endpoint_not_found' }
  const deliveries = await remove(tx, [endpointId])
  await recordAudit(tx, change, {
    action: 'webhook_endpoint.removed',
    subject: { kind: 'webhook_endpoint', id: endpointId },
    siteId: null,
    detail: { partnerId: endpoint.partnerId, deliveries },
  })
  return { done: { deliveries } }
}

/** @returns how many deliveries went with them */
async function remove(tx: Transaction, endpointIds: readonly string[]): Promise<number> {
  const deliveries = await tx.row<{ count: number }>(sql`
    with gone as (delete from webhook_delivery where endpoint_id = any(${endpointIds}::uuid[]) returning 1)
    select count(*)::int as count from gone`)
  await tx.rows(sql`delete from webhook_endpoint where endpoint_id = any(${endpointIds}::uuid[])`)
  return deliveries!.count
}
