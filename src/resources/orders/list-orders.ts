import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import { jsonPage, type RecordRow } from '../../database/view.ts'
import { orderStatuses } from '../../vocabulary/statuses.ts'
import type { orders } from './contract.ts'
import { orderRecord } from './order-view.ts'

/**
 * Each granted site gives its own newest rows, for each status asked for, in the order of one of the orders_by_… indexes;
 * only as many as a page needs are then sorted together. However many sites and orders there are, nothing else is read
 * but what a further filter leaves out. Those of a user or a division are in order within each status.
 */
export function listOrders(database: Database): Handler<typeof orders.listOrders> {
  return async ({ caller, siteIds, query, after, page }) => {
    const { status, awaitingProof, userId, divisionId, partnerOrderId, placedFrom, placedTo, limit } = query
    const statuses = status ?? (userId || divisionId ? orderStatuses : undefined)
    const found = await database.lists.rows<RecordRow & { placedOn: string; orderNumber: number }>(sql`
      select ${orderRecord.column}, orders.placed_on, orders.order_number
      from (
        select orders.*
        from unnest(${siteIds}::int[]) as granted(site_id)
        ${statuses ? sqlText`cross join unnest(${statuses}::text[]) as wanted(status)` : nothing}
        cross join lateral (
          select * from orders
          where orders.site_id = granted.site_id
            ${statuses ? sqlText`and orders.status = wanted.status` : nothing}
            ${awaitingProof === undefined ? nothing : awaitingProof ? sqlText`and orders.awaiting_proof` : sqlText`and not orders.awaiting_proof`}
            ${after ? sqlText`and (orders.placed_on, orders.order_number) < (${after[0]}::timestamptz, ${after[1]}::bigint)` : nothing}
            ${placedFrom ? sqlText`and orders.placed_on >= ${placedFrom}::timestamptz` : nothing}
            ${placedTo ? sqlText`and orders.placed_on < ${placedTo}::timestamptz` : nothing}
            ${userId ? sqlText`and orders.user_id = ${userId}` : nothing}
            ${divisionId ? sqlText`and orders.division_id = ${divisionId}` : nothing}
            ${partnerOrderId ? sqlText`and orders.partner_id = ${caller.partnerId} and orders.partner_order_id = ${partnerOrderId}` : nothing}
          order by orders.placed_on desc, orders.order_number desc
          limit ${limit + 1}
        ) as orders
        order by orders.placed_on desc, orders.order_number desc
        limit ${limit + 1}
      ) as orders
      cross join (select ${caller.partnerId}::uuid as partner_id) as caller
      order by orders.placed_on desc, orders.order_number desc`)
    const { rows, nextCursor } = page(found, (order) => [order.placedOn, order.orderNumber])
    return { status: 200, body: jsonPage('orders', orderRecord, rows, nextCursor) }
  }
}
