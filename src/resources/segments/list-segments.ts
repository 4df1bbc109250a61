import type { Static } from 'typebox'
import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { jsonPage, listedRecord, type RecordRow, type View } from '../../database/view.ts'
import { Segment, type segments } from './contract.ts'

const segmentView: View<Static<typeof Segment>> = {
  segmentId: 'segment.segment_id',
  siteId: 'segment.site_id',
  name: 'segment.name',
  // Looked up in segment_rule_by_segment for the page's segments; an "exists" would be answered by reading all rules.
  autoAssigns: `coalesce((
    select true from segment_rule
    where segment_rule.segment_id = segment.segment_id and segment_rule.site_id = segment.site_id
    limit 1
  ), false)`,
  createdOn: 'segment.created_on',
  updatedOn: 'segment.updated_on',
}

const segmentRecord = listedRecord(segmentView, Segment)

/** Each granted site gives its own next segments; only as many as a page needs are then sorted together. */
export function listSegments(database: Database): Handler<typeof segments.listSegments> {
  return async ({ siteIds, query, after, page }) => {
    // A range of segment_on_site, and in its order. Said as "of this site, by segment_id", the primary key would have that
    // order too, and the planner would read its way past the segments of all other sites.
    const found = await database.lists.rows<RecordRow & { segmentId: number }>(sql`
      select ${segmentRecord.column}, segment.segment_id
      from (
        select segment.*
        from unnest(${siteIds}::int[]) as granted (site_id)
        cross join lateral (
          select * from segment
          where (segment.site_id, segment.segment_id) > (granted.site_id, ${after?.[0] ?? 0})
            and segment.site_id <= granted.site_id
          order by segment.site_id, segment.segment_id
          limit ${query.limit + 1}
        ) as segment
        order by segment.segment_id
        limit ${query.limit + 1}
      ) as segment
      order by segment.segment_id`)
    const { rows, nextCursor } = page(found, (segment) => [segment.segmentId])
    return { status: 200, body: jsonPage('segments', segmentRecord, rows, nextCursor) }
  }
}
