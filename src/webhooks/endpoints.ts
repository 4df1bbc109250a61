import { randomUUID } from 'node:crypto'
import type { Queries, Transaction } from '../database/database.ts'
import { nothing, sql, sqlText } from '../database/sql.ts'
import { assertNoPrivateAddress, hostOf, parseTarget } from '../outside/egress/guarded-request.ts'
import { EgressRefused, type EgressRefusal } from '../outside/egress/outcomes.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import type { Change } from '../vocabulary/change.ts'
import { eventTypes } from '../platform/events/events.ts'
import { newSigningSecret, sealSecret } from './signing-secret.ts'

/**
 * The endpoints staff keep for partners (STF-11 to STF-13): where to, which types, signed or not, on or off. Every
 * change is written together with its audit record in the caller's transaction; what cannot be done is answered as a
 * value. It does not own what is sent there, when, or what became of it.
 */

const urlLengthMax = 2_000

export type EndpointMissing = { outcome: 'endpoint_not_found' }

/** The reasons the egress would refuse the URL for, and `length`. */
export type UrlRefused = { outcome: 'url_not_usable'; reason: EgressRefusal | 'length' }

export type TypesRefused =
  | { outcome: 'types_empty' }
  /** `types` are those that do not exist */
  | { outcome: 'types_not_known'; types: string[] }

/** `allowHost`: staff let the host of the URL have an address that is not public. */
export type Target = { url: string; allowHost?: boolean }

/**
 * Registers an endpoint (STF-11). Its subscription is every type there is now unless `types` says otherwise (EVT-22).
 * With `signed`, the answer holds the secret: it is shown nowhere else, ever.
 * @param storedSecretKey `deriveKey(masterKey, environment, 'stored-secret')`
 */
export async function registerEndpoint(
  tx: Transaction,
  change: Change,
  storedSecretKey: Buffer,
  wish: Target & { partnerId: string; types?: readonly string[]; signed: boolean },
): Promise<
  | { outcome: 'registered'; endpointId: string; secret: string | null }
  | { outcome: 'partner_not_found' }
  | UrlRefused
  | TypesRefused
> {
  const target = readTarget(wish)
  if ('outcome' in target) return target
  const subscription = readTypes(wish.types ?? eventTypes)
  if ('outcome' in subscription) return subscription
  const partner = await tx.row(sql`select partner_id from partner where partner_id = ${wish.partnerId} for key share`)
  if (!partner) return { outcome: 'partner_not_found' }

  const endpointId = randomUUID()
  const secret = wish.signed ? newSigningSecret() : null
  await tx.rows(sql`
    insert into webhook_endpoint
      (endpoint_id, partner_id, url, host_allowed, types, secret_sealed, created_on, updated_on)
    values (${endpointId}, ${wish.partnerId}, ${target.url}, ${target.hostAllowed}, ${subscription.types},
      ${secret === null ? null : sealSecret(storedSecretKey, endpointId, secret)}, ${change.now}, ${change.now})`)
  await audit(tx, change, endpointId, 'webhook_endpoint.registered', {
    partnerId: wish.partnerId,
    host: target.host,
    hostAllowed: target.hostAllowed,
    types: subscription.types,
    signed: wish.signed,
  })
  return { outcome: 'registered', endpointId, secret }
}

/** Makes these, and no others, the types that reach the endpoint (STF-12). None is refused: that is disabling (EVT-25). */
export async function setSubscription(
  tx: Transaction,
  change: Change,
  endpointId: string,
  types: readonly string[],
): Promise<{ outcome: 'set' } | EndpointMissing | TypesRefused> {
  const subscription = readTypes(types)
  if ('outcome' in subscription) return subscription
  const endpoint = await heldEndpoint(tx, endpointId)
  if (!endpoint) return { outcome: 'endpoint_not_found' }
  if (subscription.types.join() === endpoint.types.join()) return { outcome: 'set' }
  await tx.rows(sql`
    update webhook_endpoint set types = ${subscription.types}, updated_on = ${change.now}
    where endpoint_id = ${endpointId}`)
  await audit(tx, change, endpointId, 'webhook_endpoint.subscription_set', {
    before: endpoint.types,
    after: subscription.types,
  })
  return { outcome: 'set' }
}

