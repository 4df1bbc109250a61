import type { Transaction } from '../../database/database.ts'
import { insertRows } from '../../database/rows.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done } from '../../vocabulary/outcome.ts'
import { recordId } from '../../vocabulary/whole-number.ts'
import { recordAudit } from '../audit/audit.ts'

/** Segment memberships that people assign; `segment-rules.ts` has those that rules assign. */

type SegmentsRefusal =
  | { refused: 'user_not_found' | 'all_segments_visible_reset_not_acknowledged' }
  | { refused: 'segment_not_on_site'; segmentIds: number[] }
  | { refused: 'auto_assigned_segments_present'; segmentIds: number[] }

/**
 * Replaces the segments of a user on one of the sites, after which the user no longer sees all segments (USR-28,
 * USR-29). The user is locked, so the last of several concurrent changes wins as a whole.
 */
export async function replaceUserSegments(
  tx: Transaction,
  change: Change,
  siteIds: readonly number[],
  userId: number,
  wish: { segmentIds: readonly number[]; acknowledgesAllSegmentsVisibleReset: boolean },
): Promise<Done | SegmentsRefusal> {
  const wanted = [...new Set(wish.segmentIds)]
  const user = await tx.row<{ siteId: number; allSegmentsVisible: boolean }>(sql`
    select site_id, all_segments_visible from site_user
    where user_id = ${userId} and site_id = any(${siteIds}::int[])
    for no key update`)
  if (!user) return { refused: 'user_not_found' }
  const { siteId, allSegmentsVisible } = user
  if (allSegmentsVisible && !wish.acknowledgesAllSegmentsVisibleReset) {
    return { refused: 'all_segments_visible_reset_not_acknowledged' }
  }
  // Served by the primary keys of segment and user_segment.
  const [known, present] = await Promise.all([
    tx.rows<{ segmentId: number }>(sql`
      select segment_id from segment
      where segment_id = any(${wanted.map(recordId)}::int[]) and site_id = ${siteId}
      order by segment_id
      for key share`),
    tx.rows<{ segmentId: number; autoAssigned: boolean }>(sql`
      select segment_id, auto_assigned from user_segment
      where user_id = ${userId} and site_id = ${siteId}
      order by segment_id`),
  ])
  const strays = wanted.filter((segmentId) => known.every((each) => each.segmentId !== segmentId))
  if (strays.length > 0) return { refused: 'segment_not_on_site', segmentIds: strays }
  const left = present.filter((each) => !wanted.includes(each.segmentId))
  const leftByRule = left.filter((each) => each.autoAssigned).map((each) => each.segmentId)
  if (leftByRule.length > 0) return { refused: 'auto_assigned_segments_present', segmentIds: leftByRule }

  const segmentsAdded = wanted
    .filter((segmentId) => present.every((each) => each.segmentId !== segmentId))
    .toSorted((a, b) => a - b)
  const segmentsRemoved = left.map((each) => each.segmentId)
  if (segmentsAdded.length + segmentsRemoved.length === 0 && !allSegmentsVisible) return { done: {} }
  await Promise.all([
    tx.rows(sql`
      delete from user_segment
      where user_id = ${userId} and site_id = ${siteId} and segment_id = any(${segmentsRemoved}::int[])`),
    insertRows(
      tx,
      'user_segment',
      segmentsAdded.map((segmentId) => ({ siteId, userId, segmentId, autoAssigned: false })),
    ),
    tx.rows(sql`
      update site_user set all_segments_visible = false, updated_on = ${change.now}
      where user_id = ${userId} and site_id = ${siteId}`),
    recordAudit(tx, change, {
      action: 'user.segments_replaced',
      subject: { kind: 'user', id: userId },
      siteId,
      detail: { segmentsAdded, segmentsRemoved, allSegmentsVisibleReset: allSegmentsVisible },
    }),
  ])
  return { done: {} }
}
