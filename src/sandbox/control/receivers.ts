import type { Handler, Handlers } from '../../contract/operation.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Refusal } from '../../contract/refusal.ts'
import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { hostOf, parseTarget } from '../../outside/egress/guarded-request.ts'
import { EgressRefused } from '../../outside/egress/outcomes.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import { listDeliveries, readDelivery, type DeliveryRecord } from '../../webhooks/deliveries.ts'
import {
  listEndpoints,
  readEndpoint,
  registerEndpoint,
  rotateSecret,
  setEndpointEnabled,
  setSubscription,
  setTarget,
  whyNotUsable,
  type Endpoint,
} from '../../webhooks/endpoints.ts'
import { removeEndpoint } from '../../webhooks/forget-endpoints.ts'
import { resendDelivery as resend } from '../../webhooks/resend-delivery.ts'
import { sendTestPing } from '../../webhooks/test-ping.ts'
import { keepEarned } from '../go-live/go-live.ts'
import { misbehavioursOf, setMisbehaviour, type Misbehaviour } from '../misbehaviour.ts'
import type { control } from './contract.ts'
import type { ControlParts } from './parts.ts'
import type { receivers } from './receivers-contract.ts'
import type { KeyRing } from '../../vocabulary/keys.ts'

/** A partner's own endpoints. All dates are in real time, since receivers compare them with their own clocks. */

const receiversMax = 20

type Call = { caller: Caller; path: { receiverId: string }; change: Change }

