import type { Static } from 'typebox'
import { Discount } from '../../contract/discount.ts'
import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { columns, jsonMembers, type View } from '../../database/view.ts'
import type { OrderItem, orderItems } from './contract.ts'

type Item = Static<typeof OrderItem>

/** An item with the number that pages are cut by, which is not published. */
type Row = Item & { lineNumber: number }

/** Of `line`, a `visible_order_line`. */
const orderItemView: View<Item> = {
  orderNumber: 'line.order_number',
  siteId: 'line.site_id',
  itemNumber: 'line.item_number',
  sku: 'line.sku',
  productId: 'line.product_id',
  productName: 'line.product_name',
  productCode: 'line.product_code',
  jobName: 'line.job_name',
  externalId: 'line.external_id',
  quantity: 'line.quantity',
  lineListTotal: 'line.line_list_total',
  lineTotal: 'line.line_total',
  shipped: 'line.shipped_on is not null',
  shippedOn: 'line.shipped_on',
  cancelled: 'line.cancelled_on is not null',
  estimatedShipBy: 'line.estimated_ship_by',
  shipBy: 'line.ship_by',
  turnaroundBusinessDays: 'line.turnaround_business_days',
  productionStatus: 'line.production_status',
  proofStatus: 'line.proof_status',
  note: 'line.note',
  attributes: 'line.attributes',
  productDiscount: jsonMembers('line.product_discount', Discount),
  userDiscount: jsonMembers('line.user_discount', Discount),
  handlingTotal: 'line.handling_total',
  problem: 'line.problem is not null',
  reorder: 'line.reorder',
  backorderQuantity: 'line.backorder_quantity',
  shippable: 'line.shippable',
  digitalDelivery: 'line.digital_delivery',
}

/** One row with null columns stands for an order without visible lines; no row for no such order (ORD-29, ERR-43). */
export function listOrderItems(database: Database): Handler<typeof orderItems.listOrderItems> {
  return async ({ siteIds, path, query, after, page, refuse }) => {
    const found = await database.lists.rows<Row | { orderNumber: null }>(sql`
      select ${columns(orderItemView)}, line.line_number
      from orders
      left join visible_order_line line
        on line.order_number = orders.order_number and line.line_number > ${after?.[0] ?? 0}
      where orders.order_number = ${path.orderNumber} and orders.site_id = any(${siteIds}::int[])
      order by line.line_number
      limit ${query.limit + 1}`)
    if (found.length === 0) throw refuse('order_not_found')
    const lines = found.filter((row): row is Row => row.orderNumber !== null)
    const { rows, nextCursor } = page(lines, (row) => [row.lineNumber])
    return { status: 200, body: { items: rows.map(itemOf), nextCursor } }
  }
}

function itemOf(row: Row): Item {
  const { lineNumber: _, ...item } = row
  return item
}
