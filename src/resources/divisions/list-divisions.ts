import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import type { divisions } from './contract.ts'
import { divisionColumns, type DivisionRow, divisionView } from './division-view.ts'

/**
 * Each granted site gives its own next divisions, in the order of division_on_site, or of division_by_parent where one
 * is asked for; only as many as a page needs are then sorted together.
 */
export function listDivisions(database: Database): Handler<typeof divisions.listDivisions> {
  return async ({ siteIds, query, after, page }) => {
    const { parentId, active, limit } = query
    const found = await database.reads.rows<DivisionRow>(sql`
      select ${divisionColumns}
      from unnest(${siteIds}::int[]) as granted (site_id)
      cross join lateral (
        select * from division
        where division.site_id = granted.site_id and division.division_id > ${after?.[0] ?? 0}
          ${parentId === undefined ? nothing : sqlText`and division.parent_id = ${parentId}`}
          ${active === undefined ? nothing : sqlText`and division.active = ${active}`}
        order by division.division_id
        limit ${limit + 1}
      ) as division
      order by division.division_id
      limit ${limit + 1}`)
    const { rows, nextCursor } = page(found, (row) => [row.division_id])
    return { status: 200, body: { divisions: rows.map(divisionView), nextCursor } }
  }
}
