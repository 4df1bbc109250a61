import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** Opens a shipment for a reprint, like the last one that carried the line, whose delivery costs nothing. */
export async function openReworkShipment(
  tx: Transaction,
  { orderNumber, lineNumber }: { orderNumber: number; lineNumber: number },
  reprint: { lineNumber: number; quantity: number; estimatedShipBy: Date },
  now: Date,
): Promise<void> {
  await tx.rows(sql`
    with opened as (
      insert into shipment (order_number, site_id, shipping_service_id, provider, service_name, fulfilment_center_id,
        ship_to, internal_notes, shipping_total, tax_percent, rework, estimated_ship_by, created_on, updated_on)
      select order_number, site_id, shipping_service_id, provider, service_name, fulfilment_center_id, ship_to,
        internal_notes, 0, 0, true, ${reprint.estimatedShipBy}, ${now}, ${now}
      from shipment
      where shipment_number = (
        select max(shipment_number) from shipment_line where order_number = ${orderNumber} and line_number = ${lineNumber})
      returning shipment_number
    )
    insert into shipment_line (shipment_number, order_number, line_number, quantity)
    select shipment_number, ${orderNumber}, ${reprint.lineNumber}::int, ${reprint.quantity}::int from opened`)
}
