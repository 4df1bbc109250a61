import { randomUUID } from 'node:crypto'
import type { Tier } from '../contract/caller.ts'
import type { Database, Queries, Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import type { Change } from '../vocabulary/change.ts'
import type { Done, Refused } from '../vocabulary/outcome.ts'
import { isScope, type Scope } from '../vocabulary/scopes.ts'
import { isName } from '../vocabulary/text.ts'
import { recordId } from '../vocabulary/whole-number.ts'
import { isClientSecret, newClientId, newClientSecret, sealClientSecret } from './client-secret.ts'
import { endSignInsByPasswordAlone } from './end-sign-ins.ts'
import { isKeyedHash } from '../vocabulary/sealed-digest.ts'
import type { KeyRing } from '../vocabulary/keys.ts'

/**
 * The partner record and what staff decide about it: granted sites, capabilities, tier, whether it is enabled, and the
 * app clients by which a bearer partner authenticates. Every verb writes the audit record of its change.
 * `certificates.ts` has the certificates of mutual-TLS partners, `auth/` resolves credentials, and `gateway/throttle/`
 * counts limits.
 */

/** Fixed at onboarding: a partner never changes or mixes methods (AUTH-01, AUTH-02). */
export type MachineMethod = 'BEARER' | 'MTLS'

/** Two, so that a partner can rotate: both are live for a while, then the old one is revoked (AUTH-15). */
const appClientsMax = 2

/** In a sandbox, for its developers and their machines. */
export const ownClientsMax = 5

const nameLengthMax = 200

/** Records a new partner, on the trial tier (LIM-04), without sites, capabilities or credentials. */
export async function createPartner(
  tx: Transaction,
  change: Change,
  partner: { name: string; machineMethod: MachineMethod },
): Promise<Done<{ partnerId: string }> | Refused<'name_not_usable'>> {
  const name = partner.name.trim()
  if (!isName(name, nameLengthMax)) return { refused: 'name_not_usable' }
  const partnerId = randomUUID()
  await tx.rows(sql`
    insert into partner (partner_id, name, machine_method, created_on, updated_on)
    values (${partnerId}, ${name}, ${partner.machineMethod}, ${change.now}, ${change.now})`)
  await audit(tx, change, partnerId, 'partner.created', { name, machineMethod: partner.machineMethod })
  return { done: { partnerId } }
}

/** Renames a partner. Its history keeps the names that it had. */
export async function renamePartner(
  tx: Transaction,
  change: Change,
  partnerId: string,
  wish: string,
): Promise<Done | Refused<'partner_not_found' | 'partner_merged' | 'name_not_usable'>> {
  const name = wish.trim()
  if (!isName(name, nameLengthMax)) return { refused: 'name_not_usable' }
  const partner = await tx.row<{ name: string; mergedInto: string | null }>(sql`
    select name, merged_into from partner where partner_id = ${partnerId} for no key update`)
  if (!partner) return { refused: 'partner_not_found' }
  if (partner.mergedInto !== null) return { refused: 'partner_merged' }
  if (partner.name !== name) {
    await tx.rows(sql`update partner set name = ${name}, updated_on = ${change.now} where partner_id = ${partnerId}`)
    await audit(tx, change, partnerId, 'partner.renamed', { before: partner.name, after: name })
  }
  return { done: {} }
}

/** Replaces the partner's granted sites (STF-02). Without any, its credentials get 401. */
export async function setGrantedSites(
  tx: Transaction,
  change: Change,
  partnerId: string,
  siteIds: readonly number[],
): Promise<
  Done | Refused<'partner_not_found' | 'partner_merged'> | (Refused<'sites_not_found'> & { siteIds: number[] })
> {
  const partner = await lockPartner(tx, partnerId)
  if (!partner) return { refused: 'partner_not_found' }
  if (partner.mergedInto !== null) return { refused: 'partner_merged' }
  const wanted = [...new Set(siteIds)].toSorted((a, b) => a - b)
  const known = await tx.rows<{ siteId: number }>(
    sql`select site_id from site where site_id = any(${wanted.map(recordId)}::int[])`,
  )
  const missing = wanted.filter((siteId) => !known.some((site) => site.siteId === siteId))
  if (missing.length > 0) return { refused: 'sites_not_found', siteIds: missing }

  const withdrawn = await tx.rows<{ siteId: number }>(sql`
    delete from partner_site where partner_id = ${partnerId} and site_id <> all(${wanted}) returning site_id`)
  const granted = await tx.rows<{ siteId: number }>(sql`
    insert into partner_site (partner_id, site_id, granted_on)
    select ${partnerId}, site_id, ${change.now} from unnest(${wanted}::int[]) as wanted(site_id)
    on conflict do nothing
    returning site_id`)
  if (granted.length + withdrawn.length > 0) {
    await tx.rows(sql`update partner set updated_on = ${change.now} where partner_id = ${partnerId}`)
    await audit(tx, change, partnerId, 'partner.sites_granted', {
      granted: granted.map((site) => site.siteId),
      withdrawn: withdrawn.map((site) => site.siteId),
    })
  }
  return { done: {} }
}

/** Replaces the partner's capabilities (STF-03). Without any, its credentials get 401. */
export async function setCapabilities(
  tx: Transaction,
  change: Change,
  partnerId: string,
  capabilities: readonly Scope[],
): Promise<Done | Refused<'partner_not_found' | 'partner_merged'>> {
  const partner = await lockPartner(tx, partnerId)
  if (!partner) return { refused: 'partner_not_found' }
  if (partner.mergedInto !== null) return { refused: 'partner_merged' }
  const wanted = [...new Set(capabilities)].toSorted()
  if (wanted.join() !== partner.capabilities.toSorted().join()) {
    await tx.rows(sql`
      update partner set capabilities = ${wanted}, updated_on = ${change.now} where partner_id = ${partnerId}`)
    await audit(tx, change, partnerId, 'partner.capabilities_set', { before: partner.capabilities, after: wanted })
  }
  return { done: {} }
}

/** Moves the partner to another tier (STF-09), which applies from its next request on. */
export async function setTier(
  tx: Transaction,
  change: Change,
  partnerId: string,
  tier: Tier,
): Promise<Done | Refused<'partner_not_found'>> {
  const partner = await lockPartner(tx, partnerId)
  if (!partner) return { refused: 'partner_not_found' }
  if (partner.tier !== tier) {
    await tx.rows(sql`update partner set tier = ${tier}, updated_on = ${change.now} where partner_id = ${partnerId}`)
    await audit(tx, change, partnerId, 'partner.tier_set', { before: partner.tier, after: tier })
  }
  return { done: {} }
}

/**
 * While a partner is disabled, all its credentials get 401, from the next request on (STF-06, AUTH-27). They work again
 * once it is enabled. One that was merged into another stays disabled.
 */
export function setPartnerEnabled(
  tx: Transaction,
  change: Change,
  partnerId: string,
  enabled: false,
): Promise<Done | Refused<'partner_not_found'>>
export function setPartnerEnabled(
  tx: Transaction,
  change: Change,
  partnerId: string,
  enabled: boolean,
): Promise<Done | Refused<'partner_not_found' | 'partner_merged'>>
export async function setPartnerEnabled(
  tx: Transaction,
  change: Change,
  partnerId: string,
  enabled: boolean,
): Promise<Done | Refused<'partner_not_found' | 'partner_merged'>> {
  const partner = await lockPartner(tx, partnerId)
  if (!partner) return { refused: 'partner_not_found' }
  if (enabled && partner.mergedInto !== null) return { refused: 'partner_merged' }
  if (enabled !== (partner.disabledOn === null)) {
    await tx.rows(sql`
      update partner set disabled_on = ${enabled ? null : change.now}, updated_on = ${change.now}
      where partner_id = ${partnerId}`)
    await audit(tx, change, partnerId, enabled ? 'partner.enabled' : 'partner.disabled', {})
  }
  return { done: {} }
}

/**
 * Sets whether the partner's people need a second factor. When they do, the sign-ins of people without one end, and each
 * sets it up at the next.
 */
export async function setPartnerSecondFactor(
  tx: Transaction,
  change: Change,
  partnerId: string,
  required: boolean,
): Promise<Done | Refused<'partner_not_found'>> {
  const partner = await lockPartner(tx, partnerId)
  if (!partner) return { refused: 'partner_not_found' }
  if (partner.secondFactorRequired !== required) {
    await tx.rows(sql`
      update partner set second_factor_required = ${required}, updated_on = ${change.now}
      where partner_id = ${partnerId}`)
    if (required) await endSignInsByPasswordAlone(tx, partnerId)
    await audit(tx, change, partnerId, 'partner.second_factor_set', { required })
  }
  return { done: {} }
}

/**
 * Issues an app client (STF-01, STF-04). Only this answer contains the secret: its hash is all that is stored.
 * @param clientSecretKeys `keyRing(masterKeys, environment, 'client-secret')`
 */
export function issueAppClient(
  tx: Transaction,
  change: Change,
  partnerId: string,
  clientSecretKeys: KeyRing,
  { label = null }: { label?: string | null } = {},
): Promise<Done<IssuedClient> | NotIssued | Refused<'two_clients_live'>> {
  const rule = { madeByPartner: false, max: appClientsMax, full: { refused: 'two_clients_live' } } as const
  return issueClient(tx, change, partnerId, clientSecretKeys, label, rule)
}

/**
 * Issues an app client as a partner asks for it, which it may in a sandbox. Staff's clients do not count. The client can
 * do all that the partner can, so that nobody makes one who can do less.
 * @param held the scopes of who asks
 */
export async function issueOwnClient(
  tx: Transaction,
  change: Change,
  partnerId: string,
  clientSecretKeys: KeyRing,
  label: string,
  held: ReadonlySet<Scope>,
): Promise<Done<IssuedClient> | NotIssued | Refused<'own_clients_live'> | ScopesMissing> {
  const rule = { madeByPartner: true, max: ownClientsMax, full: { refused: 'own_clients_live' } } as const
  const partner = await lockPartner(tx, partnerId)
  const scopes = (partner?.capabilities ?? []).filter(isScope).filter((scope) => !held.has(scope))
  if (scopes.length > 0) return { refused: 'scopes_missing', scopes: scopes.toSorted() }
  return issueClient(tx, change, partnerId, clientSecretKeys, label, rule)
}

type IssuedClient = { clientId: string; clientSecret: string }
type ScopesMissing = Refused<'scopes_missing'> & { scopes: readonly Scope[] }
type NotIssued = Refused<'partner_not_found' | 'partner_merged' | 'not_a_bearer_partner' | 'label_not_usable'>

async function issueClient<Full extends Refused>(
  tx: Transaction,
  change: Change,
  partnerId: string,
  clientSecretKeys: KeyRing,
  label: string | null,
  { madeByPartner, max, full }: { madeByPartner: boolean; max: number; full: Full },
): Promise<Done<IssuedClient> | NotIssued | Full> {
  if (label !== null && !isName(label, nameLengthMax)) return { refused: 'label_not_usable' }
  // The partner's row stays locked until the commit, so that two concurrent calls cannot both count the same live clients.
  const partner = await lockPartner(tx, partnerId)
  if (!partner) return { refused: 'partner_not_found' }
  if (partner.mergedInto !== null) return { refused: 'partner_merged' }
  if (partner.machineMethod !== 'BEARER') return { refused: 'not_a_bearer_partner' }
  const live = await tx.rows(sql`
    select client_id from app_client where partner_id = ${partnerId} and made_by_partner = ${madeByPartner}`)
  if (live.length >= max) return full

  const clientId = newClientId()
  const clientSecret = newClientSecret()
  await tx.rows(sql`
    insert into app_client (client_id, partner_id, secret_hash, label, made_by_partner, created_on)
    values (${clientId}, ${partnerId}, ${sealClientSecret(clientSecretKeys, clientId, clientSecret)}, ${label}, ${madeByPartner},
      ${change.now})`)
  await audit(tx, change, partnerId, 'app_client.issued', { clientId, label })
  return { done: { clientId, clientSecret } }
}

/**
 * Deletes an app client (STF-05): it gets no further token, and its tokens get 401 from the next use on (AUTH-18).
 * @param which `onlyOwn`: one that the partner made itself
 */
export async function revokeAppClient(
  tx: Transaction,
  change: Change,
  partnerId: string,
  clientId: string,
  { onlyOwn = false }: { onlyOwn?: boolean } = {},
): Promise<Done | Refused<'client_not_found'>> {
  const revoked = await tx.row(sql`
    delete from app_client
    where client_id = ${clientId} and partner_id = ${partnerId} and (made_by_partner or not ${onlyOwn}::boolean)
    returning client_id`)
  if (!revoked) return { refused: 'client_not_found' }
  await audit(tx, change, partnerId, 'app_client.revoked', { clientId })
  return { done: {} }
}

/** Characters that RFC 6749 appendix A.1 allows. No client id contains others, and they must not reach the database. */
const clientIdForm = /^[\x20-\x7e]{1,200}$/

/**
 * The capabilities of the app client with this id and secret; undefined if they do not match. An unknown client costs
 * the same work as a wrong secret, so that neither the answer nor its time reveals which client ids exist.
 * @throws Outage when the primary database cannot answer
 */
export async function proveAppClient(
  { reads, statements }: Pick<Database, 'reads' | 'statements'>,
  clientSecretKeys: KeyRing,
  claimed: { clientId: string; secret: string },
): Promise<{ capabilities: Scope[] } | undefined> {
  const clientId = clientIdForm.test(claimed.clientId) ? claimed.clientId : ''
  // primary key of app_client
  const client = await reads.row<{ secretHash: Buffer; capabilities: string[] }>(sql`
    select app_client.secret_hash, partner.capabilities
    from app_client join partner using (partner_id)
    where app_client.client_id = ${clientId}`)
  const stored = client?.secretHash ?? sealClientSecret(clientSecretKeys, clientId, '')
  const matches = isClientSecret(clientSecretKeys, clientId, claimed.secret, stored)
  if (!matches || !client) return undefined
  if (isKeyedHash(stored)) await sealAtUse(statements, clientSecretKeys, claimed, stored)
  return { capabilities: client.capabilities.filter(isScope) }
}

/** The secret is known now, so its hash of former days, which stays under its key, gives way to one that can be sealed anew. */
async function sealAtUse(
  statements: Queries,
  keys: KeyRing,
  { clientId, secret }: { clientId: string; secret: string },
  stored: Buffer,
): Promise<void> {
  await statements.rows(sql`
    update app_client set secret_hash = ${sealClientSecret(keys, clientId, secret)}
    where client_id = ${clientId} and secret_hash = ${stored}`)
}

type LockedPartner = {
  tier: Tier
  machineMethod: MachineMethod
  capabilities: string[]
  secondFactorRequired: boolean
  disabledOn: string | null
  /** the partner it was merged into; it stays disabled, and is given nothing again */
  mergedInto: string | null
}

/** The partner, its row locked until the transaction ends. */
export function lockPartner(tx: Transaction, partnerId: string): Promise<LockedPartner | undefined> {
  return tx.row<LockedPartner>(sql`
    select tier, machine_method, capabilities, second_factor_required, disabled_on, merged_into
    from partner where partner_id = ${partnerId}
    for no key update`)
}

export async function audit(
  tx: Transaction,
  change: Change,
  partnerId: string,
  action: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  await recordAudit(tx, change, { action, subject: { kind: 'partner', id: partnerId }, siteId: null, detail })
}
