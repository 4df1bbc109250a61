import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { segments } from './contract.ts'

type Row = {
  segmentId: number
  siteId: number
  name: string
  autoAssigns: boolean
  createdOn: string
  updatedOn: string
}

/** Each granted site gives its own next segments; only as many as a page needs are then sorted together. */
export function listSegments(database: Database): Handler<typeof segments.listSegments> {
  return async ({ siteIds, query, after, page }) => {
    // A range of segment_on_site, and in its order. Said as "of this site, by segment_id", the primary key would have that
    // order too, and the planner would read its way past the segments of all other sites. What assigns by itself is looked
    // up in segment_rule_by_segment for the page's segments; an "exists" would be answered by reading all rules.
    const found = await database.reads.rows<Row>(sql`
      select segment.segment_id, segment.site_id, segment.name, segment.created_on, segment.updated_on,
        coalesce((
          select true from segment_rule
          where segment_rule.segment_id = segment.segment_id and segment_rule.site_id = segment.site_id
          limit 1
        ), false) as auto_assigns
      from unnest(${siteIds}::int[]) as granted (site_id)
      cross join lateral (
        select * from segment
        where (segment.site_id, segment.segment_id) > (granted.site_id, ${after?.[0] ?? 0})
          and segment.site_id <= granted.site_id
        order by segment.site_id, segment.segment_id
        limit ${query.limit + 1}
      ) as segment
      order by segment.segment_id
      limit ${query.limit + 1}`)
    const { rows, nextCursor } = page(found, (row) => [row.segmentId])
    return {
      status: 200,
      body: {
        segments: rows.map((row) => ({
          segmentId: row.segmentId,
          siteId: row.siteId,
          name: row.name,
          autoAssigns: row.autoAssigns,
          createdOn: row.createdOn,
          updatedOn: row.updatedOn,
        })),
        nextCursor,
      },
    }
  }
}
