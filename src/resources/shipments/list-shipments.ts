import type { Static } from 'typebox'
import type { Handler } from '../../contract/operation.ts'
import { placeView, type StoredPlace } from '../../contract/place-view.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ShipmentStatus } from '../../vocabulary/statuses.ts'
import type { Shipment, shipments } from './contract.ts'

type Row = {
  shipmentNumber: number
  orderNumber: number
  siteId: number
  status: ShipmentStatus
  provider: string | null
  serviceName: string | null
  packages: Static<typeof Shipment>['packages'] | null
  items: Static<typeof Shipment>['items'] | null
  shipTo: StoredPlace | null
  shippingTotal: string | null
  estimatedShipBy: string | null
  estimatedDeliveryFrom: string | null
  estimatedDeliveryTo: string | null
  shippedOn: string | null
  cancelledOn: string | null
  createdOn: string
  updatedOn: string
}

/** Served by shipment_by_order; a row with null columns stands for an order without shipments. */
export function listShipments(database: Database): Handler<typeof shipments.listShipments> {
  return async ({ caller, path, query, after, page, refuse }) => {
    const found = await database.reads.rows<Row | { shipmentNumber: null }>(sql`
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
    const shown = found.filter((row): row is Row => row.shipmentNumber !== null)
    const { rows, nextCursor } = page(shown, (row) => [row.shipmentNumber])
    return { status: 200, body: { shipments: rows.map(shipmentView), nextCursor } }
  }
}

function shipmentView(row: Row): Static<typeof Shipment> {
  return {
    shipmentNumber: row.shipmentNumber,
    orderNumber: row.orderNumber,
    siteId: row.siteId,
    status: row.status,
    provider: row.provider,
    serviceName: row.serviceName,
    packages: row.packages ?? [],
    items: row.items ?? [],
    shipTo: row.shipTo && placeView(row.shipTo),
    shippingTotal: row.shippingTotal,
    estimatedShipBy: row.estimatedShipBy,
    estimatedDeliveryFrom: row.estimatedDeliveryFrom,
    estimatedDeliveryTo: row.estimatedDeliveryTo,
    shippedOn: row.shippedOn,
    cancelledOn: row.cancelledOn,
    createdOn: row.createdOn,
    updatedOn: row.updatedOn,
  }
}
