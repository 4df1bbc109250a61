import type { Static } from 'typebox'
import { placeView, type StoredPlace } from '../../contract/place-view.ts'
import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { StaffWorld } from '../world.ts'
import { orderColumns } from './list-orders.ts'
import type { OrderCreditMovement, OrderDetail, OrderLine, OrderShipment, OrderView } from './order-records.ts'
import { readLineFiles } from './read-line-files.ts'

export type Detail = Static<typeof OrderDetail>

type Header = Static<typeof OrderView> &
  Pick<Detail, 'shippingProvider' | 'shippingMethod' | 'shipNotificationEmail'> & {
    shipTo: StoredPlace | null
    billTo: StoredPlace | null
  }

/** An order with all that belongs to it. @param now the world's time, which signed links go by */
export async function readOrder(world: StaffWorld, orderNumber: number, now: Date): Promise<Detail | undefined> {
  const { reads } = world.database
  const [header, lines, files, shipments, creditMovements] = await Promise.all([
    reads.row<Header>(sql`
      select ${orderColumns}, orders.ship_to as "shipTo", orders.bill_to as "billTo",
        orders.shipping_provider as "shippingProvider", orders.shipping_method as "shippingMethod",
        orders.ship_notification_email as "shipNotificationEmail"
      from orders
      left join partner using (partner_id)
      where orders.order_number = ${orderNumber}`),
    readLines(reads, orderNumber),
    readLineFiles(world, orderNumber, now),
    readShipments(reads, orderNumber),
    // credit_adjustment_by_order
    reads.rows<Static<typeof OrderCreditMovement>>(sql`
      select credit_account_id as "creditAccountId", type, amount, created_on as "createdOn"
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
    select line.line_number as "lineNumber", line.item_number as "itemNumber", line.site_id as "siteId",
      line.record_kind as "recordKind", shown.line_number is not null as "shownToPartner", line.sku,
      line.product_id as "productId", line.product_name as "productName", line.product_code as "productCode",
      line.variant_id as "variantId", line.job_name as "jobName", line.external_id as "externalId", line.note,
      line.quantity, line.backorder_quantity as "backorderQuantity", line.line_list_total as "lineListTotal",
      line.line_total_before_adjustments as "lineTotalBeforeAdjustments", line.line_total as "lineTotal",
      line.handling_total as "handlingTotal", line.product_discount as "productDiscount",
      line.user_discount as "userDiscount", line.tax_percent as "taxPercent",
      line.handling_tax_percent as "handlingTaxPercent", line.attributes,
      line.turnaround_business_days as "turnaroundBusinessDays", line.estimated_ship_by as "estimatedShipBy",
      line.ship_by as "shipBy", line.shippable, line.digital_delivery as "digitalDelivery", line.reorder,
      line.artwork_source as "artworkSource", line.template_variables as "templateVariables",
      line.production_status as "productionStatus", line.held_production_status as "heldAt",
      line.proof_status as "proofStatus", line.problem, line.shipped_on as "shippedOn",
      line.cancelled_on as "cancelledOn", line.updated_on as "updatedOn"
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
    select shipment_number as "shipmentNumber", status, provider, service_name as "serviceName",
      shipping_service_id as "shippingServiceId", fulfilment_center_id as "fulfilmentCenterId", ship_to as "shipTo",
      internal_notes as "shippingNotes", shipping_total as "shippingTotal", tax_percent as "taxPercent",
      estimated_ship_by as "estimatedShipBy", estimated_delivery_from as "estimatedDeliveryFrom",
      estimated_delivery_to as "estimatedDeliveryTo", shipped_on as "shippedOn", cancelled_on as "cancelledOn",
      created_on as "createdOn", updated_on as "updatedOn",
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
