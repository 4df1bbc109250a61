import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/**
 * The line as its partner may see it; undefined where there is none, for whatever cause (ERR-44).
 * Served by order_line_item_number_unique.
 */
export function artworkLine(
  queries: Queries,
  siteIds: readonly number[],
  path: { orderNumber: number; itemNumber: number },
): Promise<{ siteId: number; orderNumber: number; lineNumber: number } | undefined> {
  return queries.row(sql`
    select line.site_id, line.order_number, line.line_number
    from visible_order_line line
    where line.order_number = ${path.orderNumber} and line.item_number = ${path.itemNumber}
      and line.site_id = any(${siteIds}::int[])`)
}
