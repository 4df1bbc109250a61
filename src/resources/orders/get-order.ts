import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { orders } from './contract.ts'
import { orderColumns, orderDetailView, type OrderDetailRow } from './order-view.ts'

export function getOrder(database: Database): Handler<typeof orders.getOrder> {
  return async ({ caller, path, refuse }) => {
    const row = await database.reads.row<OrderDetailRow>(sql`
      select ${orderColumns}, orders.ship_to, orders.bill_to, orders.shipping_provider, orders.shipping_method
      from orders
      where orders.order_number = ${path.orderNumber} and orders.site_id = any(${caller.siteIds}::int[])`)
    if (!row) throw refuse('order_not_found')
    return { status: 200, body: orderDetailView(row, caller.partnerId) }
  }
}
