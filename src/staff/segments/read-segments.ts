import type { Static } from 'typebox'
import type { Queries } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import { columns, jsonList, type View } from '../../database/view.ts'
import type { StaffSegment, StaffSegmentDetail } from './contract.ts'

/** Segments as staff read them, with their rules. */

type Shown = Static<typeof StaffSegment>

// Served by segment_rule_by_segment.
const staffSegmentView: View<Shown> = {
  segmentId: 'segment.segment_id',
  siteId: 'segment.site_id',
  name: 'segment.name',
  createdOn: 'segment.created_on',
  updatedOn: 'segment.updated_on',
  rules: jsonList<Shown['rules'][number]>(
    {
      segmentRuleId: 'segment_rule.segment_rule_id',
      emailDomain: 'segment_rule.email_domain',
      divisionId: 'segment_rule.division_id',
    },
    'from segment_rule where segment_rule.segment_id = segment.segment_id',
    'segment_rule.segment_rule_id',
  ),
}

/** Of `segment`, and of `users`, who is in it. */
const staffSegmentDetailView: View<Static<typeof StaffSegmentDetail>> = {
  ...staffSegmentView,
  usersByHand: 'users.users_by_hand',
  usersByRule: 'users.users_by_rule',
}

/** At most `limit` segments after `afterId`, by id. */
export function findSegments(
  queries: Queries,
  siteId: number | undefined,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<Shown[]> {
  return queries.rows(sql`
    select ${columns(staffSegmentView)} from segment
    where segment_id > ${afterId} ${siteId === undefined ? nothing : sqlText`and site_id = ${siteId}`}
    order by segment_id
    limit ${limit}`)
}

export function readStaffSegment(
  queries: Queries,
  segmentId: number,
): Promise<Static<typeof StaffSegmentDetail> | undefined> {
  // Served by user_segment_by_segment.
  return queries.row(sql`
    select ${columns(staffSegmentDetailView)}
    from segment
    cross join lateral (
      select count(*) filter (where not auto_assigned)::int as users_by_hand,
        count(*) filter (where auto_assigned)::int as users_by_rule
      from user_segment where user_segment.segment_id = segment.segment_id
    ) as users
    where segment.segment_id = ${segmentId}`)
}
