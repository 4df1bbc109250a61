import type { Static } from 'typebox'
import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { columns, type View } from '../../database/view.ts'
import { amountNames, amountsOf, type StoredTotals } from '../../platform/order-money/order-movements.ts'
import { currencyScale, decimalString, money, sum } from '../../vocabulary/money.ts'
import type { OrderMoney, OrderMovement, Refund } from './contract.ts'

type Refund = Static<typeof Refund>
type Movement = Static<typeof OrderMovement>

const refundView: View<Refund> = {
  refundId: 'refund.refund_id',
  orderNumber: 'refund.order_number',
  reference: 'refund.reference',
  items: 'refund.items::text',
  handling: 'refund.handling::text',
  shipping: 'refund.shipping::text',
  tax: 'refund.tax::text',
  total: '(refund.to_credit + refund.paid_outside)::text',
  toCredit: 'refund.to_credit::text',
  paidOutside: 'refund.paid_outside::text',
  creditAccountId: 'refund.credit_account_id',
  outsideReference: 'refund.outside_reference',
  returnNumber: 'refund.return_number',
  reason: 'refund.reason',
  comment: 'refund.comment',
  refundedOn: 'refund.refunded_on',
}

const movementView: View<Omit<Movement, 'refund'>> = {
  movementId: 'movement.movement_id',
  kind: 'movement.kind',
  cause: 'movement.cause',
  items: 'movement.items',
  discount: 'movement.discount',
  handling: 'movement.handling',
  shipping: 'movement.shipping',
  tax: 'movement.tax',
  total: 'movement.items + movement.discount + movement.handling + movement.shipping + movement.tax',
  credit: 'movement.credit',
  actorKind: 'movement.actor_kind',
  actorId: 'movement.actor_id',
  recordedOn: 'movement.recorded_on',
}

export function readRefund(reads: Queries, refundId: number): Promise<Refund | undefined> {
  return reads.row<Refund>(sql`select ${columns(refundView)} from refund where refund_id = ${refundId}`)
}

type OrderRow = StoredTotals & { placedOn: string; currency: string; refunded: string; refundedToCredit: string }

/** What an order costs, with at most `limit` of its movements, oldest first. */
export async function readOrderMoney(
  reads: Queries,
  orderNumber: number,
  afterId: number,
  limit: number,
): Promise<Omit<Static<typeof OrderMoney>, 'nextCursor'> | undefined> {
  const [order, movements, refunds] = await Promise.all([
    reads.row<OrderRow>(sql`
      select placed_on, currency, item_total, discount_total, handling_total, shipping_total, tax_total, credit_applied,
        told.refunded, told.refunded_to_credit
      from orders, lateral (
        select coalesce(-sum(items + discount + handling + shipping + tax), 0) as refunded,
          coalesce(-sum(credit), 0) as refunded_to_credit
        from order_movement
        where order_movement.order_number = orders.order_number and kind in ('REFUNDED', 'REFUND_COUNTED')
      ) as told
      where order_number = ${orderNumber}`),
    // order_movement_by_order
    reads.rows<Omit<Movement, 'refund'>>(sql`
      select ${columns(movementView)} from order_movement movement
      where order_number = ${orderNumber} and movement_id > ${afterId}
      order by movement_id
      limit ${limit}`),
    reads.rows<Refund & { movementId: number }>(sql`
      select ${columns(refundView)}, refund.movement_id from refund
      where order_number = ${orderNumber} and movement_id > ${afterId}
      order by movement_id
      limit ${limit}`),
  ])
  if (!order) return undefined
  const scale = currencyScale(order.currency)
  const amounts = amountsOf(order)
  const charged = sum(amountNames.filter((name) => name !== 'credit').map((name) => amounts[name]))
  const amount = (value: Parameters<typeof decimalString>[0]): string => decimalString(value, scale)
  const byMovement = new Map(refunds.map(({ movementId, ...made }) => [movementId, made]))
  const placed: Movement = {
    movementId: null,
    kind: 'PLACED',
    cause: 'order.created',
    items: amount(amounts.items),
    discount: amount(amounts.discount),
    handling: amount(amounts.handling),
    shipping: amount(amounts.shipping),
    tax: amount(amounts.tax),
    total: amount(charged),
    credit: amount(amounts.credit),
    actorKind: null,
    actorId: null,
    recordedOn: order.placedOn,
    refund: null,
  }
  return {
    orderNumber,
    currency: order.currency,
    charged: amount(charged),
    creditApplied: amount(amounts.credit),
    paidOutside: amount(charged.minus(amounts.credit)),
    refunded: amount(money(order.refunded)),
    refundedToCredit: amount(money(order.refundedToCredit)),
    refundedOutside: amount(money(order.refunded).minus(order.refundedToCredit)),
    left: amount(charged.minus(order.refunded)),
    movements:
      movements.length === 0 && afterId === 0
        ? [placed]
        : movements.map((movement) => ({ ...movement, refund: byMovement.get(movement.movementId!) ?? null })),
  }
}
