import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { decimalString, type Money, sum, zero } from '../../vocabulary/money.ts'
import type { OrderStatus } from '../../vocabulary/statuses.ts'
import type { Charges } from '../credit/draw-down.ts'
import { drawnCredit, giveCreditBack } from '../credit/give-back.ts'
import type { OrderOnCredit } from '../credit/record-movements.ts'
import {
  changeOfTotals,
  type OrderMovement,
  type OrderWithTotals,
  recordOrderMovements,
  recordRefundParts,
  type StoredTotals,
} from '../order-money/order-movements.ts'
import { amountOf, countRefunds, type Counted, readRefunded, type Refunded } from '../order-money/refunded.ts'
import type { OrderTotals } from '../pricing/order-totals.ts'
import { chargedParts, readChargedLines, readShipments, totalsOf } from './order-charges.ts'
import type { OrderGate } from './order-gate.ts'
import { orderStatus } from './order-status.ts'

/**
 * Updates an order's own row from its gate, its lines and its shipments: status, counts, totals and the credit applied,
 * and writes what changed of the totals into the order's ledger. It runs in the transaction of the change, under the
 * order's lock. Nothing else writes these columns of a placed order.
 */

/**
 * A change of a reprint leaves the row as it is unless the order costs more or less by it: partners do not even see its date
 * change.
 * @param cause the action of the change
 * @returns the order's status now
 */
export async function refreshOrder(
  tx: Transaction,
  order: OrderOnCredit & OrderWithTotals & { status: OrderStatus; ofRework: boolean },
  gate: OrderGate,
  change: Change,
  cause: string,
): Promise<OrderStatus> {
  const { orderNumber, scale } = order
  const { now } = change
  const [drawn, refunded, lines, shipments] = await Promise.all([
    drawnCredit(tx, orderNumber),
    readRefunded(tx, orderNumber),
    readChargedLines(tx, orderNumber),
    readShipments(tx, orderNumber),
  ])
  const totals = totalsOf(lines, shipments, scale)
  const amount = (value: Money | undefined): string | null => (value === undefined ? null : decimalString(value, scale))
  const charged = {
    itemTotal: amount(totals?.itemTotal),
    discountTotal: amount(totals?.discountTotal),
    handlingTotal: amount(totals?.handlingTotal),
    shippingTotal: amount(totals?.shippingTotal),
    taxTotal: amount(totals?.taxTotal),
  }
  if (order.ofRework && !changeOfTotals(order.totals, { ...order.totals, ...charged })) return order.status
  const status = orderStatus(
    gate,
    lines.filter((line) => line.sold),
    shipments.map((shipment) => shipment.status),
  )
  const counted = totals && countRefunds(refunded, chargedParts(lines, shipments), scale)
  const givenBack =
    totals && counted ? await giveCreditBack(tx, order, drawn, netCharges(totals, refunded, counted), now) : zero
  // Credit that was refunded was applied before: the order's charges and what paid them stay as they are.
  const creditApplied =
    counted &&
    sum(drawn.map((each) => each.amount))
      .minus(givenBack)
      .plus(refunded.toCredit)
      .minus(counted.toCredit)
  const after: StoredTotals = { ...charged, creditApplied: amount(creditApplied ?? undefined) }
  const visible = lines.filter((line) => line.visible)
  await Promise.all([
    tx.rows(sql`
      update orders set
        status = ${status}, updated_on = ${now},
        held_on = case when ${gate === 'HELD'} then coalesce(held_on, ${now}) end,
        completed_on = case when ${gate === 'COMPLETED'} then coalesce(completed_on, ${now}) end,
        cancelled_on = case when ${status === 'CANCELLED'} then coalesce(cancelled_on, ${now}) end,
        item_total = ${after.itemTotal}, discount_total = ${after.discountTotal},
        handling_total = ${after.handlingTotal}, shipping_total = ${after.shippingTotal},
        tax_total = ${after.taxTotal}, total_price = ${amount(totals?.totalPrice)},
        credit_applied = ${after.creditApplied},
        item_count = ${visible.length},
        shipped_item_count = ${visible.filter((line) => line.shipped).length},
        cancelled_item_count = ${visible.filter((line) => line.cancelled).length},
        awaiting_proof = ${visible.some((line) => line.awaitsProof && !line.cancelled && !line.shipped)}
      where order_number = ${orderNumber}`),
    recordChange(tx, order, after, { hasMovements: refunded.hasMovements, counted }, change, cause),
  ])
  return status
}

async function recordChange(
  tx: Transaction,
  order: OrderWithTotals,
  after: StoredTotals,
  { hasMovements, counted }: { hasMovements: boolean; counted: Counted | null },
  change: Change,
  cause: string,
): Promise<void> {
  const changed = changeOfTotals(order.totals, after)
  const contained = counted && (counted.parts.length > 0 || !counted.tax.eq(zero)) ? [counted] : []
  const movements: OrderMovement[] = [
    ...(changed ? [{ ...changed, kind: 'CHANGED', cause } as const] : []),
    ...contained.map(({ parts, tax, toCredit }) => ({
      kind: 'REFUND_COUNTED' as const,
      cause,
      items: amountOf(parts, 'ITEMS'),
      discount: zero,
      handling: amountOf(parts, 'HANDLING'),
      shipping: amountOf(parts, 'SHIPPING'),
      tax,
      credit: toCredit,
    })),
  ]
  const movementIds = await recordOrderMovements(tx, order, movements, change, hasMovements)
  for (const { parts } of contained) {
    const negative = parts.map((part) => ({ ...part, amount: part.amount.neg(), quantity: -part.quantity }))
    await recordRefundParts(tx, order, movementIds.at(-1)!, negative)
  }
}

/** What the order costs by kind after its refunds: at most that much of its credit stays drawn. */
function netCharges(totals: OrderTotals, refunded: Refunded, counted: Counted): Charges {
  const left = (charge: 'ITEMS' | 'HANDLING' | 'SHIPPING') =>
    amountOf(refunded.parts, charge).minus(amountOf(counted.parts, charge))
  return {
    product: totals.itemTotal.minus(totals.discountTotal).minus(left('ITEMS')),
    shipping: totals.shippingTotal.minus(left('SHIPPING')),
    handling: totals.handlingTotal.minus(left('HANDLING')),
    tax: totals.taxTotal.minus(refunded.tax).plus(counted.tax),
  }
}
