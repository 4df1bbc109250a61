import type { Transaction } from '../../database/database.ts'
import { insertRows } from '../../database/rows.ts'
import type { Change } from '../../vocabulary/change.ts'
import { decimalString, money, type Money, zero } from '../../vocabulary/money.ts'
import type { ChargeKey } from './refunded.ts'

/**
 * The ledger of what an order costs. Every change of an order's totals is a movement, and so is every refund. The frame
 * of all changes writes the former, so no verb can forget it. Placing an order writes none: until an order's first
 * movement, its row is the order as placed, and that movement is written together with the first change.
 */

/** An order's totals as its row holds them; null = not priced. */
export type StoredTotals = {
  itemTotal: string | null
  discountTotal: string | null
  handlingTotal: string | null
  shippingTotal: string | null
  taxTotal: string | null
  creditApplied: string | null
}

/** Signed amounts: positive = the order costs more, or draws more credit. A discount is negative. */
export type MovementAmounts<Amount = Money> = Readonly<Record<(typeof amountNames)[number], Amount>>

export const amountNames = ['items', 'discount', 'handling', 'shipping', 'tax', 'credit'] as const

export type OrderMovement = MovementAmounts & { kind: 'CHANGED' | 'REFUNDED' | 'REFUND_COUNTED'; cause: string }

/** An order whose row is locked, with its totals before the change. */
export type OrderWithTotals = {
  orderNumber: number
  scale: number
  placedOn: string
  totals: StoredTotals
}

/** null = not priced */
export function amountsOf(totals: StoredTotals): MovementAmounts<Money | null> {
  const of = (amount: string | null): Money | null => (amount === null ? null : money(amount))
  return {
    items: of(totals.itemTotal),
    discount: of(totals.discountTotal)?.neg() ?? null,
    handling: of(totals.handlingTotal),
    shipping: of(totals.shippingTotal),
    tax: of(totals.taxTotal),
    credit: of(totals.creditApplied),
  }
}

/**
 * What changed between two states of the totals; undefined = nothing. What was not priced before has cost nothing so far:
 * its first price is a change of its own.
 */
export function changeOfTotals(before: StoredTotals, after: StoredTotals): MovementAmounts | undefined {
  const [from, to] = [amountsOf(before), amountsOf(after)]
  const changed = byName((name) => (to[name] ?? zero).minus(from[name] ?? zero))
  return amountNames.some((name) => !changed[name].eq(zero)) ? changed : undefined
}

/**
 * Writes movements in their order. The caller holds the order's lock.
 * @param hasMovements whether the order had one before; read after the lock was taken
 * @returns their ids, in the same order
 */
export async function recordOrderMovements(
  tx: Transaction,
  order: OrderWithTotals,
  movements: readonly OrderMovement[],
  change: Change,
  hasMovements: boolean,
): Promise<number[]> {
  if (movements.length === 0) return []
  const row = (movement: MovementAmounts<Money | null> & { kind: string; cause: string }) => ({
    orderNumber: order.orderNumber,
    kind: movement.kind,
    cause: movement.cause,
    ...byName((name) => movement[name] && decimalString(movement[name], order.scale)),
  })
  const placed = {
    ...row({ ...amountsOf(order.totals), kind: 'PLACED', cause: 'order.created' }),
    actorKind: null,
    actorId: null,
    recordedOn: order.placedOn,
  }
  const made = movements.map((movement) => ({
    ...row(movement),
    actorKind: change.actor.kind,
    actorId: change.actor.id,
    recordedOn: change.now,
  }))
  const rows = hasMovements ? made : [placed, ...made]
  const written = await insertRows<{ movementId: number }>(tx, 'order_movement', rows, ['movementId'])
  return written.slice(-movements.length).map(({ movementId }) => movementId)
}

/** Says of which charges a movement of a refund is. @param parts `charged` is what each of them costs now */
export async function recordRefundParts(
  tx: Transaction,
  { orderNumber, scale }: OrderWithTotals,
  movementId: number,
  parts: readonly (ChargeKey & { amount: Money; quantity: number; charged: Money })[],
): Promise<void> {
  const rows = parts.map(({ amount, charged, charge, number, quantity }) => ({
    orderNumber,
    movementId,
    charge,
    number,
    amount: decimalString(amount, scale),
    quantity,
    charged: decimalString(charged, scale),
  }))
  await insertRows(tx, 'refund_part', rows)
}

function byName<Value>(value: (name: keyof MovementAmounts) => Value): Record<keyof MovementAmounts, Value> {
  return Object.fromEntries(amountNames.map((name) => [name, value(name)])) as Record<keyof MovementAmounts, Value>
}
