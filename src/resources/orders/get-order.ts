import type { Static } from 'typebox'
import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { columns } from '../../database/view.ts'
import type { OrderDetail, orders } from './contract.ts'
import { orderDetailView } from './order-view.ts'

export function getOrder(database: Database): Handler<typeof orders.getOrder> {
  return async ({ caller, siteIds, path, refuse }) => {
    const order = await database.reads.row<Static<typeof OrderDetail>>(sql`
      select ${columns(orderDetailView)}
      from (select ${caller.partnerId}::uuid as partner_id) as caller
      cross join orders
      where orders.order_number = ${path.orderNumber} and orders.site_id = any(${siteIds}::int[])`)
    if (!order) throw refuse('order_not_found')
    return { status: 200, body: order }
  }
}
