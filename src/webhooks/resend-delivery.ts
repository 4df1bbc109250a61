import type { Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import type { Change } from '../vocabulary/change.ts'
import type { Done, Refused } from '../vocabulary/outcome.ts'
import { deliveryChannel } from './deliveries.ts'

/**
 * Sends the event of a delivery to its endpoint once more: the same id and the same bytes, with a signature of its own.
 * It is queued, sent and recorded as a delivery of its own, which names the one it repeats. The courier decides, as for
 * any other, whether it should still be sent.
 */
export async function resendDelivery(
  tx: Transaction,
  change: Change,
  deliveryId: number,
): Promise<
  | Done<{ deliveryId: number; eventId: string; repeats: number }>
  | Refused<'delivery_not_found' | 'delivery_under_way' | 'endpoint_disabled'>
> {
  // The endpoint's row stays until the commit, so that the delivery does not outlive it.
  const found = await tx.row<{ endpointId: string; eventId: string; isUnderWay: boolean; isDisabled: boolean }>(sql`
    select delivery.endpoint_id, delivery.event_id, delivery.outcome is null as is_under_way,
      endpoint.disabled_on is not null as is_disabled
    from webhook_delivery delivery join webhook_endpoint endpoint using (endpoint_id)
    where delivery.delivery_id = ${deliveryId}
    for key share of endpoint`)
  if (!found) return { refused: 'delivery_not_found' }
  if (found.isUnderWay) return { refused: 'delivery_under_way' }
  if (found.isDisabled) return { refused: 'endpoint_disabled' }
  const { endpointId, eventId } = found
  const queued = await tx.row<{ deliveryId: number }>(sql`
    insert into webhook_delivery (endpoint_id, event_id, test_ping, type, site_id, order_number, body, trace_context, created_on,
      repeats)
    select endpoint_id, event_id, test_ping, type, site_id, order_number, body, trace_context, ${change.now}, delivery_id
    from webhook_delivery where delivery_id = ${deliveryId}
    returning delivery_id`)
  // A reset that was under way has taken it.
  if (!queued) return { refused: 'delivery_not_found' }
  await recordAudit(tx, change, {
    action: 'webhook_endpoint.delivery_resent',
    subject: { kind: 'webhook_endpoint', id: endpointId },
    siteId: null,
    detail: { eventId, deliveryId: queued.deliveryId, repeats: deliveryId },
  })
  tx.hint(deliveryChannel, endpointId)
  return { done: { deliveryId: queued.deliveryId, eventId, repeats: deliveryId } }
}
