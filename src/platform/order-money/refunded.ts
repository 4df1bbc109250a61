import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { money, type Money, roundTo, sum, zero } from '../../vocabulary/money.ts'

/**
 * What was refunded of an order, by charge, and how much of it still counts. A charge never has more refunded than it
 * costs: when it falls after a refund, the fall contains the refund first, and only the rest is given back. Undoing the
 * fall is a new charge. The tax of what is refunded follows the tax of the order, up and down: an order that is sent to
 * another state and back costs what it did.
 */

/** `number`: the line; for SHIPPING, the shipment that was first charged. */
export type ChargeKey = { charge: 'ITEMS' | 'HANDLING' | 'SHIPPING'; number: number }

/** What an order costs for one line, the handling of one line, or one shipment; without tax. */
export type ChargedPart = ChargeKey & {
  amount: Money
  taxPercent: Money
  /** pieces of a line; 0 for other charges */
  quantity: number
}

/** `charged`: what the charge was when it was last refunded or counted. */
export type RefundedPart = ChargeKey & { amount: Money; quantity: number; charged: Money }

export type Refunded = {
  parts: readonly RefundedPart[]
  tax: Money
  /** of the whole, what went back to the credit that the order drew */
  toCredit: Money
  /** of the whole, all else */
  elsewhere: Money
  /** whether the order has any movement yet */
  hasMovements: boolean
}

/** Served by order_movement_by_order and the key of refund_part. The caller has locked the order. */
export async function readRefunded(tx: Transaction, orderNumber: number): Promise<Refunded> {
  type PartRow = ChargeKey & { amount: string; quantity: number; charged: string }
  const row = await tx.row<{
    tax: string
    toCredit: string
    total: string
    hasMovements: boolean
    parts: PartRow[]
  }>(sql`
    select count(*) > 0 as has_movements, coalesce(-sum(tax) filter (where of_refunds), 0) as tax,
      coalesce(-sum(credit) filter (where of_refunds), 0) as to_credit,
      coalesce(-sum(items + discount + handling + shipping + tax) filter (where of_refunds), 0) as total, (
        select coalesce(json_agg(json_build_object('charge', charge, 'number', number, 'amount', amount::text,
          'quantity', quantity, 'charged', charged::text)), '[]')
        from (
          select charge, number, sum(amount) as amount, sum(quantity) as quantity,
            (array_agg(charged order by movement_id desc))[1] as charged
          from refund_part where order_number = ${orderNumber} group by charge, number
        ) as part
      ) as parts
    from order_movement, lateral (select kind in ('REFUNDED', 'REFUND_COUNTED') as of_refunds) as told
    where order_number = ${orderNumber}`)
  const { tax, toCredit, total, parts, hasMovements } = row!
  return {
    parts: parts.map((part) => ({ ...part, amount: money(part.amount), charged: money(part.charged) })),
    tax: money(tax),
    toCredit: money(toCredit),
    elsewhere: money(total).minus(toCredit),
    hasMovements,
  }
}

/** What of the refunds a change of the charges contains. Amounts are positive or zero, except those that tax makes. */
export type Counted = {
  parts: (ChargeKey & { amount: Money; quantity: number; charged: Money })[]
  /** negative where the tax on what is refunded has risen */
  tax: Money
  toCredit: Money
  elsewhere: Money
}

/** @param charged what the order costs now */
export function countRefunds(refunded: Refunded, charged: readonly ChargedPart[], scale: number): Counted {
  const parts = refunded.parts.flatMap(({ charge, number, amount, quantity, charged: before }) => {
    const now = partOf(charged, { charge, number })?.amount ?? zero
    const fall = before.minus(now)
    const contained = fall.lt(amount) ? fall : amount
    if (contained.lte(zero)) return []
    const pieces = roundTo(contained.times(quantity).div(amount), 0).toNumber()
    return [{ charge, number, amount: contained, quantity: pieces, charged: now }]
  })
  const left = refunded.parts.map((part) => ({
    ...part,
    amount: part.amount.minus(partOf(parts, part)?.amount ?? zero),
  }))
  const tax = refunded.tax.minus(taxOn(left, charged, scale))
  const total = sum(parts.map(({ amount }) => amount)).plus(tax)
  // What the customer pays in other ways than credit falls first, as when an order costs less.
  const elsewhere = total.lt(refunded.elsewhere) ? total : refunded.elsewhere
  return { parts, tax, elsewhere, toCredit: total.minus(elsewhere) }
}

/**
 * The tax on parts of what is charged. It is rounded once for all of them, like the tax of the order, so the tax on
 * everything is the order's tax to the cent.
 */
export function taxOn(
  parts: readonly (ChargeKey & { amount: Money })[],
  charged: readonly ChargedPart[],
  scale: number,
): Money {
  const hundredfold = sum(parts.map((part) => part.amount.times(partOf(charged, part)?.taxPercent ?? zero)))
  return roundTo(hundredfold.times('0.01'), scale)
}

export function partOf<Part extends ChargeKey>(parts: readonly Part[], key: ChargeKey): Part | undefined {
  return parts.find(({ charge, number }) => charge === key.charge && number === key.number)
}

export function amountOf(parts: readonly (ChargeKey & { amount: Money })[], charge: ChargeKey['charge']): Money {
  return sum(parts.filter((part) => part.charge === charge).map(({ amount }) => amount))
}
