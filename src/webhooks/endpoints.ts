import { randomUUID } from 'node:crypto'
import type { Queries, Transaction } from '../database/database.ts'
import { nothing, sql, sqlText } from '../database/sql.ts'
import { assertMayBeCalled, hostOf, parseTarget } from '../outside/egress/guarded-request.ts'
import { EgressRefused, refusalSays, type EgressRefusal } from '../outside/egress/outcomes.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import { eventTypes, usualEventTypes } from '../platform/events/events.ts'
import type { Change } from '../vocabulary/change.ts'
import type { Done, Refused } from '../vocabulary/outcome.ts'
import { newSigningSecret, sealSecret } from './signing-secret.ts'
import type { KeyRing } from '../vocabulary/keys.ts'

/**
 * The endpoints of partners, kept by staff and the sandbox's control API (STF-11 to STF-13): the URL, the types, the
 * signing secret, enabled or not. Every verb writes the audit record of its change. The event publisher and the courier
 * decide what is sent to an endpoint and when.
 */

const urlLengthMax = 2_000

const hourMilliseconds = 3_600_000

/** The egress's reasons to refuse a URL, and `length`. */
type UrlRefused = Refused<'url_not_usable'> & { reason: EgressRefusal | 'length' }

/** The reason as the rest of a sentence about the URL. */
export function whyNotUsable(reason: UrlRefused['reason']): string {
  return reason === 'length' ? `it has more than ${urlLengthMax} characters` : refusalSays[reason]
}

/** `types`: those that do not exist. */
type TypesRefused = Refused<'types_empty'> | (Refused<'types_not_known'> & { types: string[] })

/** `allowHost`: staff allow a non-public address for the URL's host. A link-local one is never allowed. */
export type Target = { url: string; allowHost?: boolean }

/**
 * Registers an endpoint (STF-11). It subscribes to the types of the specification unless `types` is given (EVT-22). With `signed`,
 * the answer contains the secret, which is never shown again.
 * @param storedSecretKeys `keyRing(masterKeys, environment, 'stored-secret')`
 */
export async function registerEndpoint(
  tx: Transaction,
  change: Change,
  storedSecretKeys: KeyRing,
  wish: Target & { partnerId: string; types?: readonly string[]; signed: boolean },
): Promise<
  Done<{ endpointId: string; secret: string | null }> | UrlRefused | TypesRefused | Refused<'partner_not_found'>
> {
  const { partnerId, signed } = wish
  const target = readTarget(wish)
  if ('refused' in target) return target
  const subscription = readTypes(wish.types ?? usualEventTypes)
  if ('refused' in subscription) return subscription
  const partner = await tx.row(sql`select partner_id from partner where partner_id = ${partnerId} for key share`)
  if (!partner) return { refused: 'partner_not_found' }

  const endpointId = randomUUID()
  const { url, host, hostAllowed } = target
  const { types } = subscription
  const secret = signed ? newSigningSecret() : null
  await tx.rows(sql`
    insert into webhook_endpoint
      (endpoint_id, partner_id, url, host_allowed, types, secret_sealed, created_on, updated_on)
    values (${endpointId}, ${partnerId}, ${url}, ${hostAllowed}, ${types},
      ${secret === null ? null : sealSecret(storedSecretKeys, endpointId, secret)}, ${change.now}, ${change.now})`)
  const facts = { partnerId, host, hostAllowed, types, signed }
  await audit(tx, change, endpointId, 'webhook_endpoint.registered', facts)
  return { done: { endpointId, secret } }
}

/**
 * Replaces the types that the endpoint receives (STF-12). An empty list is refused: disable the endpoint instead
 * (EVT-25).
 */
export async function setSubscription(
  tx: Transaction,
  change: Change,
  endpointId: string,
  wanted: readonly string[],
): Promise<Done | Refused<'endpoint_not_found'> | TypesRefused> {
  const subscription = readTypes(wanted)
  if ('refused' in subscription) return subscription
  const endpoint = await lockEndpoint(tx, endpointId)
  if (!endpoint) return { refused: 'endpoint_not_found' }
  const { types } = subscription
  if (types.join() !== endpoint.types.join()) {
    await tx.rows(sql`
      update webhook_endpoint set types = ${types}, updated_on = ${change.now} where endpoint_id = ${endpointId}`)
    const facts = { before: endpoint.types, after: types }
    await audit(tx, change, endpointId, 'webhook_endpoint.subscription_set', facts)
  }
  return { done: {} }
}