export function receiverHandlers(parts: ControlParts): Handlers<typeof receivers> {
  const { database, storedSecretKeys, receiverHosts, realClock } = parts

  const changeOf = ({ change }: Pick<Call, 'change'>): Change => ({ ...change, now: realClock() })

  /** A receiver of another partner is not found. */
  async function own({ caller, path }: Pick<Call, 'caller' | 'path'>): Promise<Endpoint | undefined> {
    const endpoint = await readEndpoint(database.statements, path.receiverId)
    return endpoint?.partnerId === caller.partnerId ? endpoint : undefined
  }

  async function viewOf(endpoint: Endpoint) {
    const asked = await misbehavioursOf(database, [endpoint.endpointId])
    return receiverView(endpoint, asked.get(endpoint.endpointId))
  }

  const registerReceiver: Handler<typeof control.registerReceiver> = async (call) => {
    const { caller, body, refuse } = call
    const { url, types, signed = true } = body
    const registered = await database.change((tx) =>
      registerOneMore(tx, changeOf(call), storedSecretKeys, {
        partnerId: caller.partnerId,
        url,
        allowHost: isAllowed(url, receiverHosts),
        signed,
        ...(types ? { types } : {}),
      }),
    )
    if ('refused' in registered) throw refuse(registered.refused, registered.detail)
    const { endpoint, secret } = registered.done
    return {
      status: 201,
      body: { ...receiverView(endpoint), secret },
      headers: { location: `/sandbox/receivers/${endpoint.endpointId}` },
    }
  }

  const listReceivers: Handler<typeof control.listReceivers> = async ({ caller, query, after, page }) => {
    const [createdOn, endpointId] = (after ?? []) as [string, string]
    const found = await listEndpoints(database.lists, {
      partnerId: caller.partnerId,
      ...(after ? { after: { createdOn, endpointId } } : {}),
      limit: query.limit + 1,
    })
    const { rows, nextCursor } = page(found, (row) => [row.createdOn, row.endpointId])
    const asked = await misbehavioursOf(
      database,
      rows.map((row) => row.endpointId),
    )
    const receivers = rows.map((row) => receiverView(row, asked.get(row.endpointId)))
    return { status: 200, body: { receivers, nextCursor } }
  }

  const getReceiver: Handler<typeof control.getReceiver> = async (call) => {
    const endpoint = await own(call)
    if (!endpoint) throw call.refuse('receiver_not_found')
    return { status: 200, body: await viewOf(endpoint) }
  }

  const changeReceiver: Handler<typeof control.changeReceiver> = async (call) => {
    const { path, body, refuse } = call
    if (!(await own(call))) throw refuse('receiver_not_found')
    const changed = await database.change(
      call.guarded((tx) => changeEndpoint(tx, changeOf(call), path.receiverId, body, receiverHosts)),
    )
    if ('refused' in changed) throw refuse(changed.refused, changed.detail)
    return { status: 200, body: await shown(call) }
  }

  const removeReceiver: Handler<typeof control.removeReceiver> = async (call) => {
    const { receiverId } = call.path
    if (!(await own(call))) throw call.refuse('receiver_not_found')
    const removed = await database.change(async (tx) => {
      await keepEarned(tx, call.caller.partnerId)
      return removeEndpoint(tx, changeOf(call), receiverId)
    })
    if ('refused' in removed) throw call.refuse('receiver_not_found')
    return { status: 200, body: { receiverId, deliveries: removed.done.deliveries } }
  }

  const rotateReceiverSecret: Handler<typeof control.rotateReceiverSecret> = async (call) => {
    const { receiverId } = call.path
    if (!(await own(call))) throw call.refuse('receiver_not_found')
    const rotated = await database.change((tx) =>
      rotateSecret(tx, changeOf(call), storedSecretKeys, receiverId, call.query.overlapHours),
    )
    if ('refused' in rotated) throw call.refuse('receiver_not_found')
    return { status: 200, body: { receiverId, secret: rotated.done.secret } }
  }

  const disableReceiver: Handler<typeof control.disableReceiver> = async (call) => {
    if (!(await own(call))) throw call.refuse('receiver_not_found')
    await database.change((tx) => setEndpointEnabled(tx, changeOf(call), call.path.receiverId, false))
    return { status: 200, body: await shown(call) }
  }

  const enableReceiver: Handler<typeof control.enableReceiver> = async (call) => {
    if (!(await own(call))) throw call.refuse('receiver_not_found')
    await database.change((tx) => setEndpointEnabled(tx, changeOf(call), call.path.receiverId, true))
    return { status: 200, body: await shown(call) }
  }

  const setReceiverMisbehaviour: Handler<typeof control.setReceiverMisbehaviour> = async (call) => {
    const { path, body, refuse } = call
    if (!(await own(call))) throw refuse('receiver_not_found')
    await database.change(call.guarded((tx) => setMisbehaviour(tx, changeOf(call), path.receiverId, body.misbehaviour)))
    return { status: 200, body: await shown(call) }
  }

  const pingReceiver: Handler<typeof control.pingReceiver> = async (call) => {
    if (!(await own(call))) throw call.refuse('receiver_not_found')
    const queued = await database.change((tx) => sendTestPing(tx, changeOf(call), call.path.receiverId))
    if ('done' in queued) return { status: 200, body: queued.done }
    throw call.refuse(queued.refused === 'endpoint_disabled' ? 'receiver_disabled' : 'receiver_not_found')
  }

  const listReceiverDeliveries: Handler<typeof control.listReceiverDeliveries> = async (call) => {
    const { path, query, after, page, refuse } = call
    if (!(await own(call))) throw refuse('receiver_not_found')
    const [createdOn, deliveryId] = (after ?? []) as [string, number]
    const found = await listDeliveries(database.lists, {
      endpointId: path.receiverId,
      ...(after ? { after: { createdOn, deliveryId } } : {}),
      limit: query.limit + 1,
    })
    const { rows, nextCursor } = page(found, (row) => [row.createdOn, row.deliveryId])
    const deliveries = rows.map(deliveryView)
    return { status: 200, body: { deliveries, nextCursor } }
  }

  const resendDelivery: Handler<typeof control.resendDelivery> = async (call) => {
    const { caller, path, refuse } = call
    const delivery = await readDelivery(database.statements, path.deliveryId)
    if (delivery?.partnerId !== caller.partnerId) throw refuse('delivery_not_found')
    const resent = await database.change((tx) => resend(tx, changeOf(call), path.deliveryId))
    if ('done' in resent) return { status: 200, body: resent.done }
    throw refuse(resent.refused === 'endpoint_disabled' ? 'receiver_disabled' : resent.refused)
  }

  /** The receiver after a change; a reset may have removed it. */
  async function shown(call: Call & { refuse: (code: 'receiver_not_found') => Refusal }) {
    const endpoint = await own(call)
    if (!endpoint) throw call.refuse('receiver_not_found')
    return viewOf(endpoint)
  }

  return {
    registerReceiver,
    listReceivers,
    getReceiver,
    changeReceiver,
    removeReceiver,
    rotateReceiverSecret,
    disableReceiver,
    enableReceiver,
    pingReceiver,
    setReceiverMisbehaviour,
    listReceiverDeliveries,
    resendDelivery,
  }
}

