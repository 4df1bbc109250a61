import {
  issueAppClient,
  setGrantedSites,
  setCapabilities,
  createPartner,
  setTier,
} from '../../src/partners/partners.ts'
import type { Tier } from '../../src/contract/caller.ts'
import { keyRing } from '../../src/vocabulary/keys.ts'
import { scopes } from '../../src/vocabulary/scopes.ts'
import { done } from './done.ts'
import { testMasterKey } from './master-key.ts'
import { staffChange } from './partner-builder.ts'
import { token, withToken, type Partner } from './partner.ts'
import type { TestService } from './service.ts'

/** Partners that no other test uses, so a test knows how much of their limits is left. */

export type LimitedPartner = Partner & {
  partnerId: string
  /** the same partner with its other app client */
  byOtherClient: Partner
}

/** A new partner of the main site with all scopes and two app clients. Without `tier`, it keeps its first tier. */
export async function newPartner(service: TestService, tier?: Tier): Promise<LimitedPartner> {
  const change = staffChange(new Date())
  const clientSecretKeys = keyRing([testMasterKey], 'PRODUCTION', 'client-secret')
  const { partnerId, clients } = await service.production.database.transaction(async (tx) => {
    const created = await done(createPartner(tx, change, { name: 'Newcomer', machineMethod: 'BEARER' }))
    await setGrantedSites(tx, change, created.partnerId, [service.manifest.sites.main])
    await setCapabilities(tx, change, created.partnerId, scopes)
    if (tier) await setTier(tx, change, created.partnerId, tier)
    const issued = [1, 2].map(() => done(issueAppClient(tx, change, created.partnerId, clientSecretKeys)))
    return { ...created, clients: await Promise.all(issued) }
  })
  const { baseUrl } = service.hosts
  const [first, second] = await Promise.all(
    clients.map(async (client) => withToken(baseUrl, await token(baseUrl, client))),
  )
  return { ...first!, partnerId, byOtherClient: second! }
}
