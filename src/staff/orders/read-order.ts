import type { Static } from 'typebox'
import { placeView, type StoredPlace } from '../../contract/place-view.ts'
import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { StaffEnvironment } from '../environment.ts'
import { orderColumns } from './list-orders.ts'
import type { OrderCreditMovement, OrderDetail, OrderLine, OrderShipment, OrderView } from './order-records.ts'
import { readLineFiles } from './read-line-files.ts'

export type Detail = Static<typeof OrderDetail>

type Header = Static<typeof OrderView> &
  Pick<Detail, 'shippingProvider' | 'shippingMethod' | 'shipNotificationEmail'> & {
    shipTo: StoredPlace | null
    billTo: StoredPlace | null
  }

/** An order with all that belongs to it. @param now real time, which signed links go by */
export async function readOrder(
  environment: StaffEnvironment,
  orderNumber: number,
  now: Date,
): Promise<Detail | undefined> {
  const { reads } = environment.database
  const [header, lines, files, shipments, creditMovements] = await Promise.all([
    reads.row<Header>(sql`
      select ${orderColumns}, orders.ship_to, orders.bill_to,
        orders.shipping_provider, orders.shipping_method,
        orders.ship_notification_email
      from orders
      left join partner using (partner_id)
      where orders.order_number = ${orderNumber}`),
    readLines(reads, orderNumber),
    readLineFiles(environment, orderNumber, now),
    readShipments(reads, orderNumber),
    // credit_adjustment_by_order
    reads.rows<Static<typeof OrderCreditMovement>>(sql`
      select credit_account_id, type, amount, created_on
      from credit_adjustment where order_number = ${orderNumber}
      order by adjustment_id`),
  ])
  return (
    header && {
      ...header,
      shipTo: header.shipTo && { ...placeView(header.shipTo), email: header.shipTo.email ?? null },
      billTo: header.billTo && placeView(header.billTo),
      lines: lines.map((line) => ({ ...line, ...files(line.lineNumber) })),
      shipments,
      creditMovements,
    }
  )
}

type Line = Omit<Static<typeof OrderLine>, 'proofs' | 'proofLog' | 'printFiles'>

async function readLines(reads: Queries, orderNumber: number): Promise<Line[]> {
  const lines = await reads.rows<Line>(sql`
    select line.line_number, line.item_number, line.site_id,
      line.record_kind, shown.line_number is not null as shown_to_partner, line.sku,
      line.product_id, line.product_name, line.product_code,
      line.variant_id, line.job_name, line.external_id, line.note,
      line.quantity, line.backorder_quantity, line.line_list_total,
      line.line_total_before_adjustments, line.line_total,
      line.handling_total, line.product_discount,
      line.user_discount, line.tax_percent,
      line.handling_tax_percent, line.attributes,
      line.turnaround_business_days, line.estimated_ship_by,
      line.ship_by, line.shippable, line.digital_delivery, line.reorder,
      line.artwork_source, line.template_variables,
      line.production_status, line.held_production_status as held_at,
      line.proof_status, line.problem, line.shipped_on,
      line.cancelled_on, line.updated_on
    from order_line line
    left join visible_order_line shown using (order_number, line_number)
    where line.order_number = ${orderNumber}
    order by line.line_number`)
  return lines.map((line) => ({
    ...line,
    productDiscount: discountView(line.productDiscount),
    userDiscount: discountView(line.userDiscount),
  }))
}

function discountView(discount: Line['productDiscount']): Line['productDiscount'] {
  return discount && { name: discount.name, percent: discount.percent, amount: discount.amount }
}

type Shipment = Static<typeof OrderShipment>
type ShipmentRow = Omit<Shipment, 'shipTo' | 'items' | 'packages'> & {
  shipTo: StoredPlace | null
  items: Shipment['items'] | null
  packages: Shipment['packages'] | null
}

/** Served by shipment_by_order. */
async function readShipments(reads: Queries, orderNumber: number): Promise<Shipment[]> {
  const shipments = await reads.rows<ShipmentRow>(sql`
    select shipment_number, status, provider, service_name,
      shipping_service_id, fulfilment_center_id, ship_to,
      internal_notes as shipping_notes, shipping_total, tax_percent,
      estimated_ship_by, estimated_delivery_from,
      estimated_delivery_to, shipped_on, cancelled_on,
      created_on, updated_on,
      (
        select json_agg(json_build_object('lineNumber', line_number, 'quantity', quantity) order by line_number)
        from shipment_line where shipment_line.shipment_number = shipment.shipment_number
      ) as items,
      (
        select json_agg(json_build_object('packageNumber', package_number, 'trackingNumber', tracking_number,
          'trackingUrl', tracking_url, 'weightOunces', weight_ounces::text) order by package_number)
        from shipment_package where shipment_package.shipment_number = shipment.shipment_number
      ) as packages
    from shipment
    where order_number = ${orderNumber}
    order by shipment_number`)
  return shipments.map((shipment) => ({
    ...shipment,
    shipTo: shipment.shipTo && placeView(shipment.shipTo),
    items: shipment.items ?? [],
    packages: shipment.packages ?? [],
  }))
}
