import {
  listAllCertificates,
  listCertificates,
  registerCertificate,
  revokeCertificate,
} from '../../partners/certificates.ts'
import { edgeLimit } from '../../gateway/edge/address-rule.ts'
import { limitsOf } from '../../gateway/throttle/limits-of.ts'
import { listAppClients, listPartners, readPartner, type PartnerRecord } from '../../partners/partner-records.ts'
import * as partnersOf from '../../partners/partners.ts'
import type { StaffEnvironment } from '../environment.ts'
import { makeChange } from '../make-change.ts'
import type { StaffHandlers } from '../operation.ts'
import { setUpPartner } from '../onboarding/set-up-partner.ts'
import { certificateFault } from './certificate-faults.ts'
import type { partners } from './contract.ts'

export const partnerHandlers: StaffHandlers<typeof partners> = {
  listPartners: async ({ environment, query, after, page }) => {
    const found = await listPartners(environment.database.longReads, {
      q: query.q,
      after: after && { name: String(after[0]), partnerId: String(after[1]) },
      limit: query.limit + 1,
    })
    const { rows, nextCursor } = page(found, ({ name, partnerId }) => [name, partnerId])
    return { status: 200, body: { partners: rows, nextCursor } }
  },
  createPartner: async (call) => {
    const { environment, body } = call
    const { partnerId, client } = await makeChange(
      call,
      (tx, change) => setUpPartner(tx, change, environment.keys('client-secret'), body, body),
      (refused) => {
        if ('siteIds' in refused) return `No such sites: ${refused.siteIds.join(', ')}.`
        return 'fault' in refused ? certificateFault(refused) : undefined
      },
    )
    return { status: 201, body: { ...(await changed(environment, partnerId)), client } }
  },
  readPartner: async ({ environment, path, refuse }) => {
    const partner = await readPartner(environment.database.reads, path.partnerId)
    if (!partner) throw refuse('partner_not_found')
    return { status: 200, body: partner }
  },
  readPartnerLimits: async ({ environment, path, now, refuse }) => {
    const { partnerId } = path
    const partner = await readPartner(environment.database.reads, partnerId)
    if (!partner) throw refuse('partner_not_found')
    const { tier } = partner
    const standing = await environment.standing({ partnerId, tier }, now)
    return { status: 200, body: { ...limitsOf(tier, standing), edge: edgeLimit } }
  },
  renamePartner: async (call) => {
    const { environment, path, body } = call
    await makeChange(call, (tx, change) => partnersOf.renamePartner(tx, change, path.partnerId, body.name))
    return { status: 200, body: await changed(environment, path.partnerId) }
  },
  setGrantedSites: async (call) => {
    const { environment, path, body } = call
    await makeChange(
      call,
      (tx, change) => partnersOf.setGrantedSites(tx, change, path.partnerId, body.siteIds),
      (refused) => ('siteIds' in refused ? `No such sites: ${refused.siteIds.join(', ')}.` : undefined),
    )
    return { status: 200, body: await changed(environment, path.partnerId) }
  },
  setCapabilities: async (call) => {
    const { environment, path, body } = call
    await makeChange(call, (tx, change) => partnersOf.setCapabilities(tx, change, path.partnerId, body.capabilities))
    return { status: 200, body: await changed(environment, path.partnerId) }
  },
  setTier: async (call) => {
    const { environment, path, body } = call
    await makeChange(call, (tx, change) => partnersOf.setTier(tx, change, path.partnerId, body.tier))
    return { status: 200, body: await changed(environment, path.partnerId) }
  },
  disablePartner: async (call) => {
    const { environment, path } = call
    await makeChange(call, (tx, change) => partnersOf.setPartnerEnabled(tx, change, path.partnerId, false))
    return { status: 200, body: await changed(environment, path.partnerId) }
  },
  enablePartner: async (call) => {
    const { environment, path } = call
    await makeChange(call, (tx, change) => partnersOf.setPartnerEnabled(tx, change, path.partnerId, true))
    return { status: 200, body: await changed(environment, path.partnerId) }
  },
  listAppClients: async ({ environment, path, refuse }) => {
    const { reads } = environment.database
    if (!(await readPartner(reads, path.partnerId))) throw refuse('partner_not_found')
    return { status: 200, body: { clients: await listAppClients(reads, path.partnerId) } }
  },
  issueAppClient: async (call) => {
    const { environment, path, body } = call
    const issued = await makeChange(call, (tx, change) =>
      partnersOf.issueAppClient(tx, change, path.partnerId, environment.keys('client-secret'), body),
    )
    return { status: 201, body: issued }
  },
  revokeAppClient: async (call) => {
    const { path } = call
    await makeChange(call, (tx, change) => partnersOf.revokeAppClient(tx, change, path.partnerId, path.clientId))
    return { status: 200, body: { revoked: true } }
  },
  listCertificates: async ({ environment, path, refuse }) => {
    const { reads } = environment.database
    if (!(await readPartner(reads, path.partnerId))) throw refuse('partner_not_found')
    return { status: 200, body: { certificates: await listCertificates(reads, path.partnerId) } }
  },
  listAllCertificates: async ({ environment, query, after, page, now }) => {
    const found = await listAllCertificates(
      environment.database.longReads,
      {
        ending: query.ending,
        after: after && { expiresOn: String(after[0]), certificateId: String(after[1]) },
        limit: query.limit + 1,
      },
      now,
    )
    const { rows, nextCursor } = page(found, ({ expiresOn, certificateId }) => [expiresOn, certificateId])
    return { status: 200, body: { certificates: rows, nextCursor } }
  },
  registerCertificate: async (call) => {
    const { environment, path, body } = call
    const { certificateId } = await makeChange(
      call,
      (tx, change) => registerCertificate(tx, change, path.partnerId, body.pem),
      (refused) => ('fault' in refused ? certificateFault(refused) : undefined),
    )
    const certificates = await listCertificates(environment.database.statements, path.partnerId)
    return { status: 201, body: certificates.find((each) => each.certificateId === certificateId)! }
  },
  revokeCertificate: async (call) => {
    const { path } = call
    await makeChange(call, (tx, change) => revokeCertificate(tx, change, path.partnerId, path.certificateId))
    return { status: 200, body: { revoked: true } }
  },
}

/** The partner after a change. Partners are never deleted. */
async function changed(environment: StaffEnvironment, partnerId: string): Promise<PartnerRecord> {
  return (await readPartner(environment.database.reads, partnerId))!
}
