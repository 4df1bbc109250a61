import { setOrderingUser } from '../../platform/sites/ordering-user.ts'
import { changeSite, listSites, readSite, type SiteRecord } from '../../platform/sites/sites.ts'
import type { TaxBy } from '../../platform/sites/site-settings.ts'
import { permissionsOf } from '../../vocabulary/staff-roles.ts'
import type { StaffEnvironment } from '../environment.ts'
import { makeChange } from '../make-change.ts'
import { setUpSite } from '../onboarding/set-up-site.ts'
import type { StaffHandlers } from '../operation.ts'
import type { sites } from './contract.ts'

export const siteHandlers: StaffHandlers<typeof sites> = {
  listSites: async ({ environment, query, after, page }) => {
    const found = await listSites(environment.database.longReads, Number(after?.[0] ?? 0), query.limit + 1)
    const { rows, nextCursor } = page(found, ({ siteId }) => [siteId])
    return { status: 200, body: { sites: rows, nextCursor } }
  },
  createSite: async (call) => {
    const { orderingUser, taxes, shippingServices, ...given } = call.body
    if (isTaxedInVain(call.environment, given)) throw call.refuse('tax_service_not_set_up')
    if (!call.environment.carriers && shippingServices?.some(({ carrierService }) => carrierService)) {
      throw call.refuse('carriers_not_set_up')
    }
    const permissions = permissionsOf(call.session.roles)
    if (taxes && !permissions.has('tax:write'))
      throw call.refuse('not_permitted', 'Taxes need the permission tax:write.')
    if (shippingServices && !permissions.has('shipping:write')) {
      throw call.refuse('not_permitted', 'Services need the permission shipping:write.')
    }
    const settings = { storesDivisionAddresses: false, taxBy: 'TABLES' as const, ...given, active: true }
    const parts = {
      orderingUser,
      taxes: taxes?.map((row) => ({ shippingTaxed: false, handlingTaxed: false, ...row })),
      shippingServices: shippingServices?.map(({ rates = [], ...service }) => ({
        ...service,
        rates: rates.map((row) => ({ ...row, zone: row.zone ?? null })),
      })),
    }
    const { siteId } = await makeChange(call, (tx, change) => setUpSite(tx, change, settings, parts))
    return { status: 201, body: await changed(call.environment, siteId) }
  },
  readSite: async ({ environment, path, refuse }) => {
    const site = await readSite(environment.database.reads, path.siteId)
    if (!site) throw refuse('site_not_found')
    return { status: 200, body: site }
  },
  changeSite: async (call) => {
    const { environment, path, body } = call
    if (isTaxedInVain(environment, body)) throw call.refuse('tax_service_not_set_up')
    await makeChange(call, (tx, change) => changeSite(tx, change, path.siteId, body))
    return { status: 200, body: await changed(environment, path.siteId) }
  },
  setOrderingUser: async (call) => {
    const { environment, path, body } = call
    await makeChange(call, (tx, change) => setOrderingUser(tx, change, path.siteId, body.userId))
    return { status: 200, body: await changed(environment, path.siteId) }
  },
}

/** The site after a change. Sites are never deleted. */
async function changed({ database }: StaffEnvironment, siteId: number): Promise<SiteRecord> {
  return (await readSite(database.reads, siteId))!
}

/** Whether a site would be taxed by a service that nobody has set up. */
function isTaxedInVain({ hasTaxService }: StaffEnvironment, { taxBy }: { taxBy?: TaxBy }): boolean {
  return taxBy === 'SERVICE' && !hasTaxService
}
