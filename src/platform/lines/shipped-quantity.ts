import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** Pieces of a line that have left, over all its shipments. Served by shipment_line_by_order. */
export async function shippedQuantity(tx: Transaction, orderNumber: number, lineNumber: number): Promise<number> {
  const row = await tx.row<{ pieces: number }>(sql`
    select coalesce(sum(shipment_line.quantity), 0)::int as pieces
    from shipment_line
    join shipment using (shipment_number)
    where shipment_line.order_number = ${orderNumber} and shipment_line.line_number = ${lineNumber}
      and shipment.status = 'SHIPPED'`)
  return row!.pieces
}
