import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { replaceUserSegments as replace } from '../../platform/customers/user-segments.ts'
import type { users } from './contract.ts'
import { readUser } from './read-user.ts'

export function replaceUserSegments(database: Database): Handler<typeof users.replaceUserSegments> {
  return async ({ siteIds, path, body, change, refuse }) => {
    const wish = {
      segmentIds: body.segmentIds,
      acknowledgesAllSegmentsVisibleReset: body.acknowledgeAllSegmentsVisibleReset ?? false,
    }
    const replaced = await database.change((tx) => replace(tx, change, siteIds, path.userId, wish))
    if ('refused' in replaced) {
      if (replaced.refused !== 'auto_assigned_segments_present') throw refuse(replaced.refused)
      const ids = replaced.segmentIds.join(', ')
      throw refuse(replaced.refused, `Segments assigned by a site rule cannot be removed: ${ids}.`)
    }
    const user = await readUser(database.reads, siteIds, path.userId)
    if (!user) throw refuse('monolith_target_missing')
    return { status: 200, body: user }
  }
}
