import type { Static } from 'typebox'
import type { Handler } from '../../contract/operation.ts'
import { placeView, type StoredPlace } from '../../contract/place-view.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ShipmentStatus } from '../../vocabulary/statuses.ts'
import type { Shipment, shipments } from './contract.ts'

type Row = {
  shipment_number: number
  order_number: number
  site_id: number
  status: ShipmentStatus
  provider: string | null
  service_name: string | null
  packages: Static<typeof Shipment>['packages'] | null
  items: Static<typeof Shipment>['items'] | null
  ship_to: StoredPlace | null
  shipping_total: string | null
  estimated_ship_by: string | null
  estimated_delivery_from: string | null
  estimated_delivery_to: string | null
  shipped_on: string | null
  cancelled_on: string | null
  created_on: string
  updated_on: string
}

/** Served by shipment_by_order; a row with null columns stands for an order without shipments. */
export function listShipments(database: Database): Handler<typeof shipments.listShipments> {
  return async ({ caller, path, query, after, page, refuse }) => {
    const found = await database.reads.rows<Row | { shipment_number: null }>(sql`
      select shipment.shipment_number, shipment.order_number, shipment.site_id, shipment.status, shipment.provider,
        shipment.service_name, shipment.ship_to, shipment.shipping_total, shipment.estimated_ship_by,
        shipment.estimated_delivery_from, shipment.estimated_delivery_to, shipment.shipped_on, shipment.cancelled_on,
        shipment.created_on, shipment.updated_on,
        (
          select json_agg(json_build_object('packageNumber', package_number, 'trackingNumber', tracking_number,
            'trackingUrl', tracking_url, 'weightOunces', weight_ounces) order by package_number)
          from shipment_package where shipment_package.shipment_number = shipment.shipment_number
        ) as packages,
        (
          select json_agg(json_build_object('itemNumber', line.item_number, 'quantity', shipment_line.quantity)
            order by line.line_number)
          from shipment_line
          join visible_order_line line using (order_number, line_number)
          where shipment_line.shipment_number = shipment.shipment_number and line.item_number is not null
        ) as items
      from orders
      left join shipment on shipment.order_number = orders.order_number and shipment.shipment_number > ${after?.[0] ?? 0}
      where orders.order_number = ${path.orderNumber} and orders.site_id = any(${caller.siteIds}::int[])
      order by shipment.shipment_number
      limit ${query.limit + 1}`)
    if (found.length === 0) throw refuse('order_not_found')
    const shown = found.filter((row): row is Row => row.shipment_number !== null)
    const { rows, nextCursor } = page(shown, (row) => [row.shipment_number])
    return { status: 200, body: { shipments: rows.map(shipmentView), nextCursor } }
  }
}

function shipmentView(row: Row): Static<typeof Shipment> {
  return {
    shipmentNumber: row.shipment_number,
    orderNumber: row.order_number,
    siteId: row.site_id,
    status: row.status,
    provider: row.provider,
    serviceName: row.service_name,
    packages: row.packages ?? [],
    items: row.items ?? [],
    shipTo: row.ship_to && placeView(row.ship_to),
    shippingTotal: row.shipping_total,
    estimatedShipBy: row.estimated_ship_by,
    estimatedDeliveryFrom: row.estimated_delivery_from,
    estimatedDeliveryTo: row.estimated_delivery_to,
    shippedOn: row.shipped_on,
    cancelledOn: row.cancelled_on,
    createdOn: row.created_on,
    updatedOn: row.updated_on,
  }
}
