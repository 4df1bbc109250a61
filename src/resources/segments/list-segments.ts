import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { segments } from './contract.ts'

type Row = {
  segment_id: number
  site_id: number
  name: string
  auto_assigns: boolean
  created_on: string
  updated_on: string
}

/** Each granted site gives its own next segments, in the order of segment_on_site; then only a page of them is sorted. */
export function listSegments(database: Database): Handler<typeof segments.listSegments> {
  return async ({ siteIds, query, after, page }) => {
    // What assigns by itself is served by segment_rule_by_segment.
    const found = await database.reads.rows<Row>(sql`
      select segment.segment_id, segment.site_id, segment.name, segment.created_on, segment.updated_on,
        exists (
          select from segment_rule
          where segment_rule.segment_id = segment.segment_id and segment_rule.site_id = segment.site_id
        ) as auto_assigns
      from unnest(${siteIds}::int[]) as granted (site_id)
      cross join lateral (
        select * from segment
        where segment.site_id = granted.site_id and segment.segment_id > ${after?.[0] ?? 0}
        order by segment.segment_id
        limit ${query.limit + 1}
      ) as segment
      order by segment.segment_id
      limit ${query.limit + 1}`)
    const { rows, nextCursor } = page(found, (row) => [row.segment_id])
    return {
      status: 200,
      body: {
        segments: rows.map((row) => ({
          segmentId: row.segment_id,
          siteId: row.site_id,
          name: row.name,
          autoAssigns: row.auto_assigns,
          createdOn: row.created_on,
          updatedOn: row.updated_on,
        })),
        nextCursor,
      },
    }
  }
}
