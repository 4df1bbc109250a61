import { setOrderingUser } from '../../platform/sites/ordering-user.ts'
import { changeSite, createSite, listSites, readSite } from '../../platform/sites/sites.ts'
import type { StaffHandlers } from '../operation.ts'
import type { sites } from './contract.ts'

export const siteHandlers: StaffHandlers<typeof sites> = {
  listSites: async ({ world, query, after, page }) => {
    const found = await listSites(world.database.reads, Number(after?.[0] ?? 0), query.limit + 1)
    const { rows, nextCursor } = page(found, ({ siteId }) => [siteId])
    return { status: 200, body: { sites: rows, nextCursor } }
  },
  createSite: async ({ world, body, change, refuse }) => {
    const settings = { storesDivisionAddresses: false, ...body, active: true }
    const created = await createSite(world.database, settings, change)
    if ('refused' in created) throw refuse(created.refused, created.detail)
    return { status: 201, body: (await readSite(world.database.reads, created.siteId))! }
  },
  readSite: async ({ world, path, refuse }) => {
    const site = await readSite(world.database.reads, path.siteId)
    if (!site) throw refuse('site_not_found')
    return { status: 200, body: site }
  },
  changeSite: async ({ world, path, body, change, refuse }) => {
    const changed = await changeSite(world.database, path.siteId, body, change)
    if ('refused' in changed) throw refuse(changed.refused, 'detail' in changed ? changed.detail : undefined)
    return { status: 200, body: (await readSite(world.database.reads, path.siteId))! }
  },
  setOrderingUser: async ({ world, path, body, change, refuse }) => {
    const set = await setOrderingUser(world.database, path.siteId, body.userId, change)
    if ('refused' in set) throw refuse(set.refused)
    return { status: 200, body: (await readSite(world.database.reads, path.siteId))! }
  },
}
