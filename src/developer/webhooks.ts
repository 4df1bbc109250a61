import type { Static } from 'typebox'
import type { Handlers } from '../contract/operation.ts'
import type { Database } from '../database/database.ts'
import { unsignedHeaders } from '../webhooks/attempt.ts'
import { listDeliveriesOfPartner, readDelivery, type DeliveryRecord } from '../webhooks/deliveries.ts'
import { listEndpoints, type Endpoint } from '../webhooks/endpoints.ts'
import type { developer, WebhookDelivery, WebhookEndpoint } from './contract.ts'

type Operations = 'listWebhookEndpoints' | 'listWebhookDeliveries' | 'getWebhookDelivery'

export function webhookHandlers({ database }: { database: Database }): Pick<Handlers<typeof developer>, Operations> {
  return {
    listWebhookEndpoints: async ({ caller, query, after, page }) => {
      const found = await listEndpoints(database.reads, {
        partnerId: caller.partnerId,
        ...(after && { after: { createdOn: String(after[0]), endpointId: String(after[1]) } }),
        limit: query.limit + 1,
      })
      const { rows, nextCursor } = page(found, ({ createdOn, endpointId }) => [createdOn, endpointId])
      return { status: 200, body: { webhookEndpoints: rows.map(endpointView), nextCursor } }
    },
    listWebhookDeliveries: async ({ caller, siteIds, query, after, page }) => {
      const { limit, cursor: _cursor, ...filter } = query
      const { found, goOn } = await listDeliveriesOfPartner(database.longReads, {
        ...filter,
        partnerId: caller.partnerId,
        siteIds,
        after: after && { createdOn: String(after[0]), deliveryId: Number(after[1]) },
        limit: limit + 1,
      })
      const keyOf = (key: { createdOn: string; deliveryId: number }) => [key.createdOn, key.deliveryId] as const
      const { rows, nextCursor } = page(found, keyOf, goOn && keyOf(goOn))
      return { status: 200, body: { webhookDeliveries: rows.map(deliveryView), nextCursor } }
    },
    getWebhookDelivery: async ({ caller, siteIds, path, refuse }) => {
      const found = await readDelivery(database.reads, path.deliveryId)
      const isOwn = found?.partnerId === caller.partnerId && (found.isTestPing || siteIds.includes(found.siteId))
      if (!isOwn) throw refuse('delivery_not_found')
      const { body, responseExcerpt } = found
      return { status: 200, body: { ...deliveryView(found), headers: headersOf(found), body, responseExcerpt } }
    },
  }
}

function endpointView(endpoint: Endpoint): Static<typeof WebhookEndpoint> {
  const { endpointId, url, types, signed, failing, disabledOn, createdOn, updatedOn } = endpoint
  return { endpointId, url, types, signed, failing, enabled: disabledOn === null, createdOn, updatedOn }
}

function deliveryView(delivery: DeliveryRecord & { endpointUrl: string }): Static<typeof WebhookDelivery> {
  return {
    deliveryId: delivery.deliveryId,
    endpointId: delivery.endpointId,
    endpointUrl: delivery.endpointUrl,
    eventId: delivery.eventId,
    isTestPing: delivery.isTestPing,
    type: delivery.type,
    siteId: delivery.siteId,
    orderNumber: delivery.orderNumber,
    outcome: delivery.outcome,
    reason: delivery.reason,
    responseStatus: delivery.responseStatus,
    durationMilliseconds: delivery.durationMilliseconds,
    createdOn: delivery.createdOn,
    attemptedOn: delivery.attemptedOn,
  }
}

/** Neither the time of a signature nor the secret behind it is kept with a delivery. */
function headersOf({ eventId, outcome, signed }: { eventId: string; outcome: string | null; signed: boolean }) {
  if (outcome === 'SKIPPED') return []
  const sent = Object.entries(unsignedHeaders(eventId)).map(([name, value]) => ({ name, value }))
  return signed ? [...sent, { name: 'Platform-Signature', value: null }] : sent
}
