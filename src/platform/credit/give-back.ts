import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { money, type Money, sum, zero } from '../../vocabulary/money.ts'
import type { Charges, DebitType } from './draw-down.ts'
import { recordMovements, type OrderOnCredit } from './record-movements.ts'

/**
 * Gives credit back when an order costs less than was drawn for it: the excess over a charge returns to the accounts it
 * came from, the one drawn on last first. If an order becomes more expensive, the difference is invoiced and not drawn.
 */

export type CreditType = 'PRODUCT_CREDIT' | 'SHIPPING_CREDIT' | 'HANDLING_CREDIT' | 'TAX_CREDIT'

/** `amount` is positive: what was drawn and not yet given back. */
export type DrawnCredit = { creditAccountId: number; type: DebitType; amount: Money }

export type GivenBack = { creditAccountId: number; type: CreditType; amount: Money }

const chargeKinds = [
  { charge: 'product', debit: 'PRODUCT_DEBIT', credit: 'PRODUCT_CREDIT' },
  { charge: 'shipping', debit: 'SHIPPING_DEBIT', credit: 'SHIPPING_CREDIT' },
  { charge: 'handling', debit: 'HANDLING_DEBIT', credit: 'HANDLING_CREDIT' },
  { charge: 'tax', debit: 'TAX_DEBIT', credit: 'TAX_CREDIT' },
] as const satisfies { charge: keyof Charges; debit: DebitType; credit: CreditType }[]

/** @param drawn in the order it was drawn */
export function giveBack(drawn: readonly DrawnCredit[], charges: Charges): GivenBack[] {
  return chargeKinds.flatMap(({ charge, debit, credit }) => {
    const ofCharge = drawn.filter((each) => each.type === debit)
    let excess = sum(ofCharge.map((each) => each.amount)).minus(charges[charge].gt(zero) ? charges[charge] : zero)
    return ofCharge.toReversed().flatMap((each): GivenBack[] => {
      const amount = each.amount.lt(excess) ? each.amount : excess
      if (amount.lte(zero)) return []
      excess = excess.minus(amount)
      return [{ creditAccountId: each.creditAccountId, type: credit, amount }]
    })
  })
}

/**
 * The credit drawn for an order, by account and charge, in the order of drawing. Served by credit_adjustment_by_order.
 */
export async function drawnCredit(tx: Transaction, orderNumber: number): Promise<DrawnCredit[]> {
  const rows = await tx.rows<{ creditAccountId: number; type: DebitType; amount: string }>(sql`
    select credit_account_id, replace(type, '_CREDIT', '_DEBIT') as type, -sum(amount) as amount
    from credit_adjustment
    where order_number = ${orderNumber} and type ~ '^(PRODUCT|SHIPPING|HANDLING|TAX)_(DEBIT|CREDIT)$'
    group by 1, 2
    order by min(adjustment_id)`)
  return rows.map((row) => ({ creditAccountId: row.creditAccountId, type: row.type, amount: money(row.amount) }))
}

/**
 * Gives back the credit drawn for an order beyond its charges, with a movement for each account and charge. The caller
 * locked the order before it read `drawn`, so that no other transaction gives back the same.
 * @returns how much was given back
 */
export async function giveCreditBack(
  tx: Transaction,
  order: OrderOnCredit,
  drawn: readonly DrawnCredit[],
  charges: Charges,
  now: Date,
): Promise<Money> {
  const returned = giveBack(drawn, charges)
  if (returned.length === 0) return zero
  const accounts = await tx.rows<{ creditAccountId: number; currentBalance: string }>(sql`
    select credit_account_id, current_balance from credit_account
    where credit_account_id = any(${returned.map((each) => each.creditAccountId)}::int[])
    order by credit_account_id
    for no key update`)
  const balances = new Map(accounts.map((account) => [account.creditAccountId, money(account.currentBalance)]))
  const movements = returned.map((each) => {
    const balanceAfter = balances.get(each.creditAccountId)!.plus(each.amount)
    balances.set(each.creditAccountId, balanceAfter)
    return { ...each, balanceAfter }
  })
  await recordMovements(tx, order, movements, now)
  return sum(returned.map((each) => each.amount))
}
