import { randomUUID } from 'node:crypto'
import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import type { Change } from '../vocabulary/change.ts'
import { deliveryChannel } from './deliveries.ts'
import { payloadOf, type Notification } from './payload.ts'

/**
 * Sends an endpoint an event that never happened, so that a receiver can be tried (STF-14). It is queued like any other
 * delivery and takes the same way; only its endpoint's subscription and its partner's sites do not matter to it
 * (EVT-34 to EVT-36). What became of it is read like any other delivery's outcome.
 */
export async function sendTestPing(
  database: Database,
  change: Change,
  endpointId: string,
): Promise<
  | { outcome: 'queued'; deliveryId: number; eventId: string }
  | { outcome: 'endpoint_not_found' }
  | { outcome: 'endpoint_disabled' }
  | { outcome: 'partner_disabled' }
> {
  const ping: Notification & { type: 'order.status_changed' } = {
    eventId: `test_${randomUUID()}`,
    type: 'order.status_changed',
    occurredAt: change.now,
    siteId: 0,
    orderNumber: 0,
    partnerOrderId: null,
    shipmentNumber: null,
  }
  const sent = await database.transaction(async (tx) => {
    const endpoint = await tx.row<{ disabled: boolean; partnerDisabled: boolean }>(sql`
      select endpoint.disabled_on is not null as disabled, partner.disabled_on is not null as partner_disabled
      from webhook_endpoint endpoint join partner using (partner_id)
      where endpoint.endpoint_id = ${endpointId}
      for key share of endpoint`)
    if (!endpoint) return { outcome: 'endpoint_not_found' } as const
    if (endpoint.disabled) return { outcome: 'endpoint_disabled' } as const
    if (endpoint.partnerDisabled) return { outcome: 'partner_disabled' } as const
    const row = await tx.row<{ deliveryId: number }>(sql`
      insert into webhook_delivery
        (endpoint_id, event_id, test_ping, type, site_id, order_number, body, created_on)
      values (${endpointId}, ${ping.eventId}, true, ${ping.type}, ${ping.siteId}, ${ping.orderNumber},
        ${payloadOf(ping)}, ${change.now})
      returning delivery_id`)
    await recordAudit(tx, change, {
      action: 'webhook_endpoint.test_ping_sent',
      subject: { kind: 'webhook_endpoint', id: endpointId },
      siteId: null,
      detail: { eventId: ping.eventId },
    })
    return { outcome: 'queued', deliveryId: row!.deliveryId, eventId: ping.eventId } as const
  })
  if (sent.outcome === 'queued') database.hint(deliveryChannel, endpointId)
  return sent
}
