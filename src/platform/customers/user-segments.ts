import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Change } from '../../vocabulary/change.ts'

/** Which segments a user is in, as far as people decide it; what rules decide is in `segment-rules.ts`. */

export type SegmentsRefusal =
  | { refused: 'user_not_found' | 'all_segments_visible_reset_not_acknowledged' | 'segment_not_on_site' }
  | { refused: 'auto_assigned_segments_present'; segmentIds: number[] }

/**
 * Makes these, and no others, the segments of a user on one of the sites, and ends its seeing all segments (USR-28,
 * USR-29). Whoever changes a user's segments holds the user's row, so of several at once the last decides alone.
 */
export async function replaceUserSegments(
  database: Database,
  siteIds: readonly number[],
  userId: number,
  wish: { segmentIds: readonly number[]; acknowledgesAllSegmentsVisibleReset: boolean },
  change: Change,
): Promise<{ userId: number } | SegmentsRefusal> {
  const wanted = [...new Set(wish.segmentIds)]
  return database.transaction(async (tx) => {
    const user = await tx.row<{ siteId: number; allSegmentsVisible: boolean }>(sql`
      select site_id, all_segments_visible from site_user
      where user_id = ${userId} and site_id = any(${siteIds}::int[])
      for no key update`)
    if (!user) return { refused: 'user_not_found' }
    if (user.allSegmentsVisible && !wish.acknowledgesAllSegmentsVisibleReset) {
      return { refused: 'all_segments_visible_reset_not_acknowledged' }
    }
    // Served by the primary keys of segment and user_segment.
    const [known, present] = await Promise.all([
      tx.rows(sql`
        select segment_id from segment
        where segment_id = any(${wanted}::int[]) and site_id = ${user.siteId}
        order by segment_id
        for key share`),
      tx.rows<{ segmentId: number; autoAssigned: boolean }>(sql`
        select segment_id, auto_assigned from user_segment
        where user_id = ${userId} and site_id = ${user.siteId}
        order by segment_id`),
    ])
    if (known.length < wanted.length) return { refused: 'segment_not_on_site' }
    const left = present.filter((each) => !wanted.includes(each.segmentId))
    const leftByRule = left.filter((each) => each.autoAssigned).map((each) => each.segmentId)
    if (leftByRule.length > 0) return { refused: 'auto_assigned_segments_present', segmentIds: leftByRule }

    const segmentsAdded = wanted
      .filter((segmentId) => present.every((each) => each.segmentId !== segmentId))
      .toSorted((a, b) => a - b)
    const segmentsRemoved = left.map((each) => each.segmentId)
    await Promise.all([
      tx.rows(sql`
        delete from user_segment
        where user_id = ${userId} and site_id = ${user.siteId} and segment_id = any(${segmentsRemoved}::int[])`),
      tx.rows(sql`
        insert into user_segment (site_id, user_id, segment_id, auto_assigned)
        select ${user.siteId}, ${userId}, segment_id, false from unnest(${segmentsAdded}::int[]) as added (segment_id)`),
      tx.rows(sql`
        update site_user set all_segments_visible = false, updated_on = ${change.now}
        where user_id = ${userId} and site_id = ${user.siteId}`),
      recordAudit(tx, change, {
        action: 'user.segments_replaced',
        subject: { kind: 'user', id: userId },
        siteId: user.siteId,
        detail: { segmentsAdded, segmentsRemoved, allSegmentsVisibleReset: user.allSegmentsVisible },
      }),
    ])
    return { userId }
  })
}
