import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { recordAudit, type Change } from '../audit/audit.ts'

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
    const user = await tx.row<{ site_id: number; all_segments_visible: boolean }>(sql`
      select site_id, all_segments_visible from site_user
      where user_id = ${userId} and site_id = any(${siteIds}::int[])
      for no key update`)
    if (!user) return { refused: 'user_not_found' }
    if (user.all_segments_visible && !wish.acknowledgesAllSegmentsVisibleReset) {
      return { refused: 'all_segments_visible_reset_not_acknowledged' }
    }
    // Served by the primary keys of segment and user_segment.
    const [known, present] = await Promise.all([
      tx.rows(sql`
        select segment_id from segment
        where segment_id = any(${wanted}::int[]) and site_id = ${user.site_id}
        order by segment_id
        for key share`),
      tx.rows<{ segment_id: number; auto_assigned: boolean }>(sql`
        select segment_id, auto_assigned from user_segment
        where user_id = ${userId} and site_id = ${user.site_id}
        order by segment_id`),
    ])
    if (known.length < wanted.length) return { refused: 'segment_not_on_site' }
    const left = present.filter((each) => !wanted.includes(each.segment_id))
    const leftByRule = left.filter((each) => each.auto_assigned).map((each) => each.segment_id)
    if (leftByRule.length > 0) return { refused: 'auto_assigned_segments_present', segmentIds: leftByRule }

    const segmentsAdded = wanted
      .filter((segmentId) => present.every((each) => each.segment_id !== segmentId))
      .toSorted((a, b) => a - b)
    const segmentsRemoved = left.map((each) => each.segment_id)
    await Promise.all([
      tx.rows(sql`
        delete from user_segment
        where user_id = ${userId} and site_id = ${user.site_id} and segment_id = any(${segmentsRemoved}::int[])`),
      tx.rows(sql`
        insert into user_segment (site_id, user_id, segment_id, auto_assigned)
        select ${user.site_id}, ${userId}, segment_id, false from unnest(${segmentsAdded}::int[]) as added (segment_id)`),
      tx.rows(sql`
        update site_user set all_segments_visible = false, updated_on = ${change.now}
        where user_id = ${userId} and site_id = ${user.site_id}`),
      recordAudit(tx, change, {
        action: 'user.segments_replaced',
        subject: { kind: 'user', id: userId },
        siteId: user.site_id,
        detail: { segmentsAdded, segmentsRemoved, allSegmentsVisibleReset: user.all_segments_visible },
      }),
    ])
    return { userId }
  })
}
