import { listDeliveries, readDelivery } from '../../webhooks/deliveries.ts'
import * as endpoints from '../../webhooks/endpoints.ts'
import { sendTestPing } from '../../webhooks/test-ping.ts'
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
  registerEndpoint: async ({ world, path, body, change, refuse }) => {
    const wish = { ...body, partnerId: path.partnerId }
    const done = await world.database.transaction((tx) =>
      endpoints.registerEndpoint(tx, change, world.key('stored-secret'), wish),
    )
    if (done.outcome !== 'registered') throw refuse(done.outcome, reasonOf(done))
    return { status: 201, body: { endpoint: await changed(world, done.endpointId), signingSecret: done.secret } }
  },
  readEndpoint: async ({ world, path, refuse }) => {
    const endpoint = await endpoints.readEndpoint(world.database.reads, path.endpointId)
    if (!endpoint) throw refuse('endpoint_not_found')
    return { status: 200, body: endpoint }
  },
  setSubscription: async ({ world, path, body, change, refuse }) => {
    const done = await world.database.transaction((tx) =>
      endpoints.setSubscription(tx, change, path.endpointId, body.types),
    )
    if (done.outcome !== 'set') throw refuse(done.outcome, reasonOf(done))
    return { status: 200, body: await changed(world, path.endpointId) }
  },
  setTarget: async ({ world, path, body, change, refuse }) => {
    const done = await world.database.transaction((tx) => endpoints.setTarget(tx, change, path.endpointId, body))
    if (done.outcome !== 'set') throw refuse(done.outcome, reasonOf(done))
    return { status: 200, body: await changed(world, path.endpointId) }
  },
  disableEndpoint: async ({ world, path, change, refuse }) => {
    const done = await world.database.transaction((tx) => endpoints.disableEndpoint(tx, change, path.endpointId))
    if (done.outcome !== 'disabled') throw refuse(done.outcome)
    return { status: 200, body: await changed(world, path.endpointId) }
  },
  enableEndpoint: async ({ world, path, change, refuse }) => {
    const done = await world.database.transaction((tx) => endpoints.enableEndpoint(tx, change, path.endpointId))
    if (done.outcome !== 'enabled') throw refuse(done.outcome)
    return { status: 200, body: await changed(world, path.endpointId) }
  },
  rotateSecret: async ({ world, path, change, refuse }) => {
    const done = await world.database.transaction((tx) =>
      endpoints.rotateSecret(tx, change, world.key('stored-secret'), path.endpointId),
    )
    if (done.outcome !== 'rotated') throw refuse(done.outcome)
    return { status: 200, body: { endpoint: await changed(world, path.endpointId), signingSecret: done.secret } }
  },
  removeSecret: async ({ world, path, change, refuse }) => {
    const done = await world.database.transaction((tx) => endpoints.removeSecret(tx, change, path.endpointId))
    if (done.outcome !== 'removed') throw refuse(done.outcome)
    return { status: 200, body: await changed(world, path.endpointId) }
  },
  sendTestPing: async ({ world, path, change, refuse }) => {
    const sent = await sendTestPing(world.database, change, path.endpointId)
    if (sent.outcome !== 'queued') throw refuse(sent.outcome)
    return { status: 202, body: { deliveryId: sent.deliveryId, eventId: sent.eventId } }
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

/** The endpoint as it stands after a change. Endpoints are never deleted. */
async function changed(world: StaffWorld, endpointId: string): Promise<endpoints.Endpoint> {
  return (await endpoints.readEndpoint(world.database.reads, endpointId))!
}

function reasonOf(refused: { outcome: string; reason?: string; types?: string[] }): string | undefined {
  if (refused.reason !== undefined) return `Nothing may be sent to this URL: ${refused.reason}.`
  return refused.types && `These types do not exist: ${refused.types.join(', ')}.`
}
