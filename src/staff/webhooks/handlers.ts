import { Refusal } from '../../contract/refusal.ts'
import { eventTypes } from '../../platform/events/events.ts'
import type { Refused } from '../../vocabulary/outcome.ts'
import { listDeliveries, listFailedDeliveries, readDelivery } from '../../webhooks/deliveries.ts'
import * as endpoints from '../../webhooks/endpoints.ts'
import { sendTestPing } from '../../webhooks/test-ping.ts'
import type { StaffEnvironment } from '../environment.ts'
import type { Session } from '../session/sessions.ts'
import { makeChange } from '../make-change.ts'
import type { StaffHandlers } from '../operation.ts'
import type { webhooks } from './contract.ts'

const failedKey = ({ attemptedOn, deliveryId }: { attemptedOn: string | null; deliveryId: number }) => [
  attemptedOn!,
  deliveryId,
]

export const webhookHandlers: StaffHandlers<typeof webhooks> = {
  listEndpoints: async ({ environment, query, after, page }) => {
    const found = await endpoints.listEndpoints(environment.database.longReads, {
      partnerId: query.partnerId,
      failing: query.failing,
      ...(after && { after: { createdOn: String(after[0]), endpointId: String(after[1]) } }),
      limit: query.limit + 1,
    })
    const { rows, nextCursor } = page(found, ({ createdOn, endpointId }) => [createdOn, endpointId])
    return { status: 200, body: { endpoints: rows, nextCursor } }
  },
  registerEndpoint: async (call) => {
    const { environment, path, body } = call
    assertMayAllow(call)
    const { endpointId, secret } = await makeChange(
      call,
      (tx, change) =>
        endpoints.registerEndpoint(tx, change, environment.keys('stored-secret'), {
          ...body,
          partnerId: path.partnerId,
        }),
      detailOf,
    )
    return { status: 201, body: { endpoint: await changed(environment, endpointId), signingSecret: secret } }
  },
  readEndpoint: async ({ environment, path, refuse }) => {
    const endpoint = await endpoints.readEndpoint(environment.database.reads, path.endpointId)
    if (!endpoint) throw refuse('endpoint_not_found')
    return { status: 200, body: endpoint }
  },
  setSubscription: async (call) => {
    const { environment, path, body } = call
    await makeChange(call, (tx, change) => endpoints.setSubscription(tx, change, path.endpointId, body.types), detailOf)
    return { status: 200, body: await changed(environment, path.endpointId) }
  },
  setTarget: async (call) => {
    const { environment, path, body } = call
    assertMayAllow(call)
    await makeChange(call, (tx, change) => endpoints.setTarget(tx, change, path.endpointId, body), detailOf)
    return { status: 200, body: await changed(environment, path.endpointId) }
  },
  disableEndpoint: async (call) => {
    const { environment, path } = call
    await makeChange(call, (tx, change) => endpoints.setEndpointEnabled(tx, change, path.endpointId, false))
    return { status: 200, body: await changed(environment, path.endpointId) }
  },
  enableEndpoint: async (call) => {
    const { environment, path } = call
    await makeChange(call, (tx, change) => endpoints.setEndpointEnabled(tx, change, path.endpointId, true))
    return { status: 200, body: await changed(environment, path.endpointId) }
  },
  rotateSecret: async (call) => {
    const { environment, path, query } = call
    const { secret } = await makeChange(call, (tx, change) =>
      endpoints.rotateSecret(tx, change, environment.keys('stored-secret'), path.endpointId, query.overlapHours),
    )
    return { status: 200, body: { endpoint: await changed(environment, path.endpointId), signingSecret: secret } }
  },
  removeSecret: async (call) => {
    const { environment, path } = call
    await makeChange(call, (tx, change) => endpoints.removeSecret(tx, change, path.endpointId))
    return { status: 200, body: await changed(environment, path.endpointId) }
  },
  sendTestPing: async (call) => {
    const queued = await makeChange(call, (tx, change) => sendTestPing(tx, change, call.path.endpointId))
    return { status: 202, body: queued }
  },
  listDeliveries: async ({ environment, path, query, after, page, refuse }) => {
    const { reads } = environment.database
    const { endpointId } = path
    if (!(await endpoints.readEndpoint(reads, endpointId))) throw refuse('endpoint_not_found')
    const found = await listDeliveries(environment.database.longReads, {
      endpointId,
      ...(query.outcome === undefined ? {} : { outcome: query.outcome }),
      ...(after && { after: { createdOn: String(after[0]), deliveryId: Number(after[1]) } }),
      limit: query.limit + 1,
    })
    const { rows, nextCursor } = page(found, ({ createdOn, deliveryId }) => [createdOn, deliveryId])
    return { status: 200, body: { deliveries: rows, nextCursor } }
  },
  listFailedDeliveries: async ({ environment, query, after, page }) => {
    const { partnerId, siteId, from, to, limit } = query
    const { found, goOn } = await listFailedDeliveries(environment.database.longReads, {
      partnerId,
      siteId,
      from,
      to,
      after: after && { attemptedOn: String(after[0]), deliveryId: Number(after[1]) },
      limit: limit + 1,
    })
    const { rows, nextCursor } = page(found, failedKey, goOn && failedKey(goOn))
    return { status: 200, body: { deliveries: rows, nextCursor } }
  },
  readDelivery: async ({ environment, path, refuse }) => {
    const delivery = await readDelivery(environment.database.reads, path.deliveryId)
    if (!delivery) throw refuse('delivery_not_found')
    const { signed: _signed, ...shown } = delivery
    return { status: 200, body: shown }
  },
}

/** An endpoint on the inside sends what partners cause to our own network, so only an ADMIN allows it. */
function assertMayAllow({ session, body }: { session: Session; body: { allowHost?: boolean } }): void {
  if (body.allowHost && !session.roles.includes('ADMIN'))
    throw new Refusal<string>('not_permitted', 'The field allowHost needs the role ADMIN.')
}

/** The endpoint after a change. Endpoints are never deleted. */
async function changed(environment: StaffEnvironment, endpointId: string): Promise<endpoints.Endpoint> {
  return (await endpoints.readEndpoint(environment.database.reads, endpointId))!
}

type Why = { reason?: Parameters<typeof endpoints.whyNotUsable>[0]; types?: string[] }

function detailOf(refused: Refused & Why): string | undefined {
  if (refused.reason !== undefined)
    return `Webhooks cannot be sent to this URL: ${endpoints.whyNotUsable(refused.reason)}.`
  return (
    refused.types && `These types do not exist: ${refused.types.join(', ')}. The types are ${eventTypes.join(', ')}.`
  )
}
