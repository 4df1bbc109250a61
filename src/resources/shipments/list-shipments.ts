import type { Static } from 'typebox'
import type { Handler } from '../../contract/operation.ts'
import { Place } from '../../contract/ship-to.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { columns, jsonList, jsonMembers, type View } from '../../database/view.ts'
import type { Shipment, shipments } from './contract.ts'

type Shown = Static<typeof Shipment>

const shipmentView: View<Shown> = {
  shipmentNumber: 'shipment.shipment_number',
  orderNumber: 'shipment.order_number',
  siteId: 'shipment.site_id',
  status: 'shipment.status',
  provider: 'shipment.provider',
  serviceName: 'shipment.service_name',
  packages: jsonList<Shown['packages'][number]>(
    {
      packageNumber: 'shipment_package.package_number',
      trackingNumber: 'shipment_package.tracking_number',
      trackingUrl: 'shipment_package.tracking_url',
      weightOunces: 'shipment_package.weight_ounces',
    },
    'from shipment_package where shipment_package.shipment_number = shipment.shipment_number',
    'shipment_package.package_number',
  ),
  items: jsonList<Shown['items'][number]>(
    { itemNumber: 'line.item_number', quantity: 'shipment_line.quantity' },
    `from shipment_line
    join visible_order_line line using (order_number, line_number)
    where shipment_line.shipment_number = shipment.shipment_number and line.item_number is not null`,
    'line.line_number',
  ),
  shipTo: jsonMembers('shipment.ship_to', Place),
  shippingTotal: 'shipment.shipping_total',
  estimatedShipBy: 'shipment.estimated_ship_by',
  estimatedDeliveryFrom: 'shipment.estimated_delivery_from',
  estimatedDeliveryTo: 'shipment.estimated_delivery_to',
  shippedOn: 'shipment.shipped_on',
  cancelledOn: 'shipment.cancelled_on',
  createdOn: 'shipment.created_on',
  updatedOn: 'shipment.updated_on',
}

/** A row with null columns stands for an order without shipments. Served by shipment_by_order. */
export function listShipments(database: Database): Handler<typeof shipments.listShipments> {
  return async ({ siteIds, path, query, after, page, refuse }) => {
    const found = await database.lists.rows<Shown | { shipmentNumber: null }>(sql`
      select ${columns(shipmentView)}
      from orders
      left join shipment on shipment.order_number = orders.order_number and not shipment.rework
        and shipment.shipment_number > ${after?.[0] ?? 0}
      where orders.order_number = ${path.orderNumber} and orders.site_id = any(${siteIds}::int[])
      order by shipment.shipment_number
      limit ${query.limit + 1}`)
    if (found.length === 0) throw refuse('order_not_found')
    const shown = found.filter((row): row is Shown => row.shipmentNumber !== null)
    const { rows, nextCursor } = page(shown, (shipment) => [shipment.shipmentNumber])
    return { status: 200, body: { shipments: rows, nextCursor } }
  }
}
