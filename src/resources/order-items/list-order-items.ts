import type { Static } from 'typebox'
import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ProductionStatus, ProofStatus } from '../../vocabulary/statuses.ts'
import type { OrderItem, orderItems } from './contract.ts'

type Row = {
  order_number: number
  line_number: number
  site_id: number
  item_number: number | null
  sku: string | null
  product_id: string
  product_name: string
  product_code: string
  job_name: string | null
  external_id: string | null
  quantity: number
  line_list_total: string | null
  line_total: string | null
  shipped_on: string | null
  cancelled_on: string | null
  estimated_ship_by: string | null
  ship_by: string | null
  turnaround_business_days: number | null
  production_status: ProductionStatus | null
  proof_status: ProofStatus | null
  note: string | null
  attributes: Static<typeof OrderItem>['attributes']
  product_discount: Static<typeof OrderItem>['productDiscount']
  user_discount: Static<typeof OrderItem>['userDiscount']
  handling_total: string | null
  problem: string | null
  reorder: boolean
  backorder_quantity: number | null
  shippable: boolean
  digital_delivery: boolean
}

/** One row with null columns stands for an order without visible lines; no row for no such order (ORD-29, ERR-43). */
export function listOrderItems(database: Database): Handler<typeof orderItems.listOrderItems> {
  return async ({ caller, path, query, after, page, refuse }) => {
    const found = await database.reads.rows<Row | { order_number: null }>(sql`
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
    const lines = found.filter((row): row is Row => row.order_number !== null)
    const { rows, nextCursor } = page(lines, (row) => [row.line_number])
    return { status: 200, body: { items: rows.map(orderItemView), nextCursor } }
  }
}

function orderItemView(row: Row): Static<typeof OrderItem> {
  return {
    orderNumber: row.order_number,
    siteId: row.site_id,
    itemNumber: row.item_number,
    sku: row.sku,
    productId: row.product_id,
    productName: row.product_name,
    productCode: row.product_code,
    jobName: row.job_name,
    externalId: row.external_id,
    quantity: row.quantity,
    lineListTotal: row.line_list_total,
    lineTotal: row.line_total,
    shipped: row.shipped_on !== null,
    shippedOn: row.shipped_on,
    cancelled: row.cancelled_on !== null,
    estimatedShipBy: row.estimated_ship_by,
    shipBy: row.ship_by,
    turnaroundBusinessDays: row.turnaround_business_days,
    productionStatus: row.production_status,
    proofStatus: row.proof_status,
    note: row.note,
    attributes: row.attributes,
    productDiscount: discountView(row.product_discount),
    userDiscount: discountView(row.user_discount),
    handlingTotal: row.handling_total,
    problem: row.problem !== null,
    reorder: row.reorder,
    backorderQuantity: row.backorder_quantity,
    shippable: row.shippable,
    digitalDelivery: row.digital_delivery,
  }
}

function discountView(discount: Row['product_discount']): Row['product_discount'] {
  return discount && { name: discount.name, percent: discount.percent, amount: discount.amount }
}
