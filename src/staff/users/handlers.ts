import { setUserDiscount } from '../../platform/customers/user-discount.ts'
import { replaceUserSegments } from '../../platform/customers/user-segments.ts'
import * as usersOf from '../../platform/customers/users.ts'
import { readSite } from '../../platform/sites/sites.ts'
import type { StaffEnvironment } from '../environment.ts'
import type { StaffHandlers } from '../operation.ts'
import type { users } from './contract.ts'
import { findUsers, readStaffUser } from './read-users.ts'

export const userHandlers: StaffHandlers<typeof users> = {
  listUsers: async ({ environment, query, after, page }) => {
    const range = { afterId: Number(after?.[0] ?? 0), limit: query.limit + 1 }
    const { rows, nextCursor } = page(await findUsers(environment.database.longReads, query, range), ({ userId }) => [
      userId,
    ])
    return { status: 200, body: { users: rows, nextCursor } }
  },
  createUser: async ({ environment, body, change, refuse }) => {
    if (!(await readSite(environment.database.reads, body.siteId))) throw refuse('site_not_found')
    const { company = null, phone = null, divisionId = null, active = true } = body
    const user = { ...body, company, phone, divisionId, active }
    const created = await environment.database.change((tx) => usersOf.createUser(tx, change, user))
    if ('field' in created) throw refuse('user_not_usable', usersOf.userTextForm(created.field))
    if ('refused' in created) throw refuse(created.refused)
    return { status: 201, body: await changed(environment, created.done.userId) }
  },
  readUser: async ({ environment, path, refuse }) => {
    const user = await readStaffUser(environment.database.reads, path.userId)
    if (!user) throw refuse('user_not_found')
    return { status: 200, body: user }
  },
  updateUser: async ({ environment, path, body, change, refuse }) => {
    const user = await readStaffUser(environment.database.reads, path.userId)
    if (!user) throw refuse('user_not_found')
    const updated = await environment.database.change((tx) =>
      usersOf.updateUser(tx, change, [user.siteId], path.userId, body),
    )
    if ('field' in updated) throw refuse('user_not_usable', usersOf.userTextForm(updated.field))
    if ('refused' in updated) throw refuse(updated.refused)
    return { status: 200, body: await changed(environment, path.userId) }
  },
  replaceUserSegments: async ({ environment, path, body, change, refuse }) => {
    const user = await readStaffUser(environment.database.reads, path.userId)
    if (!user) throw refuse('user_not_found')
    const wish = {
      segmentIds: body.segmentIds,
      acknowledgesAllSegmentsVisibleReset: body.acknowledgeAllSegmentsVisibleReset ?? false,
    }
    const replaced = await environment.database.change((tx) =>
      replaceUserSegments(tx, change, [user.siteId], path.userId, wish),
    )
    if ('segmentIds' in replaced) {
      const ids = replaced.segmentIds.join(', ')
      if (replaced.refused === 'segment_not_on_site') throw refuse(replaced.refused, `Not on the user's site: ${ids}.`)
      throw refuse(replaced.refused, `A rule of the site put the user into these: ${ids}.`)
    }
    if ('refused' in replaced) throw refuse(replaced.refused)
    return { status: 200, body: await changed(environment, path.userId) }
  },
  setUserDiscount: async ({ environment, path, body, change, refuse }) => {
    const set = await environment.database.change((tx) => setUserDiscount(tx, change, path.userId, body.discount))
    if ('refused' in set) throw refuse(set.refused)
    return { status: 200, body: await changed(environment, path.userId) }
  },
}

/** The user after a change. Users are never deleted. */
async function changed({ database }: StaffEnvironment, userId: number) {
  return (await readStaffUser(database.reads, userId))!
}
