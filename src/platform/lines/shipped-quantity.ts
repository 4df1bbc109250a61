import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** Shipped pieces by line, over all shipments of an order. Served by shipment_line_by_order. */
export async function shippedQuantities(
  tx: Transaction,
  orderNumber: number,
  lineNumbers: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await tx.rows<{ lineNumber: number; pieces: number }>(sql`
    select line_number, sum(shipment_line.quantity)::int as pieces
    from shipment_line
    join shipment using (shipment_number)
    where shipment_line.order_number = ${orderNumber} and line_number = any(${lineNumbers}::int[]) and status = 'SHIPPED'
    group by line_number`)
  return new Map(rows.map(({ lineNumber, pieces }) => [lineNumber, pieces]))
}

/** Shipped pieces of one line. */
export async function shippedQuantity(tx: Transaction, orderNumber: number, lineNumber: number): Promise<number> {
  const shipped = await shippedQuantities(tx, orderNumber, [lineNumber])
  return shipped.get(lineNumber) ?? 0
}
