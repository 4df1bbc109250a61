import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ArtworkSource } from '../../vocabulary/product-kinds.ts'

export type VisibleLine = { lineNumber: number; artworkSource: ArtworkSource; switchedOff: string[] }

/**
 * The line as its partner may see it; undefined where there is none, for whatever cause (ERR-44).
 * Served by order_line_order and the primary key of denial_reason_switched_off.
 */
export function visibleLine(
  queries: Queries,
  siteIds: readonly number[],
  path: { orderNumber: number; itemNumber: number },
): Promise<VisibleLine | undefined> {
  return queries.row<VisibleLine>(sql`
    select line.line_number, line.artwork_source,
      array(select code from denial_reason_switched_off where site_id = line.site_id) as switched_off
    from visible_order_line line
    where line.order_number = ${path.orderNumber} and line.item_number = ${path.itemNumber}
      and line.site_id = any(${siteIds}::int[])`)
}