/** Sends what comes from now on to another URL; an allowance for the former host does not pass on. */
export async function setTarget(
  tx: Transaction,
  change: Change,
  endpointId: string,
  wish: Target,
): Promise<{ outcome: 'set' } | EndpointMissing | UrlRefused> {
  const target = readTarget(wish)
  if ('outcome' in target) return target
  const endpoint = await heldEndpoint(tx, endpointId)
  if (!endpoint) return { outcome: 'endpoint_not_found' }
  if (target.url === endpoint.url && target.hostAllowed === endpoint.hostAllowed) return { outcome: 'set' }
  await tx.rows(sql`
    update webhook_endpoint
    set url = ${target.url}, host_allowed = ${target.hostAllowed}, updated_on = ${change.now}
    where endpoint_id = ${endpointId}`)
  await audit(tx, change, endpointId, 'webhook_endpoint.target_set', {
    host: target.host,
    hostAllowed: target.hostAllowed,
  })
  return { outcome: 'set' }
}

/** Stops everything that was not yet sent, whatever the subscription, which stays as it is (STF-13, EVT-26). */
export async function disableEndpoint(
  tx: Transaction,
  change: Change,
  endpointId: string,
): Promise<{ outcome: 'disabled' } | EndpointMissing> {
  const endpoint = await heldEndpoint(tx, endpointId)
  if (!endpoint) return { outcome: 'endpoint_not_found' }
  if (endpoint.disabledOn === null) {
    await tx.rows(sql`
      update webhook_endpoint set disabled_on = ${change.now}, updated_on = ${change.now}
      where endpoint_id = ${endpointId}`)
    await audit(tx, change, endpointId, 'webhook_endpoint.disabled', {})
  }
  return { outcome: 'disabled' }
}

/** Undoes `disableEndpoint`. What happened meanwhile is not sent afterwards. */
export async function enableEndpoint(
  tx: Transaction,
  change: Change,
  endpointId: string,
): Promise<{ outcome: 'enabled' } | EndpointMissing> {
  const endpoint = await heldEndpoint(tx, endpointId)
  if (!endpoint) return { outcome: 'endpoint_not_found' }
  if (endpoint.disabledOn !== null) {
    await tx.rows(sql`
      update webhook_endpoint set disabled_on = null, updated_on = ${change.now} where endpoint_id = ${endpointId}`)
    await audit(tx, change, endpointId, 'webhook_endpoint.enabled', {})
  }
  return { outcome: 'enabled' }
}

/**
 * Gives the endpoint a new signing secret, its first if it was unsigned. The former one signs nothing from now on. The
 * answer holds the secret: it is shown nowhere else, ever.
 */
export async function rotateSecret(
  tx: Transaction,
  change: Change,
  storedSecretKey: Buffer,
  endpointId: string,
): Promise<{ outcome: 'rotated'; secret: string } | EndpointMissing> {
  const endpoint = await heldEndpoint(tx, endpointId)
  if (!endpoint) return { outcome: 'endpoint_not_found' }
  const secret = newSigningSecret()
  await tx.rows(sql`
    update webhook_endpoint
    set secret_sealed = ${sealSecret(storedSecretKey, endpointId, secret)}, updated_on = ${change.now}
    where endpoint_id = ${endpointId}`)
  await audit(tx, change, endpointId, 'webhook_endpoint.secret_rotated', { wasSigned: endpoint.signed })
  return { outcome: 'rotated', secret }
}

/** Deliveries carry no signature from now on (EVT-29). */
export async function removeSecret(
  tx: Transaction,
  change: Change,
  endpointId: string,
): Promise<{ outcome: 'removed' } | EndpointMissing> {
  const endpoint = await heldEndpoint(tx, endpointId)
  if (!endpoint) return { outcome: 'endpoint_not_found' }
  if (endpoint.signed) {
    await tx.rows(sql`
      update webhook_endpoint set secret_sealed = null, updated_on = ${change.now} where endpoint_id = ${endpointId}`)
    await audit(tx, change, endpointId, 'webhook_endpoint.secret_removed', {})
  }
  return { outcome: 'removed' }
}

/** An endpoint as staff see it: whether it is signed, never with what. */
export type Endpoint = {
  endpointId: string
  partnerId: string
  partnerName: string
  url: string
  /** staff let the host have an address that is not public */
  hostAllowed: boolean
  types: string[]
  signed: boolean
  disabledOn: string | null
  createdOn: string
  updatedOn: string
}