/** Changes the URL of later deliveries. A non-public host allowed for the former URL is not allowed for the new one. */
export async function setTarget(
  tx: Transaction,
  change: Change,
  endpointId: string,
  wish: Target,
): Promise<Done | Refused<'endpoint_not_found'> | UrlRefused> {
  const target = readTarget(wish)
  if ('refused' in target) return target
  const endpoint = await lockEndpoint(tx, endpointId)
  if (!endpoint) return { refused: 'endpoint_not_found' }
  const { url, host, hostAllowed } = target
  if (url !== endpoint.url || hostAllowed !== endpoint.hostAllowed) {
    await tx.rows(sql`
      update webhook_endpoint set url = ${url}, host_allowed = ${hostAllowed}, updated_on = ${change.now}
      where endpoint_id = ${endpointId}`)
    await audit(tx, change, endpointId, 'webhook_endpoint.target_set', { host, hostAllowed })
  }
  return { done: {} }
}

/**
 * Disabling stops every delivery that was not yet sent, and leaves the subscription as it is (STF-13, EVT-26). Events
 * that occur while the endpoint is disabled are not sent later.
 */
export async function setEndpointEnabled(
  tx: Transaction,
  change: Change,
  endpointId: string,
  enabled: boolean,
): Promise<Done | Refused<'endpoint_not_found'>> {
  const endpoint = await lockEndpoint(tx, endpointId)
  if (!endpoint) return { refused: 'endpoint_not_found' }
  if (enabled !== (endpoint.disabledOn === null)) {
    await tx.rows(sql`
      update webhook_endpoint set disabled_on = ${enabled ? null : change.now}, updated_on = ${change.now}
      where endpoint_id = ${endpointId}`)
    await audit(tx, change, endpointId, enabled ? 'webhook_endpoint.enabled' : 'webhook_endpoint.disabled', {})
  }
  return { done: {} }
}

/**
 * Gives the endpoint a new signing secret, its first if it was unsigned. The answer contains the new secret, which is never
 * shown again.
 * @param overlapHours for so long, deliveries are signed with the former secret too; 0 by default, because a receiver may
 * look at only one of two signatures
 */
export async function rotateSecret(
  tx: Transaction,
  change: Change,
  storedSecretKeys: KeyRing,
  endpointId: string,
  overlapHours = 0,
): Promise<Done<{ secret: string }> | Refused<'endpoint_not_found'>> {
  const endpoint = await lockEndpoint(tx, endpointId)
  if (!endpoint) return { refused: 'endpoint_not_found' }
  const secret = newSigningSecret()
  const overlaps = endpoint.signed && overlapHours > 0
  const formerUntil = overlaps ? new Date(change.now.getTime() + overlapHours * hourMilliseconds) : null
  await tx.rows(sql`
    update webhook_endpoint
    set secret_sealed = ${sealSecret(storedSecretKeys, endpointId, secret)},
      former_secret_sealed = case when ${overlaps} then secret_sealed end, former_secret_until = ${formerUntil},
      updated_on = ${change.now}
    where endpoint_id = ${endpointId}`)
  await audit(tx, change, endpointId, 'webhook_endpoint.secret_rotated', { wasSigned: endpoint.signed, overlapHours })
  return { done: { secret } }
}

/** Deliveries carry no signature from now on (EVT-29). */
export async function removeSecret(
  tx: Transaction,
  change: Change,
  endpointId: string,
): Promise<Done | Refused<'endpoint_not_found'>> {
  const endpoint = await lockEndpoint(tx, endpointId)
  if (!endpoint) return { refused: 'endpoint_not_found' }
  if (endpoint.signed) {
    await tx.rows(sql`
      update webhook_endpoint
      set secret_sealed = null, former_secret_sealed = null, former_secret_until = null, updated_on = ${change.now}
      where endpoint_id = ${endpointId}`)
    await audit(tx, change, endpointId, 'webhook_endpoint.secret_removed', {})
  }
  return { done: {} }
}

/** An endpoint as staff see it: whether it is signed, but never the secret. */
export type Endpoint = {
  endpointId: string
  partnerId: string
  partnerName: string
  url: string
  /** staff allow a non-public address for the host */
  hostAllowed: boolean
  types: string[]
  signed: boolean
  /** in use, and its newest ended delivery failed */
  failing: boolean
  disabledOn: string | null
  createdOn: string
  updatedOn: string
}

/** Where a page of endpoints begins: the `createdOn` and `endpointId` of the one before. */
export type EndpointKey = { createdOn: string; endpointId: string }

