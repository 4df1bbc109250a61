import assert from 'node:assert/strict'
import {
  createPartner,
  issueAppClient,
  setCapabilities,
  setGrantedSites,
  setTier,
} from '../../src/partners/partners.ts'
import { keyRing } from '../../src/vocabulary/keys.ts'
import { scopes } from '../../src/vocabulary/scopes.ts'
import { done } from './done.ts'
import { testMasterKey } from './master-key.ts'
import { staffChange } from './partner-builder.ts'
import { token, withToken, type Partner } from './partner.ts'
import type { Receiver } from './receiver.ts'
import type { TestService } from './service.ts'

/** A sandbox partner that no other test uses, so that no other test affects its clock or orders. */
export async function sandboxPartner(
  service: TestService,
  siteIds: readonly number[] = [service.manifest.sites.main],
): Promise<Partner & { partnerId: string }> {
  const change = staffChange(new Date())
  const clientSecretKeys = keyRing([testMasterKey], 'SANDBOX', 'client-secret')
  const { partnerId, client } = await service.sandbox.database.transaction(async (tx) => {
    const created = await done(createPartner(tx, change, { name: 'Rehearsal', machineMethod: 'BEARER' }))
    await setGrantedSites(tx, change, created.partnerId, siteIds)
    await setCapabilities(tx, change, created.partnerId, scopes)
    await setTier(tx, change, created.partnerId, 'ENTERPRISE')
    return { ...created, client: await done(issueAppClient(tx, change, created.partnerId, clientSecretKeys)) }
  })
  const { sandboxBaseUrl } = service.hosts
  return { ...withToken(sandboxBaseUrl, await token(sandboxBaseUrl, client)), partnerId }
}

/**
 * Advances the partner's clock and runs everything that is due by then. On a busy machine, the simulator may take
 * longer than one call waits. Then this calls again and advances the clock by another minute.
 */
export async function advance(partner: Partner, by: { days?: number; hours?: number; minutes?: number }) {
  const { status, body } = await partner.post('/sandbox/clock/advance', by)
  assert.equal(status, 200, JSON.stringify(body))
  if (!body.settled) return advance(partner, { minutes: 1 })
  return body as { now: string; worldNow: string; aheadSeconds: number }
}

/** Registers the receiver for the partner. */
export async function registered(partner: Partner, receiver: Receiver, wish: object = {}) {
  const { status, body } = await partner.post('/sandbox/receivers', { url: receiver.url, ...wish })
  assert.equal(status, 201, JSON.stringify(body))
  return body as { receiverId: string; secret: string }
}
