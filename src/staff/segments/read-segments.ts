import type { Static } from 'typebox'
import type { Queries } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import type { StaffSegment, StaffSegmentDetail } from './contract.ts'

/** Segments as staff read them, with their rules. */

// Served by segment_rule_by_segment.
const segmentColumns = sqlText`
  segment.segment_id, segment.site_id, segment.name, segment.created_on,
  segment.updated_on, coalesce((
    select json_agg(json_build_object(
      'segmentRuleId', segment_rule_id, 'emailDomain', email_domain, 'divisionId', division_id
    ) order by segment_rule_id)
    from segment_rule where segment_rule.segment_id = segment.segment_id
  ), '[]') as rules`

/** At most `limit` segments after `afterId`, by id. */
export function findSegments(
  queries: Queries,
  siteId: number | undefined,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<Static<typeof StaffSegment>[]> {
  return queries.rows(sql`
    select ${segmentColumns} from segment
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
    select ${segmentColumns}, users.users_by_hand, users.users_by_rule
    from segment
    cross join lateral (
      select count(*) filter (where not auto_assigned)::int as users_by_hand,
        count(*) filter (where auto_assigned)::int as users_by_rule
      from user_segment where user_segment.segment_id = segment.segment_id
    ) as users
    where segment.segment_id = ${segmentId}`)
}
