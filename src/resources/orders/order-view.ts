import type { Static } from 'typebox'
import { placeView, type StoredPlace } from '../../contract/place-view.ts'
import { sqlText } from '../../database/sql.ts'
import type { OrderStatus } from '../../vocabulary/statuses.ts'
import type { Order, OrderDetail } from './contract.ts'

/** The columns of an order's header. */
export const orderColumns = sqlText`
  orders.order_number, orders.site_id, orders.status, orders.project_id, orders.user_id, orders.division_id,
  orders.partner_id, orders.partner_order_id, orders.submission_id,
  orders.purchase_order_number, orders.placed_on, orders.updated_on, orders.cancelled_on, orders.completed_on,
  orders.currency, orders.item_total, orders.discount_total, orders.handling_total, orders.shipping_total,
  orders.tax_total, orders.credit_applied, orders.total_price,
  orders.item_count, orders.shipped_item_count, orders.cancelled_item_count, orders.awaiting_proof`

export type OrderRow = {
  orderNumber: number
  siteId: number
  status: OrderStatus
  projectId: number | null
  userId: number | null
  divisionId: number | null
  partnerId: string | null
  partnerOrderId: string | null
  submissionId: string | null
  purchaseOrderNumber: string | null
  placedOn: string
  updatedOn: string
  cancelledOn: string | null
  completedOn: string | null
  currency: string
  itemTotal: string | null
  discountTotal: string | null
  handlingTotal: string | null
  shippingTotal: string | null
  taxTotal: string | null
  creditApplied: string | null
  totalPrice: string | null
  itemCount: number
  shippedItemCount: number
  cancelledItemCount: number
  awaitingProof: boolean
}

/** What a partner named its order, and the submission behind it, are shown to that partner alone. */
export function orderView(row: OrderRow, partnerId: string): Static<typeof Order> {
  const own = row.partnerId === partnerId
  return {
    orderNumber: row.orderNumber,
    siteId: row.siteId,
    status: row.status,
    partnerOrderId: own ? row.partnerOrderId : null,
    submissionId: own ? row.submissionId : null,
    projectId: row.projectId,
    userId: row.userId,
    divisionId: row.divisionId,
    purchaseOrderNumber: row.purchaseOrderNumber,
    placedOn: row.placedOn,
    updatedOn: row.updatedOn,
    cancelledOn: row.cancelledOn,
    completedOn: row.completedOn,
    currency: row.currency,
    itemTotal: row.itemTotal,
    discountTotal: row.discountTotal,
    handlingTotal: row.handlingTotal,
    shippingTotal: row.shippingTotal,
    taxTotal: row.taxTotal,
    creditApplied: row.creditApplied,
    totalPrice: row.totalPrice,
    itemCount: row.itemCount,
    shippedItemCount: row.shippedItemCount,
    cancelledItemCount: row.cancelledItemCount,
    awaitingProof: row.awaitingProof,
  }
}

export type OrderDetailRow = OrderRow & {
  shipTo: StoredPlace | null
  billTo: StoredPlace | null
  shippingProvider: string | null
  shippingMethod: string | null
}

export function orderDetailView(row: OrderDetailRow, partnerId: string): Static<typeof OrderDetail> {
  return {
    ...orderView(row, partnerId),
    shipTo: row.shipTo && { ...placeView(row.shipTo), email: row.shipTo.email ?? null },
    billTo: row.billTo && placeView(row.billTo),
    shippingProvider: row.shippingProvider,
    shippingMethod: row.shippingMethod,
  }
}
