import { randomUUID, timingSafeEqual } from 'node:crypto'
import type { Tier } from '../contract/caller.ts'
import type { Queries, Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import type { Change } from '../vocabulary/change.ts'
import { isScope, type Scope } from '../vocabulary/scopes.ts'
import { hashClientSecret, newClientId, newClientSecret } from './client-secret.ts'

/**
 * The partner record and what staff decide about it: granted sites, capabilities, tier, standing, and the app clients a
 * bearer partner proves itself with (a mutual-TLS partner's certificates stand in `certificates.ts`). Every change is
 * written together with its audit record in the caller's transaction; what cannot be done is answered as a value. It does
 * not own how a credential is presented or resolved (`auth/`), nor how limits are counted (`gateway/throttle/`).
 */

/** Fixed at onboarding: a partner never changes or mixes methods (AUTH-01, AUTH-02). */
export type MachineMethod = 'BEARER' | 'MTLS'

/** Two, so that a partner can rotate: both live for a while, then the old one is revoked (AUTH-15). */
const appClientsMax = 2

const nameLengthMax = 200

export type PartnerMissing = { outcome: 'partner_not_found' }

/**
 * Records a new partner, on the trial tier (LIM-04), without sites, capabilities or credentials.
 * `partnerId` is given by seeds that must find the partner again.
 */
export async function createPartner(
  tx: Transaction,
  change: Change,
  partner: { name: string; machineMethod: MachineMethod; partnerId?: string },
): Promise<{ outcome: 'created'; partnerId: string } | { outcome: 'name_not_usable' }> {
  const name = partner.name.trim()
  if (name === '' || name.length > nameLengthMax) return { outcome: 'name_not_usable' }
  const partnerId = partner.partnerId ?? randomUUID()
  await tx.rows(sql`
    insert into partner (partner_id, name, machine_method, created_on, updated_on)
    values (${partnerId}, ${name}, ${partner.machineMethod}, ${change.now}, ${change.now})`)
  await audit(tx, change, partnerId, 'partner.created', { name, machineMethod: partner.machineMethod })
  return { outcome: 'created', partnerId }
}

/** Makes these, and no others, the partner's granted sites (STF-02). None is allowed: its credentials then get 401. */
export async function setGrantedSites(
  tx: Transaction,
  change: Change,
  partnerId: string,
  siteIds: readonly number[],
): Promise<{ outcome: 'set' } | PartnerMissing | { outcome: 'sites_not_found'; siteIds: number[] }> {
  if (!(await heldPartner(tx, partnerId))) return { outcome: 'partner_not_found' }
  const wanted = [...new Set(siteIds)].toSorted((a, b) => a - b)
  const known = await tx.rows<{ siteId: number }>(sql`select site_id from site where site_id = any(${wanted})`)
  const missing = wanted.filter((siteId) => !known.some((site) => site.siteId === siteId))
  if (missing.length > 0) return { outcome: 'sites_not_found', siteIds: missing }

  const withdrawn = await tx.rows<{ siteId: number }>(sql`
    delete from partner_site where partner_id = ${partnerId} and site_id <> all(${wanted}) returning site_id`)
  const granted = await tx.rows<{ siteId: number }>(sql`
    insert into partner_site (partner_id, site_id, granted_on)
    select ${partnerId}, site_id, ${change.now} from unnest(${wanted}::int[]) as wanted(site_id)
    on conflict do nothing
    returning site_id`)
  if (granted.length + withdrawn.length > 0) {
    await touch(tx, change, partnerId)
    await audit(tx, change, partnerId, 'partner.sites_granted', {
      granted: granted.map((site) => site.siteId),
      withdrawn: withdrawn.map((site) => site.siteId),
    })
  }
  return { outcome: 'set' }
}

/** Makes these, and no others, the partner's capabilities (STF-03). None is allowed: its credentials then get 401. */
export async function setCapabilities(
  tx: Transaction,
  change: Change,
  partnerId: string,
  capabilities: readonly Scope[],
): Promise<{ outcome: 'set' } | PartnerMissing> {
  const partner = await heldPartner(tx, partnerId)
  if (!partner) return { outcome: 'partner_not_found' }
  const wanted = [...new Set(capabilities)].toSorted()
  if (wanted.join() === partner.capabilities.toSorted().join()) return { outcome: 'set' }
  await tx.rows(sql`
    update partner set capabilities = ${wanted}, updated_on = ${change.now} where partner_id = ${partnerId}`)
  await audit(tx, change, partnerId, 'partner.capabilities_set', { before: partner.capabilities, after: wanted })
  return { outcome: 'set' }
}

/** Moves the partner to another tier (STF-09); its next request is measured by it. */
export async function setTier(
  tx: Transaction,
  change: Change,
  partnerId: string,
  tier: Tier,
): Promise<{ outcome: 'set' } | PartnerMissing> {
  const partner = await heldPartner(tx, partnerId)
  if (!partner) return { outcome: 'partner_not_found' }
  if (partner.tier === tier) return { outcome: 'set' }
  await tx.rows(sql`update partner set tier = ${tier}, updated_on = ${change.now} where partner_id = ${partnerId}`)
  await audit(tx, change, partnerId, 'partner.tier_set', { before: partner.tier, after: tier })
  return { outcome: 'set' }
}

/** From the next request on, every credential of the partner gets 401 (STF-06, AUTH-27). */
export async function disablePartner(
  tx: Transaction,
  change: Change,
  partnerId: string,
): Promise<{ outcome: 'disabled' } | PartnerMissing> {
  const partner = await heldPartner(tx, partnerId)
  if (!partner) return { outcome: 'partner_not_found' }
  if (partner.disabledOn === null) {
    await tx.rows(sql`
      update partner set disabled_on = ${change.now}, updated_on = ${change.now} where partner_id = ${partnerId}`)
    await audit(tx, change, partnerId, 'partner.disabled', {})
  }
  return { outcome: 'disabled' }
}

/** Undoes `disablePartner`: the credentials it had are good again. */
export async function enablePartner(
  tx: Transaction,
  change: Change,
  partnerId: string,
): Promise<{ outcome: 'enabled' } | PartnerMissing> {
  const partner = await heldPartner(tx, partnerId)
  if (!partner) return { outcome: 'partner_not_found' }
  if (partner.disabledOn !== null) {
    await tx.rows(sql`
      update partner set disabled_on = null, updated_on = ${change.now} where partner_id = ${partnerId}`)
    await audit(tx, change, partnerId, 'partner.enabled', {})
  }
  return { outcome: 'enabled' }
}

export type AppClientIssued = { outcome: 'issued'; clientId: string; secret: string }

/**
 * Issues an app client (STF-01, STF-04). The secret is in this answer and nowhere else: only its hash is kept.
 * @param clientSecretKey `deriveKey(masterKey, environment, 'client-secret')`
 * @param client `clientId` and `secret` are given by seeds whose credentials must be the same each time
 */
export async function issueAppClient(
  tx: Transaction,
  change: Change,
  partnerId: string,
  clientSecretKey: Buffer,
  client: { label?: string; clientId?: string; secret?: string } = {},
): Promise<
  | AppClientIssued
  | PartnerMissing
  | { outcome: 'not_a_bearer_partner' }
  | { outcome: 'two_clients_live' }
  | { outcome: 'client_id_taken' }
> {
  // The partner's row stays held until the commit, so that two issues at once cannot both count one live client.
  const partner = await heldPartner(tx, partnerId)
  if (!partner) return { outcome: 'partner_not_found' }
  if (partner.machineMethod !== 'BEARER') return { outcome: 'not_a_bearer_partner' }
  const live = await tx.rows(sql`select client_id from app_client where partner_id = ${partnerId}`)
  if (live.length >= appClientsMax) return { outcome: 'two_clients_live' }

  const { label = null, clientId = newClientId(), secret = newClientSecret() } = client
  const inserted = await tx.row(sql`
    insert into app_client (client_id, partner_id, secret_hash, label, created_on)
    values (${clientId}, ${partnerId}, ${hashClientSecret(clientSecretKey, secret)}, ${label}, ${change.now})
    on conflict (client_id) do nothing
    returning client_id`)
  if (!inserted) return { outcome: 'client_id_taken' }
  await audit(tx, change, partnerId, 'app_client.issued', { clientId, label })
  return { outcome: 'issued', clientId, secret }
}

/** Deletes an app client (STF-05): it mints no further token, and those it minted end with the next use (AUTH-18). */
export async function revokeAppClient(
  tx: Transaction,
  change: Change,
  partnerId: string,
  clientId: string,
): Promise<{ outcome: 'revoked' } | { outcome: 'client_not_found' }> {
  const revoked = await tx.row(sql`
    delete from app_client where client_id = ${clientId} and partner_id = ${partnerId} returning client_id`)
  if (!revoked) return { outcome: 'client_not_found' }
  await audit(tx, change, partnerId, 'app_client.revoked', { clientId })
  return { outcome: 'revoked' }
}

/** Characters RFC 6749 appendix A.1 allows; anything else names no client and must not reach the database. */
const clientIdForm = /^[\x20-\x7e]{1,200}$/

/**
 * The capabilities behind a client id and secret, or undefined when they do not belong together. An unknown client
 * costs the same work as a wrong secret, so that neither the answer nor its time tells which client ids exist.
 * @throws Outage when the primary database cannot answer
 */
export async function proveAppClient(
  reads: Queries,
  clientSecretKey: Buffer,
  claimed: { clientId: string; secret: string },
): Promise<{ capabilities: Scope[] } | undefined> {
  const clientId = clientIdForm.test(claimed.clientId) ? claimed.clientId : ''
  // primary key of app_client
  const client = await reads.row<{ secretHash: Buffer; capabilities: string[] }>(sql`
    select app_client.secret_hash, partner.capabilities
    from app_client join partner using (partner_id)
    where app_client.client_id = ${clientId}`)
  const presented = hashClientSecret(clientSecretKey, claimed.secret)
  const matches = timingSafeEqual(presented, client?.secretHash ?? Buffer.alloc(presented.length))
  return matches && client ? { capabilities: client.capabilities.filter(isScope) } : undefined
}

type HeldPartner = {
  tier: Tier
  machineMethod: MachineMethod
  capabilities: string[]
  disabledOn: string | null
}

/** The partner, its row held until the transaction ends. */
export function heldPartner(tx: Transaction, partnerId: string): Promise<HeldPartner | undefined> {
  return tx.row<HeldPartner>(sql`
    select tier, machine_method, capabilities, disabled_on
    from partner where partner_id = ${partnerId}
    for no key update`)
}

async function touch(tx: Transaction, change: Change, partnerId: string): Promise<void> {
  await tx.rows(sql`update partner set updated_on = ${change.now} where partner_id = ${partnerId}`)
}

/** Writes what was done to a partner into the audit record, in the transaction of the change. */
export async function audit(
  tx: Transaction,
  change: Change,
  partnerId: string,
  action: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  await recordAudit(tx, change, { action, subject: { kind: 'partner', id: partnerId }, siteId: null, detail })
}
