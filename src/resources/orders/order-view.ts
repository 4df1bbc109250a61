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
  order_number: number
  site_id: number
  status: OrderStatus
  project_id: number | null
  user_id: number | null
  division_id: number | null
  partner_id: string | null
  partner_order_id: string | null
  submission_id: string | null
  purchase_order_number: string | null
  placed_on: string
  updated_on: string
  cancelled_on: string | null
  completed_on: string | null
  currency: string
  item_total: string | null
  discount_total: string | null
  handling_total: string | null
  shipping_total: string | null
  tax_total: string | null
  credit_applied: string | null
  total_price: string | null
  item_count: number
  shipped_item_count: number
  cancelled_item_count: number
  awaiting_proof: boolean
}

/** What a partner named its order, and the submission behind it, are shown to that partner alone. */
export function orderView(row: OrderRow, partnerId: string): Static<typeof Order> {
  const own = row.partner_id === partnerId
  return {
    orderNumber: row.order_number,
    siteId: row.site_id,
    status: row.status,
    partnerOrderId: own ? row.partner_order_id : null,
    submissionId: own ? row.submission_id : null,
    projectId: row.project_id,
    userId: row.user_id,
    divisionId: row.division_id,
    purchaseOrderNumber: row.purchase_order_number,
    placedOn: row.placed_on,
    updatedOn: row.updated_on,
    cancelledOn: row.cancelled_on,
    completedOn: row.completed_on,
    currency: row.currency,
    itemTotal: row.item_total,
    discountTotal: row.discount_total,
    handlingTotal: row.handling_total,
    shippingTotal: row.shipping_total,
    taxTotal: row.tax_total,
    creditApplied: row.credit_applied,
    totalPrice: row.total_price,
    itemCount: row.item_count,
    shippedItemCount: row.shipped_item_count,
    cancelledItemCount: row.cancelled_item_count,
    awaitingProof: row.awaiting_proof,
  }
}

export type OrderDetailRow = OrderRow & {
  ship_to: StoredPlace | null
  bill_to: StoredPlace | null
  shipping_provider: string | null
  shipping_method: string | null
}

export function orderDetailView(row: OrderDetailRow, partnerId: string): Static<typeof OrderDetail> {
  return {
    ...orderView(row, partnerId),
    shipTo: row.ship_to && { ...placeView(row.ship_to), email: row.ship_to.email ?? null },
    billTo: row.bill_to && placeView(row.bill_to),
    shippingProvider: row.shipping_provider,
    shippingMethod: row.shipping_method,
  }
}
