import { randomUUID } from 'node:crypto'
import type { Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import type { Change } from '../vocabulary/change.ts'
import type { Done, Refused } from '../vocabulary/outcome.ts'
import { deliveryChannel } from './deliveries.ts'
import { payloadOf, type Notification } from './payload.ts'

/**
 * Sends an endpoint an event that never happened, so that the receiver can be tested (STF-14). The ping is queued, sent
 * and recorded like any other delivery, but ignores the endpoint's subscription and the partner's sites (EVT-34 to
 * EVT-36).
 */
export async function sendTestPing(
  tx: Transaction,
  change: Change,
  endpointId: string,
): Promise<
  | Done<{ deliveryId: number; eventId: string }>
  | Refused<'endpoint_not_found' | 'endpoint_disabled' | 'partner_disabled'>
> {
  const endpoint = await tx.row<{ disabled: boolean; partnerDisabled: boolean }>(sql`
    select endpoint.disabled_on is not null as disabled, partner.disabled_on is not null as partner_disabled
    from webhook_endpoint endpoint join partner using (partner_id)
    where endpoint.endpoint_id = ${endpointId}
    for key share of endpoint`)
  if (!endpoint) return { refused: 'endpoint_not_found' }
  if (endpoint.disabled) return { refused: 'endpoint_disabled' }
  if (endpoint.partnerDisabled) return { refused: 'partner_disabled' }

  const ping = testPing(change.now)
  const { eventId } = ping
  const queued = await tx.row<{ deliveryId: number }>(sql`
    insert into webhook_delivery (endpoint_id, event_id, test_ping, type, site_id, order_number, body, created_on)
    values (${endpointId}, ${eventId}, true, ${ping.type}, ${ping.siteId}, ${ping.orderNumber}, ${payloadOf(ping)},
      ${change.now})
    returning delivery_id`)
  await recordAudit(tx, change, {
    action: 'webhook_endpoint.test_ping_sent',
    subject: { kind: 'webhook_endpoint', id: endpointId },
    siteId: null,
    detail: { eventId },
  })
  tx.hint(deliveryChannel, endpointId)
  return { done: { deliveryId: queued!.deliveryId, eventId } }
}

/** An event that never happened, about no order. */
export function testPing(now: Date): Notification {
  return {
    eventId: `test_${randomUUID()}`,
    type: 'order.status_changed',
    occurredAt: now,
    siteId: 0,
    orderNumber: 0,
    partnerOrderId: null,
    shipmentNumber: null,
  }
}
