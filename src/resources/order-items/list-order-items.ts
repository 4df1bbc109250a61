import type { Static } from 'typebox'
import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ProductionStatus, ProofStatus } from '../../vocabulary/statuses.ts'
import type { OrderItem, orderItems } from './contract.ts'

type Row = {
  orderNumber: number
  lineNumber: number
  siteId: number
  itemNumber: number | null
  sku: string | null
  productId: string
  productName: string
  productCode: string
  jobName: string | null
  externalId: string | null
  quantity: number
  lineListTotal: string | null
  lineTotal: string | null
  shippedOn: string | null
  cancelledOn: string | null
  estimatedShipBy: string | null
  shipBy: string | null
  turnaroundBusinessDays: number | null
  productionStatus: ProductionStatus | null
  proofStatus: ProofStatus | null
  note: string | null
  attributes: Static<typeof OrderItem>['attributes']
  productDiscount: Static<typeof OrderItem>['productDiscount']
  userDiscount: Static<typeof OrderItem>['userDiscount']
  handlingTotal: string | null
  problem: string | null
  reorder: boolean
  backorderQuantity: number | null
  shippable: boolean
  digitalDelivery: boolean
}

/** One row with null columns stands for an order without visible lines; no row for no such order (ORD-29, ERR-43). */
export function listOrderItems(database: Database): Handler<typeof orderItems.listOrderItems> {
  return async ({ caller, path, query, after, page, refuse }) => {
    const found = await database.reads.rows<Row | { orderNumber: null }>(sql`
      select line.order_number, line.line_number, line.site_id, line.item_number, line.sku,
        line.product_id, line.product_name, line.product_code, line.job_name, line.external_id, line.quantity,
        line.line_list_total, line.line_total, line.shipped_on, line.cancelled_on, line.estimated_ship_by, line.ship_by,
        line.turnaround_business_days, line.production_status, line.proof_status, line.note, line.attributes,
        line.product_discount, line.user_discount, line.handling_total, line.problem, line.reorder,
        line.backorder_quantity, line.shippable, line.digital_delivery
      from orders
      left join visible_order_line line
        on line.order_number = orders.order_number and line.line_number > ${after?.[0] ?? 0}
      where orders.order_number = ${path.orderNumber} and orders.site_id = any(${caller.siteIds}::int[])
      order by line.line_number
      limit ${query.limit + 1}`)
    if (found.length === 0) throw refuse('order_not_found')
    const lines = found.filter((row): row is Row => row.orderNumber !== null)
    const { rows, nextCursor } = page(lines, (row) => [row.lineNumber])
    return { status: 200, body: { items: rows.map(orderItemView), nextCursor } }
  }
}

function orderItemView(row: Row): Static<typeof OrderItem> {
  return {
    orderNumber: row.orderNumber,
    siteId: row.siteId,
    itemNumber: row.itemNumber,
    sku: row.sku,
    productId: row.productId,
    productName: row.productName,
    productCode: row.productCode,
    jobName: row.jobName,
    externalId: row.externalId,
    quantity: row.quantity,
    lineListTotal: row.lineListTotal,
    lineTotal: row.lineTotal,
    shipped: row.shippedOn !== null,
    shippedOn: row.shippedOn,
    cancelled: row.cancelledOn !== null,
    estimatedShipBy: row.estimatedShipBy,
    shipBy: row.shipBy,
    turnaroundBusinessDays: row.turnaroundBusinessDays,
    productionStatus: row.productionStatus,
    proofStatus: row.proofStatus,
    note: row.note,
    attributes: row.attributes,
    productDiscount: discountView(row.productDiscount),
    userDiscount: discountView(row.userDiscount),
    handlingTotal: row.handlingTotal,
    problem: row.problem !== null,
    reorder: row.reorder,
    backorderQuantity: row.backorderQuantity,
    shippable: row.shippable,
    digitalDelivery: row.digitalDelivery,
  }
}

function discountView(discount: Row['productDiscount']): Row['productDiscount'] {
  return discount && { name: discount.name, percent: discount.percent, amount: discount.amount }
}
