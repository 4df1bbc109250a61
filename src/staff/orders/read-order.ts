import type { Static } from 'typebox'
import { Discount } from '../../contract/discount.ts'
import { Place, ShipTo } from '../../contract/ship-to.ts'
import { sql } from '../../database/sql.ts'
import { columns, isoText, jsonList, jsonMembers, type View } from '../../database/view.ts'
import { readNotes } from '../../platform/order-desk/notes.ts'
import type { StaffEnvironment } from '../environment.ts'
import { headerView } from './list-orders.ts'
import type { OrderCreditMovement, OrderDetail, OrderLine, OrderShipment } from './order-records.ts'
import { type LineDecisions, readDecisions } from './read-decisions.ts'
import { type LineFiles, readLineFiles } from './read-line-files.ts'

export type Detail = Static<typeof OrderDetail>

type Header = Omit<Detail, 'decisions' | 'notes' | 'lines' | 'shipments' | 'creditMovements'>

const headerDetailView: View<Header> = {
  ...headerView,
  shipTo: jsonMembers('orders.ship_to', ShipTo),
  billTo: jsonMembers('orders.bill_to', Place),
  shippingProvider: 'orders.shipping_provider',
  shippingMethod: 'orders.shipping_method',
  shipNotificationEmail: 'orders.ship_notification_email',
}

type Line = Omit<Static<typeof OrderLine>, keyof LineFiles | keyof LineDecisions>

/** A line, and whether `shown` has it too: what the partner is shown. */
const lineView: View<Line> = {
  lineNumber: 'line.line_number',
  itemNumber: 'line.item_number',
  siteId: 'line.site_id',
  recordKind: 'line.record_kind',
  shownToPartner: 'shown.line_number is not null',
  // The primary key of reprint
  reprintOf: `(
    select of_line_number from reprint
    where reprint.order_number = line.order_number and reprint.line_number = line.line_number)`,
  reprints: jsonList<Line['reprints'][number]>(
    {
      lineNumber: 'anew.line_number',
      quantity: 'anew.quantity',
      reference: 'reprint.reference',
      reason: 'reprint.reason',
      comment: 'reprint.comment',
      orderedOn: isoText('reprint.ordered_on'),
    },
    `from reprint join order_line anew using (order_number, line_number)
    where reprint.order_number = line.order_number and reprint.of_line_number = line.line_number`,
    'anew.line_number',
  ),
  sku: 'line.sku',
  productId: 'line.product_id',
  productName: 'line.product_name',
  productCode: 'line.product_code',
  variantId: 'line.variant_id',
  jobName: 'line.job_name',
  externalId: 'line.external_id',
  note: 'line.note',
  quantity: 'line.quantity',
  backorderQuantity: 'line.backorder_quantity',
  lineListTotal: 'line.line_list_total',
  lineTotalBeforeAdjustments: 'line.line_total_before_adjustments',
  lineTotal: 'line.line_total',
  handlingTotal: 'line.handling_total',
  productDiscount: jsonMembers('line.product_discount', Discount),
  userDiscount: jsonMembers('line.user_discount', Discount),
  taxPercent: 'line.tax_percent',
  handlingTaxPercent: 'line.handling_tax_percent',
  attributes: 'line.attributes',
  turnaroundBusinessDays: 'line.turnaround_business_days',
  estimatedShipBy: 'line.estimated_ship_by',
  shipBy: 'line.ship_by',
  shippable: 'line.shippable',
  digitalDelivery: 'line.digital_delivery',
  reorder: 'line.reorder',
  artworkSource: 'line.artwork_source',
  templateVariables: 'line.template_variables',
  productionStatus: 'line.production_status',
  heldAt: 'line.held_production_status',
  proofStatus: 'line.proof_status',
  problem: 'line.problem',
  priority: 'line.priority',
  assigneeId: 'line.assignee_id',
  fulfilmentCenterId: 'line.fulfilment_center_id',
  shippedOn: 'line.shipped_on',
  cancelledOn: 'line.cancelled_on',
  updatedOn: 'line.updated_on',
}

type Shipment = Static<typeof OrderShipment>

const shipmentView: View<Shipment> = {
  shipmentNumber: 'shipment.shipment_number',
  status: 'shipment.status',
  provider: 'shipment.provider',
  serviceName: 'shipment.service_name',
  shippingServiceId: 'shipment.shipping_service_id',
  fulfilmentCenterId: 'shipment.fulfilment_center_id',
  shipTo: jsonMembers('shipment.ship_to', Place),
  shippingNotes: 'shipment.internal_notes',
  shippingTotal: 'shipment.shipping_total',
  taxPercent: 'shipment.tax_percent',
  estimatedShipBy: 'shipment.estimated_ship_by',
  estimatedDeliveryFrom: 'shipment.estimated_delivery_from',
  estimatedDeliveryTo: 'shipment.estimated_delivery_to',
  shippedOn: 'shipment.shipped_on',
  cancelledOn: 'shipment.cancelled_on',
  createdOn: 'shipment.created_on',
  updatedOn: 'shipment.updated_on',
  items: jsonList<Shipment['items'][number]>(
    { lineNumber: 'shipment_line.line_number', quantity: 'shipment_line.quantity' },
    'from shipment_line where shipment_line.shipment_number = shipment.shipment_number',
    'shipment_line.line_number',
  ),
  packages: jsonList<Shipment['packages'][number]>(
    {
      packageNumber: 'shipment_package.package_number',
      trackingNumber: 'shipment_package.tracking_number',
      trackingUrl: 'shipment_package.tracking_url',
      weightOunces: 'shipment_package.weight_ounces::text',
    },
    'from shipment_package where shipment_package.shipment_number = shipment.shipment_number',
    'shipment_package.package_number',
  ),
}

const creditMovementView: View<Static<typeof OrderCreditMovement>> = {
  creditAccountId: 'credit_adjustment.credit_account_id',
  type: 'credit_adjustment.type',
  amount: 'credit_adjustment.amount',
  createdOn: 'credit_adjustment.created_on',
}

/** An order with all that belongs to it. @param now real time, for signed links */
export async function readOrder(
  environment: StaffEnvironment,
  orderNumber: number,
  now: Date,
): Promise<Detail | undefined> {
  const { reads } = environment.database
  const [header, lines, files, decisions, notes, shipments, creditMovements] = await Promise.all([
    reads.row<Header>(sql`
      select ${columns(headerDetailView)}
      from orders
      left join partner using (partner_id)
      where orders.order_number = ${orderNumber}`),
    reads.rows<Line>(sql`
      select ${columns(lineView)}
      from order_line line
      left join visible_order_line shown using (order_number, line_number)
      where line.order_number = ${orderNumber}
      order by line.line_number`),
    readLineFiles(environment, orderNumber, now),
    readDecisions(reads, orderNumber),
    readNotes(reads, orderNumber),
    // shipment_by_order
    reads.rows<Shipment>(sql`
      select ${columns(shipmentView)}
      from shipment
      where order_number = ${orderNumber}
      order by shipment_number`),
    // credit_adjustment_by_order
    reads.rows<Static<typeof OrderCreditMovement>>(sql`
      select ${columns(creditMovementView)}
      from credit_adjustment where order_number = ${orderNumber}
      order by adjustment_id`),
  ])
  return (
    header && {
      ...header,
      decisions: decisions(null).decisions,
      notes,
      lines: lines.map((line) => ({ ...line, ...decisions(line.lineNumber), ...files(line.lineNumber) })),
      shipments,
      creditMovements,
    }
  )
}
