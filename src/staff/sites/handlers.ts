import { setOrderingUser } from '../../platform/sites/ordering-user.ts'
import { changeSite, createSite, listSites, readSite, type SiteRecord } from '../../platform/sites/sites.ts'
import { makeChange } from '../make-change.ts'
import type { StaffHandlers } from '../operation.ts'
import type { StaffWorld } from '../world.ts'
import type { sites } from './contract.ts'

export const siteHandlers: StaffHandlers<typeof sites> = {
  listSites: async ({ world, query, after, page }) => {
    const found = await listSites(world.database.reads, Number(after?.[0] ?? 0), query.limit + 1)
    const { rows, nextCursor } = page(found, ({ siteId }) => [siteId])
    return { status: 200, body: { sites: rows, nextCursor } }
  },
  createSite: async (call) => {
    const settings = { storesDivisionAddresses: false, ...call.body, active: true }
    const { siteId } = await makeChange(call, (tx, change) => createSite(tx, change, settings))
    return { status: 201, body: await changed(call.world, siteId) }
  },
  readSite: async ({ world, path, refuse }) => {
    const site = await readSite(world.database.reads, path.siteId)
    if (!site) throw refuse('site_not_found')
    return { status: 200, body: site }
  },
  changeSite: async (call) => {
    const { world, path, body } = call
    await makeChange(call, (tx, change) => changeSite(tx, change, path.siteId, body))
    return { status: 200, body: await changed(world, path.siteId) }
  },
  setOrderingUser: async (call) => {
    const { world, path, body } = call
    await makeChange(call, (tx, change) => setOrderingUser(tx, change, path.siteId, body.userId))
    return { status: 200, body: await changed(world, path.siteId) }
  },
}

/** The site after a change. Sites are never deleted. */
async function changed({ database }: StaffWorld, siteId: number): Promise<SiteRecord> {
  return (await readSite(database.reads, siteId))!
}
