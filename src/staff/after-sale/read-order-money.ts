import type { Static } from 'typebox'
import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { columns, type View } from '../../database/view.ts'
import { amountNames, amountsOf, type StoredTotals } from '../../platform/order-money/order-movements.ts'
import { currencyScale, decimalString, money, type Money, sum } from '../../vocabulary/money.ts'
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
  // The key of refund_part
  lines: `(
    select coalesce(json_agg(json_build_object('lineNumber', number, 'amount', amount::text, 'pieces', quantity)
      order by number), '[]')
    from refund_part part
    where part.order_number = refund.order_number and part.movement_id = refund.movement_id and charge = 'ITEMS'
  )`,
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

type OrderRow = StoredTotals & {
  placedOn: string
  currency: string
  refunded: string
  refundedToCredit: string
  owedOutside: string
}

/** What an order costs, with at most `limit` of its movements, oldest first. */
export async function readOrderMoney(
  reads: Queries,
  orderNumber: number,
  afterId: number,
  limit: number,
): Promise<Omit<Static<typeof OrderMoney>, 'nextCursor'> | undefined> {
  const [order, movements, refunds] = await Promise.all([
    // `outside`: what the customer is to pay in another way, before anything is paid back. A change and what it contains of
    // refunds are one.
    reads.row<OrderRow>(sql`
      select placed_on, currency, item_total, discount_total, handling_total, shipping_total, tax_total, credit_applied,
        told.refunded, told.refunded_to_credit, told.owed_outside
      from orders, lateral (
        select coalesce(-sum(total) filter (where kind in ('REFUNDED', 'REFUND_COUNTED')), 0) as refunded,
          coalesce(-sum(credit) filter (where kind in ('REFUNDED', 'REFUND_COUNTED')), 0) as refunded_to_credit,
          greatest(max(outside) filter (where settled), 0)
            - coalesce((array_agg(outside order by movement_id desc))[1], 0) as owed_outside
        from (
          select movement_id, kind, total, credit,
            sum(total - credit) filter (where kind <> 'REFUNDED') over in_order as outside,
            lead(kind) over in_order is distinct from 'REFUND_COUNTED' as settled
          from order_movement, lateral (select items + discount + handling + shipping + tax as total) as whole
          where order_movement.order_number = orders.order_number
          window in_order as (order by movement_id)
        ) as movement
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
  const charges = amountNames.filter((name) => name !== 'credit').map((name) => amounts[name])
  const charged = charges.includes(null) ? null : sum(charges.filter((each) => each !== null))
  const amount = (value: Money): string => decimalString(value, scale)
  const ifKnown = (value: Money | null): string | null => value && amount(value)
  const byMovement = new Map(refunds.map(({ movementId, ...made }) => [movementId, made]))
  const placed: Movement = {
    movementId: null,
    kind: 'PLACED',
    cause: 'order.created',
    items: ifKnown(amounts.items),
    discount: ifKnown(amounts.discount),
    handling: ifKnown(amounts.handling),
    shipping: ifKnown(amounts.shipping),
    tax: ifKnown(amounts.tax),
    total: ifKnown(charged),
    credit: ifKnown(amounts.credit),
    actorKind: null,
    actorId: null,
    recordedOn: order.placedOn,
    refund: null,
  }
  return {
    orderNumber,
    currency: order.currency,
    charged: ifKnown(charged),
    creditApplied: ifKnown(amounts.credit),
    paidOutside: ifKnown(charged && amounts.credit && charged.minus(amounts.credit)),
    refunded: amount(money(order.refunded)),
    refundedToCredit: amount(money(order.refundedToCredit)),
    refundedOutside: amount(money(order.refunded).minus(order.refundedToCredit)),
    owedOutside: charged && amount(money(order.owedOutside)),
    left: ifKnown(charged && charged.minus(order.refunded)),
    movements:
      movements.length === 0 && afterId === 0
        ? [placed]
        : movements.map((movement) => ({ ...movement, refund: byMovement.get(movement.movementId!) ?? null })),
  }
}
