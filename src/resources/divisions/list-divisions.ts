import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import { jsonPage, type RecordRow } from '../../database/view.ts'
import { foldForUniqueness } from '../../vocabulary/text.ts'
import type { divisions } from './contract.ts'
import { divisionRecord } from './division-view.ts'

/**
 * Each granted site gives its own next divisions; only as many as a page needs are then sorted together. However many
 * sites and divisions there are, nothing else is read but those a filter leaves out.
 */
export function listDivisions(database: Database): Handler<typeof divisions.listDivisions> {
  return async ({ siteIds, query, after, page }) => {
    const { parentId, rootsOnly, code, active, limit } = query
    const afterId = after?.[0] ?? 0
    const filter = sqlText`
          ${active === undefined ? nothing : sqlText`and division.active = ${active}`}
          ${parentId === undefined ? nothing : sqlText`and division.parent_id = ${parentId}`}
          ${rootsOnly ? sqlText`and division.parent_id is null` : nothing}`
    // A range of division_on_site or division_by_parent, and in its order, or the one division of a site with a code, by
    // division_code_unique_on_site. Said as "of this site, by division_id", the primary key would have that order too,
    // and the planner would read its way past the divisions of all other sites.
    const range =
      code !== undefined
        ? sqlText`
        where division.site_id = granted.site_id and division.code_folded = ${foldForUniqueness(code)}
          and division.division_id > ${afterId} ${filter}`
        : parentId !== undefined
          ? sqlText`
        where (division.site_id, division.parent_id, division.division_id) > (granted.site_id, ${parentId}, ${afterId})
          and (division.site_id, division.parent_id) <= (granted.site_id, ${parentId}) ${filter}
        order by division.site_id, division.parent_id, division.division_id`
          : rootsOnly
            ? sqlText`
        where division.site_id = granted.site_id and division.division_id > ${afterId} ${filter}
        order by division.parent_id, division.division_id`
            : sqlText`
        where (division.site_id, division.division_id) > (granted.site_id, ${afterId})
          and division.site_id <= granted.site_id ${filter}
        order by division.site_id, division.division_id`
    const found = await database.lists.rows<RecordRow & { divisionId: number }>(sql`
      select ${divisionRecord.column}, division.division_id
      from (
        select division.*
        from unnest(${siteIds}::int[]) as granted (site_id)
        cross join lateral (
          select * from division
          ${range}
          limit ${limit + 1}
        ) as division
        order by division.division_id
        limit ${limit + 1}
      ) as division
      order by division.division_id`)
    const { rows, nextCursor } = page(found, (division) => [division.divisionId])
    return { status: 200, body: jsonPage('divisions', divisionRecord, rows, nextCursor) }
  }
}
