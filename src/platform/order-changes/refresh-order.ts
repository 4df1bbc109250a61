import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { decimalString, money, type Money, sum, zero } from '../../vocabulary/money.ts'
import type { OrderStatus, ProductionStatus, ShipmentStatus } from '../../vocabulary/statuses.ts'
import { drawnCredit, giveCreditBack } from '../credit/give-back.ts'
import type { OrderOnCredit } from '../credit/record-movements.ts'
import { totalOrder, type OrderTotals } from '../pricing/order-totals.ts'
import type { OrderGate } from './order-gate.ts'
import { orderStatus } from './order-status.ts'

/**
 * Updates an order's own row from its gate, its lines and its shipments: status, counts, totals and the credit applied.
 * It runs in the transaction of the change, under the order's lock. Nothing else writes these columns of a placed
 * order.
 */

type LineRow = {
  visible: boolean
  lineListTotal: string | null
  lineTotalBeforeAdjustments: string | null
  lineTotal: string | null
  handlingTotal: string | null
  taxPercent: string
  handlingTaxPercent: string
  shippable: boolean
  productionStatus: ProductionStatus | null
  awaitsProof: boolean
  shipped: boolean
  cancelled: boolean
}

type ShipmentRow = { status: ShipmentStatus; shippingTotal: string | null; taxPercent: string }

/** @returns the order's status now */
export async function refreshOrder(
  tx: Transaction,
  order: OrderOnCredit,
  gate: OrderGate,
  now: Date,
): Promise<OrderStatus> {
  const { orderNumber } = order
  const [drawn, lines, shipments] = await Promise.all([
    drawnCredit(tx, orderNumber),
    // Internal production lines are neither sold nor shown.
    tx.rows<LineRow>(sql`
      select shown.line_number is not null as visible, line.line_list_total,
        line.line_total_before_adjustments, line.line_total, line.handling_total, line.tax_percent, line.handling_tax_percent, line.shippable, line.production_status,
        coalesce(line.proof_status in ('PENDING_REVIEW', 'DECLINED'), false) as awaits_proof,
        line.shipped_on is not null as shipped, line.cancelled_on is not null as cancelled
      from order_line line
      left join visible_order_line shown using (order_number, line_number)
      where line.order_number = ${orderNumber} and line.record_kind = 'SALE'`),
    tx.rows<ShipmentRow>(sql`
      select status, shipping_total, tax_percent from shipment where order_number = ${orderNumber}`),
  ])
  const status = orderStatus(
    gate,
    lines,
    shipments.map((shipment) => shipment.status),
  )
  const totals = totalsOf(lines, shipments, order.scale)
  const givenBack = totals ? await giveCreditBack(tx, order, drawn, chargesOf(totals), now) : zero
  const amount = (value: Money | undefined): string | null =>
    value === undefined ? null : decimalString(value, order.scale)
  const visible = lines.filter((line) => line.visible)
  await tx.rows(sql`
    update orders set
      status = ${status}, updated_on = ${now},
      held_on = case when ${gate === 'HELD'} then coalesce(held_on, ${now}) end,
      completed_on = case when ${gate === 'COMPLETED'} then coalesce(completed_on, ${now}) end,
      cancelled_on = case when ${status === 'CANCELLED'} then coalesce(cancelled_on, ${now}) end,
      item_total = ${amount(totals?.itemTotal)}, discount_total = ${amount(totals?.discountTotal)},
      handling_total = ${amount(totals?.handlingTotal)}, shipping_total = ${amount(totals?.shippingTotal)},
      tax_total = ${amount(totals?.taxTotal)}, total_price = ${amount(totals?.totalPrice)},
      credit_applied = ${amount(totals ? sum(drawn.map((each) => each.amount)).minus(givenBack) : undefined)},
      item_count = ${visible.length},
      shipped_item_count = ${visible.filter((line) => line.shipped).length},
      cancelled_item_count = ${visible.filter((line) => line.cancelled).length},
      awaiting_proof = ${visible.some((line) => line.awaitsProof && !line.cancelled)}
    where order_number = ${orderNumber}`)
  return status
}

/** Cancelled lines and shipments cost nothing. null while a line that was bought has no price. */
function totalsOf(lines: readonly LineRow[], shipments: readonly ShipmentRow[], scale: number): OrderTotals | null {
  const bought = lines.filter((line) => !line.cancelled)
  if (bought.some((line) => line.lineTotal === null)) return null
  return totalOrder({
    lines: bought.map((line) => ({
      // A line priced by hand has no list amount, and so no discount.
      lineListTotal: money(line.lineListTotal ?? line.lineTotal!),
      lineTotalBeforeAdjustments: money(line.lineTotalBeforeAdjustments ?? line.lineListTotal ?? line.lineTotal!),
      lineTotal: money(line.lineTotal!),
      handlingTotal: money(line.handlingTotal ?? 0),
      taxPercent: money(line.taxPercent),
      handlingTaxPercent: money(line.handlingTaxPercent),
    })),
    shipments: shipments
      .filter((shipment) => shipment.status !== 'CANCELLED')
      .map((shipment) => ({
        shippingTotal: money(shipment.shippingTotal ?? 0),
        taxPercent: money(shipment.taxPercent),
      })),
    scale,
  })
}

function chargesOf(totals: OrderTotals) {
  return {
    product: totals.itemTotal.minus(totals.discountTotal),
    shipping: totals.shippingTotal,
    handling: totals.handlingTotal,
    tax: totals.taxTotal,
  }
}
