import type { Static } from 'typebox'
import type { SortKey } from '../../contract/operation.ts'
import type { Queries } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import { columns, type View } from '../../database/view.ts'
import type { OrderStatus } from '../../vocabulary/statuses.ts'
import type { OrderView } from './order-records.ts'

/** An order's header, of `orders` and the `partner` that submitted it. */
export const headerView: View<Static<typeof OrderView>> = {
  orderNumber: 'orders.order_number',
  siteId: 'orders.site_id',
  status: 'orders.status',
  partnerId: 'orders.partner_id',
  partnerName: 'partner.name',
  partnerOrderId: 'orders.partner_order_id',
  submissionId: 'orders.submission_id',
  projectId: 'orders.project_id',
  userId: 'orders.user_id',
  divisionId: 'orders.division_id',
  purchaseOrderNumber: 'orders.purchase_order_number',
  placedOn: 'orders.placed_on',
  updatedOn: 'orders.updated_on',
  heldOn: 'orders.held_on',
  completedOn: 'orders.completed_on',
  cancelledOn: 'orders.cancelled_on',
  currency: 'orders.currency',
  itemTotal: 'orders.item_total',
  discountTotal: 'orders.discount_total',
  handlingTotal: 'orders.handling_total',
  shippingTotal: 'orders.shipping_total',
  taxTotal: 'orders.tax_total',
  creditApplied: 'orders.credit_applied',
  totalPrice: 'orders.total_price',
  itemCount: 'orders.item_count',
  shippedItemCount: 'orders.shipped_item_count',
  cancelledItemCount: 'orders.cancelled_item_count',
  awaitingProof: 'orders.awaiting_proof',
}

export type OrderWish = {
  siteId?: number | undefined
  status?: OrderStatus | undefined
  partnerId?: string | undefined
  userId?: number | undefined
  orderNumber?: number | undefined
  /** inclusive */
  placedFrom?: string | undefined
  /** exclusive */
  placedTo?: string | undefined
}

/** At most `limit` orders, newest first; `after` = placedOn and orderNumber of the one before. */
export function listOrders(
  reads: Queries,
  { siteId, status, partnerId, userId, orderNumber, placedFrom, placedTo }: OrderWish,
  { after, limit }: { after: SortKey | undefined; limit: number },
): Promise<Static<typeof OrderView>[]> {
  const wished = sqlText`
    ${status === undefined ? nothing : sqlText`and orders.status = ${status}`}
    ${partnerId === undefined ? nothing : sqlText`and orders.partner_id = ${partnerId}`}
    ${userId === undefined ? nothing : sqlText`and orders.user_id = ${userId}`}
    ${orderNumber === undefined ? nothing : sqlText`and orders.order_number = ${orderNumber}`}
    ${placedFrom === undefined ? nothing : sqlText`and orders.placed_on >= ${placedFrom}::timestamptz`}
    ${placedTo === undefined ? nothing : sqlText`and orders.placed_on < ${placedTo}::timestamptz`}
    ${after ? sqlText`and (orders.placed_on, orders.order_number) < (${after[0]}::timestamptz, ${after[1]}::bigint)` : nothing}`
  // orders_pkey, orders_of_partner or orders_by_user where one is named; else each site gives its newest by orders_by_site_newest.
  const isNamed = [orderNumber, partnerId, userId].some((each) => each !== undefined)
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
    select ${columns(headerView)}
    from ${found}
    left join partner using (partner_id)
    order by orders.placed_on desc, orders.order_number desc
    limit ${limit}`)
}
