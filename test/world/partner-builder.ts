import { pino, type Logger } from 'pino'
import type { Tier } from '../../src/contract/caller.ts'
import type { Database } from '../../src/database/database.ts'
import { sql } from '../../src/database/sql.ts'
import {
  createPartner,
  issueAppClient,
  setCapabilities,
  setGrantedSites,
  setTier,
} from '../../src/partners/partners.ts'
import { registerCertificate } from '../../src/partners/certificates.ts'
import type { Change } from '../../src/vocabulary/change.ts'
import { scopes, type Scope } from '../../src/vocabulary/scopes.ts'
import { done } from './done.ts'

/** Creates sites and partners for tests that start with an empty database. */

export const silent: Logger = pino({ level: 'silent' })

export const clientSecretKeys = [Buffer.alloc(32, 'client-secret')] as const

export function staffChange(now: Date): Change {
  return { actor: { kind: 'STAFF', id: 'tester' }, now, requestId: null }
}

export async function insertSites(database: Database, siteIds: readonly number[], now: Date): Promise<void> {
  await database.statements.rows(sql`
    insert into site (site_id, name, url, currency, country_code, time_zone, supplier_code, created_on, updated_on)
    select site_id, 'Site', 'https://site.example', 'USD', 'US', 'UTC', 'S', ${now}, ${now}
    from unnest(${siteIds}::int[]) as wanted(site_id)`)
}

export type TestPartner = { partnerId: string; clientId: string; secret: string }

/** A bearer partner with one app client, by default with all ten scopes and the trial tier. Its sites must exist. */
export async function bearerPartner(
  database: Database,
  now: Date,
  wish: { siteIds?: readonly number[]; capabilities?: readonly Scope[]; tier?: Tier } = {},
): Promise<TestPartner> {
  const change = staffChange(now)
  return database.transaction(async (tx) => {
    const { partnerId } = await done(createPartner(tx, change, { name: 'Bearer partner', machineMethod: 'BEARER' }))
    await setGrantedSites(tx, change, partnerId, wish.siteIds ?? [])
    await setCapabilities(tx, change, partnerId, wish.capabilities ?? scopes)
    await setTier(tx, change, partnerId, wish.tier ?? 'TRIAL')
    const { clientId, clientSecret } = await done(issueAppClient(tx, change, partnerId, clientSecretKeys))
    return { partnerId, clientId, secret: clientSecret }
  })
}

/** Like `bearerPartner`, but for mutual TLS. Registers the certificate if there is one. */
export async function mutualTlsPartner(
  database: Database,
  now: Date,
  wish: { siteIds?: readonly number[]; capabilities?: readonly Scope[]; pem?: string } = {},
): Promise<{ partnerId: string; certificateId: string }> {
  const change = staffChange(now)
  return database.transaction(async (tx) => {
    const { partnerId } = await done(createPartner(tx, change, { name: 'Mutual-TLS partner', machineMethod: 'MTLS' }))
    await setGrantedSites(tx, change, partnerId, wish.siteIds ?? [])
    await setCapabilities(tx, change, partnerId, wish.capabilities ?? scopes)
    if (wish.pem === undefined) return { partnerId, certificateId: '' }
    const { certificateId } = await done(registerCertificate(tx, change, partnerId, wish.pem))
    return { partnerId, certificateId }
  })
}