/** The newest ended delivery to an `endpoint`, by webhook_delivery_newest. */
const newestEnded = sqlText`
  select outcome, attempted_on from webhook_delivery delivery
  where delivery.endpoint_id = endpoint.endpoint_id and delivery.outcome in ('DELIVERED', 'FAILED')
  order by delivery.created_on desc, delivery.delivery_id desc
  limit 1`

/** Whether an `endpoint` is in use and its newest ended delivery failed. */
const isFailing = sqlText`endpoint.disabled_on is null
  and coalesce((select outcome from (${newestEnded}) as newest), '') = 'FAILED'`

/** How many endpoints fail, and since when the longest has waited for another delivery. */
export async function countFailingEndpoints(reads: Queries): Promise<{ count: number; oldest: string | null }> {
  const row = await reads.row<{ count: number; oldest: string | null }>(sql`
    select count(*) as count, min((select attempted_on from (${newestEnded}) as newest)) as oldest
    from webhook_endpoint endpoint
    where ${isFailing}`)
  return row!
}

/** At most `limit` endpoints, of one partner or of all, newest first. */
export function listEndpoints(
  reads: Queries,
  {
    partnerId,
    failing,
    after,
    limit,
  }: { partnerId?: string | undefined; failing?: boolean | undefined; after?: EndpointKey; limit: number },
): Promise<Endpoint[]> {
  // webhook_endpoint_by_partner, webhook_endpoint_newest
  return reads.rows<Endpoint>(sql`
    select ${endpointColumns}
    from webhook_endpoint endpoint join partner using (partner_id)
    where true
      ${partnerId === undefined ? nothing : sqlText`and endpoint.partner_id = ${partnerId}`}
      ${failing === undefined ? nothing : failing ? sqlText`and ${isFailing}` : sqlText`and not (${isFailing})`}
      ${after ? sqlText`and (endpoint.created_on, endpoint.endpoint_id) < (${after.createdOn}::timestamptz, ${after.endpointId}::uuid)` : nothing}
    order by endpoint.created_on desc, endpoint.endpoint_id desc
    limit ${limit}`)
}

export function readEndpoint(reads: Queries, endpointId: string): Promise<Endpoint | undefined> {
  return reads.row<Endpoint>(sql`
    select ${endpointColumns}
    from webhook_endpoint endpoint join partner using (partner_id)
    where endpoint.endpoint_id = ${endpointId}`)
}

const endpointColumns = sqlText`endpoint.endpoint_id, endpoint.partner_id, partner.name as partner_name, endpoint.url,
  endpoint.host_allowed, endpoint.types, endpoint.secret_sealed is not null as signed,
  ${isFailing} as failing, endpoint.disabled_on, endpoint.created_on, endpoint.updated_on`

/** Refuses a URL that no attempt could ever reach. A host name is resolved only when it is called. */
function readTarget({
  url,
  allowHost = false,
}: Target): UrlRefused | { url: string; host: string; hostAllowed: boolean } {
  if (url.length > urlLengthMax) return { refused: 'url_not_usable', reason: 'length' }
  try {
    const parsed = parseTarget(url)
    const host = hostOf(parsed)
    assertMayBeCalled(host, allowHost)
    return { url: parsed.href, host, hostAllowed: allowHost }
  } catch (error) {
    if (error instanceof EgressRefused) return { refused: 'url_not_usable', reason: error.reason }
    throw error
  }
}

/** The types once each, in the order in which they are published. */
function readTypes(types: readonly string[]): TypesRefused | { types: string[] } {
  const unknown = types.filter((type) => !(eventTypes as readonly string[]).includes(type))
  if (unknown.length > 0) return { refused: 'types_not_known', types: unknown }
  if (types.length === 0) return { refused: 'types_empty' }
  return { types: eventTypes.filter((type) => types.includes(type)) }
}

type LockedEndpoint = Pick<Endpoint, 'url' | 'hostAllowed' | 'types' | 'signed' | 'disabledOn'>

/** The endpoint, its row locked until the transaction ends. */
function lockEndpoint(tx: Transaction, endpointId: string): Promise<LockedEndpoint | undefined> {
  return tx.row<LockedEndpoint>(sql`
    select url, host_allowed, types, secret_sealed is not null as signed, disabled_on
    from webhook_endpoint where endpoint_id = ${endpointId}
    for no key update`)
}

/** A URL may contain a key of the partner, so only its host is recorded. */
async function audit(
  tx: Transaction,
  change: Change,
  endpointId: string,
  action: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  await recordAudit(tx, change, { action, subject: { kind: 'webhook_endpoint', id: endpointId }, siteId: null, detail })
}
