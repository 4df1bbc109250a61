import type { Static } from 'typebox'
import type { Handler } from '../../contract/operation.ts'
import { placeView, type StoredPlace } from '../../contract/place-view.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Shipment, shipments } from './contract.ts'

type Row = Omit<Static<typeof Shipment>, 'shipTo'> & { shipTo: StoredPlace | null }

/** A row with null columns stands for an order without shipments. Served by shipment_by_order. */
export function listShipments(database: Database): Handler<typeof shipments.listShipments> {
  return async ({ caller, path, query, after, page, refuse }) => {
    const found = await database.reads.rows<Row | { shipmentNumber: null }>(sql`
      select shipment.shipment_number, shipment.order_number, shipment.site_id, shipment.status, shipment.provider,
        shipment.service_name, (
          select coalesce(json_agg(json_build_object('packageNumber', package_number, 'trackingNumber', tracking_number,
            'trackingUrl', tracking_url, 'weightOunces', weight_ounces) order by package_number), '[]')
          from shipment_package where shipment_package.shipment_number = shipment.shipment_number
        ) as packages, (
          select coalesce(json_agg(json_build_object('itemNumber', line.item_number, 'quantity', shipment_line.quantity)
            order by line.line_number), '[]')
          from shipment_line
          join visible_order_line line using (order_number, line_number)
          where shipment_line.shipment_number = shipment.shipment_number and line.item_number is not null
        ) as items,
        shipment.ship_to, shipment.shipping_total, shipment.estimated_ship_by, shipment.estimated_delivery_from,
        shipment.estimated_delivery_to, shipment.shipped_on, shipment.cancelled_on, shipment.created_on,
        shipment.updated_on
      from orders
      left join shipment on shipment.order_number = orders.order_number and shipment.shipment_number > ${after?.[0] ?? 0}
      where orders.order_number = ${path.orderNumber} and orders.site_id = any(${caller.siteIds}::int[])
      order by shipment.shipment_number
      limit ${query.limit + 1}`)
    if (found.length === 0) throw refuse('order_not_found')
    const shown = found.filter((row): row is Row => row.shipmentNumber !== null)
    const { rows, nextCursor } = page(shown, (row) => [row.shipmentNumber])
    const records = rows.map((row) => ({ ...row, shipTo: row.shipTo && placeView(row.shipTo) }))
    return { status: 200, body: { shipments: records, nextCursor } }
  }
}
