import { readProductRecord } from '../../platform/catalog/product-record.ts'
import type { Transaction } from '../../database/database.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Environment } from '../../vocabulary/environment.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import { permissionsOf } from '../../vocabulary/staff-roles.ts'
import type { StaffEnvironment } from '../environment.ts'
import type { Refusal } from '../../contract/refusal.ts'
import { copyPartner, readOriginalPartner } from './copy-partner.ts'
import { copySite, readOriginalSite } from './copy-site.ts'
import type { StaffHandlers } from '../operation.ts'
import type { onboarding } from './contract.ts'
import { mergePartners } from './merge-partners.ts'
import { partnerReadiness } from './partner-readiness.ts'
import { productReadiness, siteReadiness } from './site-readiness.ts'

export const onboardingHandlers: StaffHandlers<typeof onboarding> = {
  copySite: async (call) => {
    const { environment, environments, body, session, refuse } = call
    const needed = ['shipping:write', 'tax:write', 'catalog:write', 'prices:write'] as const
    const lacking = needed.find((permission) => !permissionsOf(session.roles).has(permission))
    if (lacking) throw refuse('not_permitted', `A copy needs the permission ${lacking} too.`)
    const source = environments[environmentOf(body.from)]
    if (source.database.reads === environment.database.reads && body.name === undefined) throw refuse('copy_of_itself')
    const original = await readOriginalSite(source.database.longReads, body.siteId, body.products ?? true)
    if (original === undefined) throw refuse('site_not_found')
    if (original === 'too_many_products') throw refuse('too_many_products')
    const accounts = { hasTaxService: environment.hasTaxService, hasCarriers: environment.carriers !== null }
    const { siteId, ...report } = await copied(call, (tx, change) => copySite(tx, change, original, body, accounts))
    return { status: 200, body: { siteId: report.dryRun && report.isNew ? null : siteId, ...report } }
  },
  copyPartner: async (call) => {
    const { environment, environments, body, refuse } = call
    const source = environments[environmentOf(body.from)]
    if (source.database.reads === environment.database.reads) throw refuse('copy_of_itself')
    const original = await readOriginalPartner(source.database.reads, body.partnerId)
    if (!original) throw refuse('partner_not_found')
    const { partnerId, ...report } = await copied(call, (tx, change) => copyPartner(tx, change, original))
    return { status: 200, body: { partnerId: report.dryRun && report.isNew ? null : partnerId, ...report } }
  },
  mergePartners: async (call) => {
    const { environment, path, body } = call
    const { into } = body
    const wish = { from: path.partnerId, into: into.toLowerCase(), isSandbox: environment.partnerTime !== undefined }
    const report = await copied(call, (tx, change) => mergePartners(tx, change, wish))
    return { status: 200, body: { into: wish.into, ...report } }
  },
  readSiteReadiness: async ({ environment, path, now, refuse }) => {
    const found = await siteReadiness(environment, path.siteId, now)
    if (!found) throw refuse('site_not_found')
    return { status: 200, body: { siteId: path.siteId, ...found } }
  },
  readProductReadiness: async ({ environment, path, now, refuse }) => {
    const product = await readProductRecord(environment.database.reads, path.productId)
    const found = product && (await productReadiness(environment, product, now))
    if (!found) throw refuse('product_not_found')
    return { status: 200, body: { productId: product.productId, siteId: product.siteId, ...found } }
  },
  readPartnerReadiness: async ({ environment, path, now, refuse }) => {
    const found = await partnerReadiness(environment, path.partnerId, now)
    if (!found) throw refuse('partner_not_found')
    return { status: 200, body: { partnerId: path.partnerId, ...found } }
  },
}

function environmentOf(name: 'production' | 'sandbox'): Environment {
  return name === 'production' ? 'PRODUCTION' : 'SANDBOX'
}

/** Makes a copy or a merger and answers its report; a dry run is made and rolled back. */
async function copied<Report extends object, Code extends string>(
  call: {
    environment: StaffEnvironment
    change: Change
    body: { dryRun?: boolean }
    refuse: (code: Code, detail?: string) => Refusal<string>
  },
  copy: (tx: Transaction, change: Change) => Promise<Done<Report> | (Refused<Code> & { detail?: string | undefined })>,
): Promise<Report & { dryRun: boolean }> {
  const { dryRun = false } = call.body
  let report: Report | undefined
  const outcome = await call.environment.database.change(async (tx) => {
    const made = await copy(tx, call.change)
    if ('refused' in made) return made
    report = made.done
    return dryRun ? { refused: 'dry_run' as const } : made
  })
  if ('refused' in outcome && outcome.refused !== 'dry_run') {
    const { refused, detail } = outcome as Refused<Code> & { detail?: string }
    throw call.refuse(refused, detail)
  }
  return { ...report!, dryRun }
}
