import { listCertificates, registerCertificate, revokeCertificate } from '../../partners/certificates.ts'
import { listAppClients, listPartners, readPartner, type PartnerRecord } from '../../partners/partner-records.ts'
import * as partnersOf from '../../partners/partners.ts'
import type { StaffHandlers } from '../operation.ts'
import type { StaffWorld } from '../world.ts'
import { certificateFault, isCertificateFault } from './certificate-faults.ts'
import { certificateView } from './certificate-view.ts'
import type { partners } from './contract.ts'

export const partnerHandlers: StaffHandlers<typeof partners> = {
  listPartners: async ({ world, query, after, page }) => {
    const found = await listPartners(world.database.reads, {
      after: after && { name: String(after[0]), partnerId: String(after[1]) },
      limit: query.limit + 1,
    })
    const { rows, nextCursor } = page(found, ({ name, partnerId }) => [name, partnerId])
    return { status: 200, body: { partners: rows, nextCursor } }
  },
  createPartner: async ({ world, body, change, refuse }) => {
    const created = await world.database.transaction((tx) => partnersOf.createPartner(tx, change, body))
    if (created.outcome !== 'created') throw refuse(created.outcome)
    return { status: 201, body: await changed(world, created.partnerId) }
  },
  readPartner: async ({ world, path, refuse }) => {
    const partner = await readPartner(world.database.reads, path.partnerId)
    if (!partner) throw refuse('partner_not_found')
    return { status: 200, body: partner }
  },
  setGrantedSites: async ({ world, path, body, change, refuse }) => {
    const set = await world.database.transaction((tx) =>
      partnersOf.setGrantedSites(tx, change, path.partnerId, body.siteIds),
    )
    if (set.outcome === 'sites_not_found') throw refuse(set.outcome, `No such sites: ${set.siteIds.join(', ')}.`)
    if (set.outcome !== 'set') throw refuse(set.outcome)
    return { status: 200, body: await changed(world, path.partnerId) }
  },
  setCapabilities: async ({ world, path, body, change, refuse }) => {
    const set = await world.database.transaction((tx) =>
      partnersOf.setCapabilities(tx, change, path.partnerId, body.capabilities),
    )
    if (set.outcome !== 'set') throw refuse(set.outcome)
    return { status: 200, body: await changed(world, path.partnerId) }
  },
  setTier: async ({ world, path, body, change, refuse }) => {
    const set = await world.database.transaction((tx) => partnersOf.setTier(tx, change, path.partnerId, body.tier))
    if (set.outcome !== 'set') throw refuse(set.outcome)
    return { status: 200, body: await changed(world, path.partnerId) }
  },
  disablePartner: async ({ world, path, change, refuse }) => {
    const disabled = await world.database.transaction((tx) => partnersOf.disablePartner(tx, change, path.partnerId))
    if (disabled.outcome !== 'disabled') throw refuse(disabled.outcome)
    return { status: 200, body: await changed(world, path.partnerId) }
  },
  enablePartner: async ({ world, path, change, refuse }) => {
    const enabled = await world.database.transaction((tx) => partnersOf.enablePartner(tx, change, path.partnerId))
    if (enabled.outcome !== 'enabled') throw refuse(enabled.outcome)
    return { status: 200, body: await changed(world, path.partnerId) }
  },
  listAppClients: async ({ world, path, refuse }) => {
    const { reads } = world.database
    if (!(await readPartner(reads, path.partnerId))) throw refuse('partner_not_found')
    return { status: 200, body: { clients: await listAppClients(reads, path.partnerId) } }
  },
  issueAppClient: async ({ world, path, body, change, refuse }) => {
    const issued = await world.database.transaction((tx) =>
      partnersOf.issueAppClient(tx, change, path.partnerId, world.key('client-secret'), body),
    )
    switch (issued.outcome) {
      case 'issued':
        return { status: 201, body: { clientId: issued.clientId, clientSecret: issued.secret } }
      case 'client_id_taken':
        throw new Error('a client id was drawn twice')
      default:
        throw refuse(issued.outcome)
    }
  },
  revokeAppClient: async ({ world, path, change, refuse }) => {
    const revoked = await world.database.transaction((tx) =>
      partnersOf.revokeAppClient(tx, change, path.partnerId, path.clientId),
    )
    if (revoked.outcome !== 'revoked') throw refuse(revoked.outcome)
    return { status: 200, body: { revoked: true } }
  },
  listCertificates: async ({ world, path, refuse }) => {
    const { reads } = world.database
    if (!(await readPartner(reads, path.partnerId))) throw refuse('partner_not_found')
    const certificates = await listCertificates(reads, path.partnerId)
    return { status: 200, body: { certificates: certificates.map(certificateView) } }
  },
  registerCertificate: async ({ world, path, body, change, refuse }) => {
    const registered = await world.database.transaction((tx) =>
      registerCertificate(tx, change, path.partnerId, body.pem),
    )
    if (isCertificateFault(registered)) throw refuse('certificate_not_usable', certificateFault(registered))
    if (registered.outcome !== 'registered') throw refuse(registered.outcome)
    const certificates = await listCertificates(world.database.statements, path.partnerId)
    const own = certificates.find(({ certificateId }) => certificateId === registered.certificateId)!
    return { status: 201, body: certificateView(own) }
  },
  revokeCertificate: async ({ world, path, change, refuse }) => {
    const revoked = await world.database.transaction((tx) =>
      revokeCertificate(tx, change, path.partnerId, path.certificateId),
    )
    if (revoked.outcome !== 'revoked') throw refuse(revoked.outcome)
    return { status: 200, body: { revoked: true } }
  },
}

/** The partner as it stands after a change. Partners are never deleted. */
async function changed(world: StaffWorld, partnerId: string): Promise<PartnerRecord> {
  return (await readPartner(world.database.reads, partnerId))!
}
