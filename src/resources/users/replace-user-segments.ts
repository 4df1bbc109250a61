import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { replaceUserSegments as replace } from '../../platform/customers/user-segments.ts'
import type { users } from './contract.ts'
import { readUser } from './read-user.ts'

export function replaceUserSegments(database: Database): Handler<typeof users.replaceUserSegments> {
  return async ({ siteIds, path, body, change, guarded, refuse }) => {
    const wish = {
      segmentIds: body.segmentIds,
      acknowledgesAllSegmentsVisibleReset: body.acknowledgeAllSegmentsVisibleReset ?? false,
    }
    const replaced = await database.change(guarded((tx) => replace(tx, change, siteIds, path.userId, wish)))
    if ('refused' in replaced) {
      if (!('segmentIds' in replaced)) throw refuse(replaced.refused)
      const ids = replaced.segmentIds.join(', ')
      if (replaced.refused === 'segment_not_on_site') throw refuse(replaced.refused, `Not on the user's site: ${ids}.`)
      throw refuse(replaced.refused, `Segments assigned by a site rule cannot be removed: ${ids}.`)
    }
    const user = await readUser(database.reads, siteIds, path.userId)
    if (!user) throw refuse('monolith_target_missing')
    return { status: 200, body: user }
  }
}