/** Where a page of endpoints begins: the `createdOn` and `endpointId` of the one before. */
export type EndpointKey = { createdOn: string; endpointId: string }

/** At most `limit` endpoints, of one partner or of all, newest first. */
export async function listEndpoints(
  reads: Queries,
  { partnerId, after, limit }: { partnerId?: string; after?: EndpointKey; limit: number },
): Promise<Endpoint[]> {
  // webhook_endpoint_by_partner, webhook_endpoint_newest
  const rows = await reads.rows<EndpointRow>(sql`
    select ${endpointColumns}
    from webhook_endpoint endpoint join partner using (partner_id)
    where true
      ${partnerId === undefined ? nothing : sqlText`and endpoint.partner_id = ${partnerId}`}
      ${after ? sqlText`and (endpoint.created_on, endpoint.endpoint_id) < (${after.createdOn}::timestamptz, ${after.endpointId}::uuid)` : nothing}
    order by endpoint.created_on desc, endpoint.endpoint_id desc
    limit ${limit}`)
  return rows.map(endpointOf)
}

export async function readEndpoint(reads: Queries, endpointId: string): Promise<Endpoint | undefined> {
  const row = await reads.row<EndpointRow>(sql`
    select ${endpointColumns}
    from webhook_endpoint endpoint join partner using (partner_id)
    where endpoint.endpoint_id = ${endpointId}`)
  return row && endpointOf(row)
}

const endpointColumns = sqlText`endpoint.endpoint_id, endpoint.partner_id, partner.name as partner_name, endpoint.url,
  endpoint.host_allowed, endpoint.types, endpoint.secret_sealed is not null as signed,
  endpoint.disabled_on, endpoint.created_on, endpoint.updated_on`

type EndpointRow = {
  endpointId: string
  partnerId: string
  partnerName: string
  url: string
  hostAllowed: boolean
  types: string[]
  signed: boolean
  disabledOn: string | null
  createdOn: string
  updatedOn: string
}

function endpointOf(row: EndpointRow): Endpoint {
  return {
    endpointId: row.endpointId,
    partnerId: row.partnerId,
    partnerName: row.partnerName,
    url: row.url,
    hostAllowed: row.hostAllowed,
    types: row.types,
    signed: row.signed,
    disabledOn: row.disabledOn,
    createdOn: row.createdOn,
    updatedOn: row.updatedOn,
  }
}

/** Refuses now what no attempt could ever reach. What a host's name means is only seen when it is called. */
function readTarget({
  url,
  allowHost = false,
}: Target): UrlRefused | { url: string; host: string; hostAllowed: boolean } {
  if (url.length > urlLengthMax) return { outcome: 'url_not_usable', reason: 'length' }
  try {
    const parsed = parseTarget(url)
    const host = hostOf(parsed)
    if (!allowHost) assertNoPrivateAddress(host)
    return { url: parsed.href, host, hostAllowed: allowHost }
  } catch (error) {
    if (error instanceof EgressRefused) return { outcome: 'url_not_usable', reason: error.reason }
    throw error
  }
}

/** The types once each, in the order in which they are published. */
function readTypes(types: readonly string[]): TypesRefused | { types: string[] } {
  const unknown = types.filter((type) => !(eventTypes as readonly string[]).includes(type))
  if (unknown.length > 0) return { outcome: 'types_not_known', types: unknown }
  if (types.length === 0) return { outcome: 'types_empty' }
  return { types: eventTypes.filter((type) => types.includes(type)) }
}

type HeldEndpoint = {
  url: string
  hostAllowed: boolean
  types: string[]
  signed: boolean
  disabledOn: string | null
}

function heldEndpoint(tx: Transaction, endpointId: string): Promise<HeldEndpoint | undefined> {
  return tx.row<HeldEndpoint>(sql`
    select url, host_allowed, types, secret_sealed is not null as signed, disabled_on
    from webhook_endpoint where endpoint_id = ${endpointId}
    for no key update`)
}

/** A URL may hold a key of the partner's, so only its host is told. */
async function audit(
  tx: Transaction,
  change: Change,
  endpointId: string,
  action: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  await recordAudit(tx, change, { action, subject: { kind: 'webhook_endpoint', id: endpointId }, siteId: null, detail })
}
