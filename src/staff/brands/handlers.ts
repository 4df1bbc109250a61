import { readPartnerBrand, setPartnerBrand, setPartnerLogo } from '../../partners/partner-brand.ts'
import { linkToObject } from '../../platform/files/link-to-object.ts'
import { textColorOn, usualColor } from '../../platform/sites/brand-rules.ts'
import { readSiteBrand, setSiteBrand, setSiteLogo } from '../../platform/sites/brand.ts'
import { removeLogo, storeLogo } from '../../platform/sites/logo-files.ts'
import type { StaffEnvironment } from '../environment.ts'
import { makeChange } from '../make-change.ts'
import type { StaffHandlers } from '../operation.ts'
import type { brands } from './contract.ts'

export const brandHandlers: StaffHandlers<typeof brands> = {
  readSiteBrand: async ({ environment, path, now, refuse }) => {
    const found = await siteBrand(environment, path.siteId, now)
    if (!found) throw refuse('site_not_found')
    return found
  },
  setSiteBrand: async (call) => {
    const { environment, path, body, now } = call
    await makeChange(call, (tx, change) => setSiteBrand(tx, change, path.siteId, body))
    return (await siteBrand(environment, path.siteId, now))!
  },
  setSiteLogo: async ({ environment, path, upload, change, now, refuse }) => {
    const set = await storeLogo(environment, upload, (tx, key) => setSiteLogo(tx, change, path.siteId, key))
    if ('refused' in set) throw refuse(set.refused)
    return (await siteBrand(environment, path.siteId, now))!
  },
  removeSiteLogo: async ({ environment, path, change, now, refuse }) => {
    const removed = await removeLogo(environment, (tx, key) => setSiteLogo(tx, change, path.siteId, key))
    if ('refused' in removed) throw refuse(removed.refused)
    return (await siteBrand(environment, path.siteId, now))!
  },
  readPartnerBrand: async ({ environment, path, now, refuse }) => {
    const found = await partnerBrand(environment, path.partnerId, now)
    if (!found) throw refuse('partner_not_found')
    return found
  },
  setPartnerBrand: async (call) => {
    const { environment, path, body, now } = call
    await makeChange(call, (tx, change) => setPartnerBrand(tx, change, path.partnerId, body))
    return (await partnerBrand(environment, path.partnerId, now))!
  },
  setPartnerLogo: async ({ environment, path, upload, change, now, refuse }) => {
    const set = await storeLogo(environment, upload, (tx, key) => setPartnerLogo(tx, change, path.partnerId, key))
    if ('refused' in set) throw refuse(set.refused)
    return (await partnerBrand(environment, path.partnerId, now))!
  },
  removePartnerLogo: async ({ environment, path, change, now, refuse }) => {
    const removed = await removeLogo(environment, (tx, key) => setPartnerLogo(tx, change, path.partnerId, key))
    if ('refused' in removed) throw refuse(removed.refused)
    return (await partnerBrand(environment, path.partnerId, now))!
  },
}

async function siteBrand(environment: StaffEnvironment, siteId: number, now: Date) {
  const found = await readSiteBrand(environment.database.reads, siteId)
  return found && shown(environment, found, now)
}

async function partnerBrand(environment: StaffEnvironment, partnerId: string, now: Date) {
  const found = await readPartnerBrand(environment.database.reads, partnerId)
  return found && shown(environment, found, now)
}

/** An answer with the brand as it is kept, and a link to its logo. */
async function shown<Kept extends { color: string | null; logoKey: string | null }>(
  { objectStore }: StaffEnvironment,
  { logoKey, ...kept }: Kept,
  now: Date,
) {
  const logoUrl = logoKey && (await linkToObject(objectStore, logoKey, now, { contentType: 'image/png' }))
  const body = { ...kept, textColor: textColorOn(kept.color ?? usualColor), logoUrl }
  return { status: 200 as const, body, links: [logoUrl] }
}
