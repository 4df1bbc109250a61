import type { Static } from 'typebox'
import type { SortKey } from '../../contract/operation.ts'
import type { Queries } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import type { OrderStatus } from '../../vocabulary/statuses.ts'
import type { OrderView } from './order-records.ts'

/** The columns of an order's header, of `orders` and the `partner` that submitted it. */
export const orderColumns = sqlText`
  orders.order_number, orders.site_id, orders.status,
  orders.partner_id, partner.name as partner_name, orders.partner_order_id,
  orders.submission_id, orders.project_id, orders.user_id,
  orders.division_id, orders.purchase_order_number,
  orders.placed_on, orders.updated_on, orders.held_on,
  orders.completed_on, orders.cancelled_on, orders.currency,
  orders.item_total, orders.discount_total,
  orders.handling_total, orders.shipping_total,
  orders.tax_total, orders.credit_applied, orders.total_price,
  orders.item_count, orders.shipped_item_count,
  orders.cancelled_item_count, orders.awaiting_proof`

export type OrderWish = {
  siteId?: number | undefined
  status?: OrderStatus | undefined
  partnerId?: string | undefined
  orderNumber?: number | undefined
  /** placed at this instant or later */
  placedFrom?: string | undefined
  /** placed before this instant */
  placedTo?: string | undefined
}

/** At most `limit` orders, newest first; `after` = placedOn and orderNumber of the one before. */
export function listOrders(
  reads: Queries,
  { siteId, status, partnerId, orderNumber, placedFrom, placedTo }: OrderWish,
  { after, limit }: { after: SortKey | undefined; limit: number },
): Promise<Static<typeof OrderView>[]> {
  const wished = sqlText`
    ${status === undefined ? nothing : sqlText`and orders.status = ${status}`}
    ${partnerId === undefined ? nothing : sqlText`and orders.partner_id = ${partnerId}`}
    ${orderNumber === undefined ? nothing : sqlText`and orders.order_number = ${orderNumber}`}
    ${placedFrom === undefined ? nothing : sqlText`and orders.placed_on >= ${placedFrom}::timestamptz`}
    ${placedTo === undefined ? nothing : sqlText`and orders.placed_on < ${placedTo}::timestamptz`}
    ${after ? sqlText`and (orders.placed_on, orders.order_number) < (${after[0]}::timestamptz, ${after[1]}::bigint)` : nothing}`
  // orders_pkey or orders_of_partner where one is named; else each site gives its newest by orders_by_site_newest.
  const isNamed = orderNumber !== undefined || partnerId !== undefined
  const ofSite = siteId === undefined ? nothing : sqlText`and site_id = ${siteId}`
  const found = isNamed
    ? sqlText`(select * from orders where true ${ofSite} ${wished}) as orders`
    : sqlText`(select site_id from site where true ${ofSite}) as sites
      cross join lateral (
        select * from orders where orders.site_id = sites.site_id ${wished}
        order by orders.placed_on desc, orders.order_number desc
        limit ${limit}
      ) as orders`
  return reads.rows(sql`
    select ${orderColumns}
    from ${found}
    left join partner using (partner_id)
    order by orders.placed_on desc, orders.order_number desc
    limit ${limit}`)
}
