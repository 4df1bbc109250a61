import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { denialReasonsOfLine, type DenialReason } from '../../platform/proofs/denial-reasons.ts'

type Path = { orderNumber: number; itemNumber: number }

/**
 * The line as its partner may see it; undefined where there is none, for whatever cause (ERR-44).
 * Served by order_line_item_number_unique.
 */
export function visibleLine(
  queries: Queries,
  siteIds: readonly number[],
  path: Path,
): Promise<{ lineNumber: number } | undefined> {
  return queries.row<{ lineNumber: number }>(sql`
    select line.line_number
    from visible_order_line line
    where line.order_number = ${path.orderNumber} and line.item_number = ${path.itemNumber}
      and line.site_id = any(${siteIds}::int[])`)
}

/** The reasons for which such a line's proof can be declined. */
export function denialReasonsOfVisibleLine(
  queries: Queries,
  siteIds: readonly number[],
  path: Path,
): Promise<{ reasons: DenialReason[] } | undefined> {
  return queries.row<{ reasons: DenialReason[] }>(sql`
    select ${denialReasonsOfLine} as reasons
    from visible_order_line line
    where line.order_number = ${path.orderNumber} and line.item_number = ${path.itemNumber}
      and line.site_id = any(${siteIds}::int[])`)
}
