import type { Static } from 'typebox'
import type { SortKey } from '../../contract/operation.ts'
import type { Queries } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import type { OrderStatus } from '../../vocabulary/statuses.ts'
import type { OrderView } from './order-records.ts'

/** The columns of an order's header, of `orders` and the `partner` that submitted it. */
export const orderColumns = sqlText`
  orders.order_number as "orderNumber", orders.site_id as "siteId", orders.status,
  orders.partner_id as "partnerId", partner.name as "partnerName", orders.partner_order_id as "partnerOrderId",
  orders.submission_id as "submissionId", orders.project_id as "projectId", orders.user_id as "userId",
  orders.division_id as "divisionId", orders.purchase_order_number as "purchaseOrderNumber",
  orders.placed_on as "placedOn", orders.updated_on as "updatedOn", orders.held_on as "heldOn",
  orders.completed_on as "completedOn", orders.cancelled_on as "cancelledOn", orders.currency,
  orders.item_total as "itemTotal", orders.discount_total as "discountTotal",
  orders.handling_total as "handlingTotal", orders.shipping_total as "shippingTotal",
  orders.tax_total as "taxTotal", orders.credit_applied as "creditApplied", orders.total_price as "totalPrice",
  orders.item_count as "itemCount", orders.shipped_item_count as "shippedItemCount",
  orders.cancelled_item_count as "cancelledItemCount", orders.awaiting_proof as "awaitingProof"`

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
