import type { Static } from 'typebox'
import type { SortKey } from '../../contract/operation.ts'
import type { Queries } from '../../database/database.ts'
import { nothing, sql, type SqlPart, sqlText } from '../../database/sql.ts'
import { columns, type View } from '../../database/view.ts'
import { type OrderStatus, orderStatuses } from '../../vocabulary/statuses.ts'
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
    ${partnerId === undefined ? nothing : sqlText`and orders.partner_id = ${partnerId}`}
    ${userId === undefined ? nothing : sqlText`and orders.user_id = ${userId}`}
    ${placedFrom === undefined ? nothing : sqlText`and orders.placed_on >= ${placedFrom}::timestamptz`}
    ${placedTo === undefined ? nothing : sqlText`and orders.placed_on < ${placedTo}::timestamptz`}
    ${after ? sqlText`and (orders.placed_on, orders.order_number) < (${after[0]}::timestamptz, ${after[1]}::bigint)` : nothing}
    order by orders.placed_on desc, orders.order_number desc
    limit ${limit}`
  const ofSite = siteId === undefined ? nothing : sqlText`and site_id = ${siteId}`
  // Those of a user or a partner are in order within each status.
  const statuses = status !== undefined ? [status] : (userId ?? partnerId) ? orderStatuses : undefined
  // orders_pkey; else each site gives its newest by orders_by_user_and_status, orders_by_partner_and_status,
  // orders_by_status or orders_by_site_newest.
  const found =
    orderNumber !== undefined
      ? sqlText`(
          select * from orders
          where orders.order_number = ${orderNumber} ${ofSite}
            ${status === undefined ? nothing : sqlText`and orders.status = ${status}`} ${wished}
        ) as orders`
      : sqlText`(
          select site_id from ${partnerId === undefined || userId !== undefined ? sqlText`site` : sitesOfPartner(partnerId)}
          where site_id is not null ${ofSite}
        ) as sites
        ${statuses ? sqlText`cross join unnest(${statuses}::text[]) as wanted(status)` : nothing}
        cross join lateral (
          select * from orders
          where orders.site_id = sites.site_id ${statuses ? sqlText`and orders.status = wanted.status` : nothing} ${wished}
        ) as orders`
  return reads.rows(sql`
    select ${columns(headerView)}
    from ${found}
    left join partner using (partner_id)
    order by orders.placed_on desc, orders.order_number desc
    limit ${limit}`)
}

/** The sites on which a partner has orders, the last of them null: a probe of orders_by_partner_and_status for each. */
function sitesOfPartner(partnerId: string): SqlPart {
  const next = sqlText`select orders.site_id from orders where orders.partner_id = ${partnerId}`
  return sqlText`(
    with recursive has (site_id) as (
      (${next} order by orders.site_id limit 1)
      union all
      select (${next} and orders.site_id > has.site_id order by orders.site_id limit 1)
      from has where has.site_id is not null
    )
    select site_id from has
  ) as has`
}
