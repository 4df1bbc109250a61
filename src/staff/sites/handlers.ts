import { setOrderingUser } from '../../platform/sites/ordering-user.ts'
import { changeSite, createSite, listSites, readSite, type SiteRecord } from '../../platform/sites/sites.ts'
import type { StaffEnvironment } from '../environment.ts'
import { makeChange } from '../make-change.ts'
import type { StaffHandlers } from '../operation.ts'
import type { sites } from './contract.ts'

export const siteHandlers: StaffHandlers<typeof sites> = {
  listSites: async ({ environment, query, after, page }) => {
    const found = await listSites(environment.database.reads, Number(after?.[0] ?? 0), query.limit + 1)
    const { rows, nextCursor } = page(found, ({ siteId }) => [siteId])
    return { status: 200, body: { sites: rows, nextCursor } }
  },
  createSite: async (call) => {
    const settings = { storesDivisionAddresses: false, ...call.body, active: true }
    const { siteId } = await makeChange(call, (tx, change) => createSite(tx, change, settings))
    return { status: 201, body: await changed(call.environment, siteId) }
  },
  readSite: async ({ environment, path, refuse }) => {
    const site = await readSite(environment.database.reads, path.siteId)
    if (!site) throw refuse('site_not_found')
    return { status: 200, body: site }
  },
  changeSite: async (call) => {
    const { environment, path, body } = call
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
