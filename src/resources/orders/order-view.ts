import type { Static } from 'typebox'
import { ShipTo, Place } from '../../contract/ship-to.ts'
import { isoText, jsonList, jsonMembers, listedRecord, type View } from '../../database/view.ts'
import { notesShown, Order, type OrderDetail } from './contract.ts'

/** An order's header, of `orders`, as the partner `caller.partner_id` sees it. */
export const orderView: View<Static<typeof Order>> = {
  orderNumber: 'orders.order_number',
  siteId: 'orders.site_id',
  status: 'orders.status',
  partnerOrderId: ownOnly('orders.partner_order_id'),
  submissionId: ownOnly('orders.submission_id'),
  projectId: 'orders.project_id',
  userId: 'orders.user_id',
  divisionId: 'orders.division_id',
  purchaseOrderNumber: 'orders.purchase_order_number',
  placedOn: 'orders.placed_on',
  updatedOn: 'orders.updated_on',
  cancelledOn: 'orders.cancelled_on',
  completedOn: 'orders.completed_on',
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

export const orderRecord = listedRecord(orderView, Order)

/**
 * The newest notes to the partner who submitted the order, without those on lines that it is not shown. Served by
 * order_note_to_partner.
 */
const newestNotes = `from (
  select order_note.note_id, shown.item_number, order_note.text, order_note.written_on
  from order_note
  left join visible_order_line shown using (order_number, line_number)
  where orders.partner_id = caller.partner_id and order_note.order_number = orders.order_number
    and order_note.audience = 'PARTNER'
    and order_note.withdrawn_on is null and (order_note.line_number is null or shown.line_number is not null)
  order by order_note.note_id desc
  limit ${notesShown}
) note`

const noteView: View<Static<typeof OrderDetail>['notes'][number]> = {
  itemNumber: 'note.item_number',
  text: 'note.text',
  writtenOn: isoText('note.written_on'),
}

export const orderDetailView: View<Static<typeof OrderDetail>> = {
  ...orderView,
  shipTo: jsonMembers('orders.ship_to', ShipTo),
  billTo: jsonMembers('orders.bill_to', Place),
  shippingProvider: 'orders.shipping_provider',
  shippingMethod: 'orders.shipping_method',
  notes: jsonList(noteView, newestNotes, 'note.note_id'),
}

/** What a partner named its order, and the submission behind it, are shown to that partner alone. */
function ownOnly(column: string): string {
  return `case when orders.partner_id = caller.partner_id then ${column} end`
}
