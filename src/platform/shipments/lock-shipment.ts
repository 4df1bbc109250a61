import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ShipmentStatus } from '../../vocabulary/statuses.ts'

export type LockedShipment = {
  shipmentNumber: number
  status: ShipmentStatus
  shippingServiceId: number | null
  /** carries reprints, which partners are not shown */
  rework: boolean
  items: { lineNumber: number; quantity: number }[]
}

/** A shipment of an order that the caller has locked. */
export function lockShipment(
  tx: Transaction,
  orderNumber: number,
  shipmentNumber: number,
): Promise<LockedShipment | undefined> {
  return tx.row<LockedShipment>(sql`
    select shipment_number, status, shipping_service_id, rework, (
        select coalesce(json_agg(json_build_object('lineNumber', line_number, 'quantity', quantity) order by line_number), '[]')
        from shipment_line where shipment_line.shipment_number = shipment.shipment_number
      ) as items
    from shipment
    where shipment_number = ${shipmentNumber} and order_number = ${orderNumber}
    for no key update`)
}

/**
 * Opens another shipment to the same address by the same service, for goods that do not leave with the first.
 * @param charge what its delivery costs, a decimal in the currency's scale; null = the same as the first
 */
export async function openSuccessor(
  tx: Transaction,
  shipment: LockedShipment,
  items: LockedShipment['items'],
  charge: string | null,
  now: Date,
): Promise<number> {
  const row = await tx.row<{ shipmentNumber: number }>(sql`
    with successor as (
      insert into shipment (order_number, site_id, shipping_service_id, provider, service_name, fulfilment_center_id,
        ship_to, internal_notes, shipping_total, shipping_offset, charged_as, rework, tax_percent, estimated_ship_by, estimated_delivery_from,
        estimated_delivery_to, created_on, updated_on)
      select order_number, site_id, shipping_service_id, provider, service_name, fulfilment_center_id, ship_to,
        internal_notes, coalesce(${charge}::numeric, shipping_total),
        case when ${charge}::numeric is null then shipping_offset end,
        case when ${charge}::numeric is null then coalesce(charged_as, shipment_number) end, rework, tax_percent,
        estimated_ship_by, estimated_delivery_from, estimated_delivery_to, ${now}, ${now}
      from shipment where shipment_number = ${shipment.shipmentNumber}
      returning shipment_number, order_number
    )
    insert into shipment_line (shipment_number, order_number, line_number, quantity)
    select shipment_number, order_number, line_number, quantity
    from successor, unnest(${items.map((item) => item.lineNumber)}::int[], ${items.map((item) => item.quantity)}::int[])
      as item(line_number, quantity)
    returning shipment_number`)
  return row!.shipmentNumber
}