async function registerOneMore(
  tx: Transaction,
  change: Change,
  storedSecretKeys: KeyRing,
  wish: Parameters<typeof registerEndpoint>[3],
): Promise<
  | Done<{ endpoint: Endpoint; secret: string | null }>
  | (Refused<'too_many_receivers' | 'receiver_url_not_usable'> & { detail: string })
> {
  const { partnerId } = wish
  // One at a time, so that each counts the ones before it.
  await tx.rows(sql`select from partner where partner_id = ${partnerId} for no key update`)
  const others = await listEndpoints(tx, { partnerId, limit: receiversMax })
  if (others.length === receiversMax)
    return { refused: 'too_many_receivers', detail: `A partner can have ${receiversMax} receivers.` }
  const registered = await registerEndpoint(tx, change, storedSecretKeys, wish)
  if ('done' in registered) {
    const { endpointId, secret } = registered.done
    // Read in this transaction: a reset may remove it right after the commit.
    return { done: { endpoint: (await readEndpoint(tx, endpointId))!, secret } }
  }
  if (registered.refused === 'url_not_usable') return unusable(registered.reason)
  throw new Error(`a receiver was not registered: ${registered.refused}`)
}

/** Makes the changes that are asked for, all or none. */
async function changeEndpoint(
  tx: Transaction,
  change: Change,
  endpointId: string,
  { url, types, enabled }: { url?: string; types?: readonly string[]; enabled?: boolean },
  hosts: readonly string[],
): Promise<Done | (Refused<'receiver_not_found' | 'receiver_url_not_usable'> & { detail?: string })> {
  const changes = [
    url !== undefined && (() => setTarget(tx, change, endpointId, { url, allowHost: isAllowed(url, hosts) })),
    types && (() => setSubscription(tx, change, endpointId, types)),
    enabled !== undefined && (() => setEndpointEnabled(tx, change, endpointId, enabled)),
  ]
  for (const make of changes) {
    const made = make ? await make() : { done: {} }
    if ('done' in made) continue
    if (made.refused === 'url_not_usable') return unusable(made.reason)
    if (made.refused === 'endpoint_not_found') return { refused: 'receiver_not_found' }
    throw new Error(`a receiver was not changed: ${made.refused}`)
  }
  return { done: {} }
}

function unusable(reason: Parameters<typeof whyNotUsable>[0]) {
  const detail = `The URL cannot receive deliveries: ${whyNotUsable(reason)}.`
  return { refused: 'receiver_url_not_usable', detail } as const
}

function receiverView(endpoint: Endpoint, misbehaviour: Misbehaviour = 'none') {
  const { endpointId, url, types, signed, disabledOn, createdOn, updatedOn } = endpoint
  return {
    receiverId: endpointId,
    url,
    types,
    signed,
    enabled: disabledOn === null,
    misbehaviour,
    createdOn,
    updatedOn,
  }
}

function deliveryView(record: DeliveryRecord) {
  const { endpointId: _endpointId, isTestPing: _isTestPing, ...view } = record
  return view
}

/** Registration rejects values that are not URLs. */
function isAllowed(url: string, hosts: readonly string[]): boolean {
  try {
    return hosts.includes(hostOf(parseTarget(url)))
  } catch (error) {
    if (error instanceof EgressRefused) return false
    throw error
  }
}
