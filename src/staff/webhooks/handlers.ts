import type { Refused } from '../../vocabulary/outcome.ts'
import { listDeliveries, readDelivery } from '../../webhooks/deliveries.ts'
import * as endpoints from '../../webhooks/endpoints.ts'
import { sendTestPing } from '../../webhooks/test-ping.ts'
import { makeChange } from '../make-change.ts'
import type { StaffHandlers } from '../operation.ts'
import type { StaffWorld } from '../world.ts'
import type { webhooks } from './contract.ts'

export const webhookHandlers: StaffHandlers<typeof webhooks> = {
  listEndpoints: async ({ world, query, after, page }) => {
    const found = await endpoints.listEndpoints(world.database.reads, {
      ...(query.partnerId === undefined ? {} : { partnerId: query.partnerId }),
      ...(after && { after: { createdOn: String(after[0]), endpointId: String(after[1]) } }),
      limit: query.limit + 1,
    })
    const { rows, nextCursor } = page(found, ({ createdOn, endpointId }) => [createdOn, endpointId])
    return { status: 200, body: { endpoints: rows, nextCursor } }
  },
  registerEndpoint: async (call) => {
    const { world, path, body } = call
    const { endpointId, secret } = await makeChange(
      call,
      (tx, change) =>
        endpoints.registerEndpoint(tx, change, world.key('stored-secret'), { ...body, partnerId: path.partnerId }),
      detailOf,
    )
    return { status: 201, body: { endpoint: await changed(world, endpointId), signingSecret: secret } }
  },
  readEndpoint: async ({ world, path, refuse }) => {
    const endpoint = await endpoints.readEndpoint(world.database.reads, path.endpointId)
    if (!endpoint) throw refuse('endpoint_not_found')
    return { status: 200, body: endpoint }
  },
  setSubscription: async (call) => {
    const { world, path, body } = call
    await makeChange(call, (tx, change) => endpoints.setSubscription(tx, change, path.endpointId, body.types), detailOf)
    return { status: 200, body: await changed(world, path.endpointId) }
  },
  setTarget: async (call) => {
    const { world, path, body } = call
    await makeChange(call, (tx, change) => endpoints.setTarget(tx, change, path.endpointId, body), detailOf)
    return { status: 200, body: await changed(world, path.endpointId) }
  },
  disableEndpoint: async (call) => {
    const { world, path } = call
    await makeChange(call, (tx, change) => endpoints.setEndpointEnabled(tx, change, path.endpointId, false))
    return { status: 200, body: await changed(world, path.endpointId) }
  },
  enableEndpoint: async (call) => {
    const { world, path } = call
    await makeChange(call, (tx, change) => endpoints.setEndpointEnabled(tx, change, path.endpointId, true))
    return { status: 200, body: await changed(world, path.endpointId) }
  },
  rotateSecret: async (call) => {
    const { world, path } = call
    const { secret } = await makeChange(call, (tx, change) =>
      endpoints.rotateSecret(tx, change, world.key('stored-secret'), path.endpointId),
    )
    return { status: 200, body: { endpoint: await changed(world, path.endpointId), signingSecret: secret } }
  },
  removeSecret: async (call) => {
    const { world, path } = call
    await makeChange(call, (tx, change) => endpoints.removeSecret(tx, change, path.endpointId))
    return { status: 200, body: await changed(world, path.endpointId) }
  },
  sendTestPing: async (call) => {
    const queued = await makeChange(call, (tx, change) => sendTestPing(tx, change, call.path.endpointId))
    return { status: 202, body: queued }
  },
  listDeliveries: async ({ world, path, query, after, page, refuse }) => {
    const { reads } = world.database
    const { endpointId } = path
    if (!(await endpoints.readEndpoint(reads, endpointId))) throw refuse('endpoint_not_found')
    const found = await listDeliveries(reads, {
      endpointId,
      ...(query.outcome === undefined ? {} : { outcome: query.outcome }),
      ...(after && { after: { createdOn: String(after[0]), deliveryId: Number(after[1]) } }),
      limit: query.limit + 1,
    })
    const { rows, nextCursor } = page(found, ({ createdOn, deliveryId }) => [createdOn, deliveryId])
    return { status: 200, body: { deliveries: rows, nextCursor } }
  },
  readDelivery: async ({ world, path, refuse }) => {
    const delivery = await readDelivery(world.database.reads, path.deliveryId)
    if (!delivery) throw refuse('delivery_not_found')
    return { status: 200, body: delivery }
  },
}

/** The endpoint after a change. Endpoints are never deleted. */
async function changed(world: StaffWorld, endpointId: string): Promise<endpoints.Endpoint> {
  return (await endpoints.readEndpoint(world.database.reads, endpointId))!
}

function detailOf(refused: Refused & { reason?: string; types?: string[] }): string | undefined {
  if (refused.reason !== undefined) return `Nothing may be sent to this URL: ${refused.reason}.`
  return refused.types && `These types do not exist: ${refused.types.join(', ')}.`
}
