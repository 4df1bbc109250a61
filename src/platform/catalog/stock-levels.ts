import type { Queries } from '../../database/database.ts'
import { sql, sqlText } from '../../database/sql.ts'

/**
 * What the stock of a variant means. Orders take their pieces when they are placed, and the pieces lie there until they
 * leave: so what lies there is the stock and what is reserved.
 */

/** Of a row `variant`: the pieces that orders took and that have not left. Served by order_line_with_stock. */
export const reservedPieces = sqlText`(
  select coalesce(sum(greatest(line.stock_taken - coalesce(sent.pieces, 0), 0)), 0)::int
  from order_line line
  left join lateral (
    select sum(shipment_line.quantity) as pieces
    from shipment_line join shipment using (shipment_number)
    where shipment_line.order_number = line.order_number and shipment_line.line_number = line.line_number
      and shipment.status = 'SHIPPED'
  ) sent on true
  where line.stock_variant_id = variant.variant_id and line.stock_taken > 0 and line.shipped_on is null
    and line.cancelled_on is null and line.production_status is distinct from 'COMPLETE')`

/** Of a row `variant`: whether its stock is at its low level or below. Served by variant_with_low_stock_level. */
export const isLow = sqlText`
  (variant.low_stock_level is not null and coalesce(variant.stock_quantity <= variant.low_stock_level, false))`

/** How many active variants are low, of one site or of all. */
export async function readLowStockCount(queries: Queries, siteId?: number): Promise<number> {
  const row = await queries.row<{ count: number }>(sql`
    select count(*)::int as count from variant
    where ${isLow} and active and (${siteId ?? null}::int is null or site_id = ${siteId ?? null})`)
  return row!.count
}
