import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Refused } from '../../vocabulary/outcome.ts'
import { type Money, sum, zero } from '../../vocabulary/money.ts'
import type { Charges } from '../credit/draw-down.ts'
import { type CreditType, type DrawnCredit, giveCreditBack } from '../credit/give-back.ts'
import { type CreditHolder, lockAccount } from '../credit/lock-account.ts'
import { recordMovements } from '../credit/record-movements.ts'
import type { LockedOrder } from '../order-changes/change-order.ts'

/** In which ways a refund is paid. */
export type Shares = {
  /** by kind: what returns from the credit that the order drew */
  fromCredit: Charges
  /** what is granted as credit although it was paid in another way */
  granted: Money
  /** what staff pay in another way */
  outside: Money
}

const creditTypes = {
  product: 'PRODUCT_CREDIT',
  shipping: 'SHIPPING_CREDIT',
  handling: 'HANDLING_CREDIT',
  tax: 'TAX_CREDIT',
} as const satisfies Record<keyof Charges, CreditType>

/**
 * Puts a refund on credit: on the accounts that the order drew on, the one drawn on last first, or on the one named,
 * on which the customer of the order can draw.
 * Credit that the order drew returns under the same kinds as when it costs less; what is granted beyond that is a
 * movement by hand, since no order drew it.
 */
export async function creditRefund(
  tx: Transaction,
  order: LockedOrder,
  drawn: readonly DrawnCredit[],
  { fromCredit, granted }: Shares,
  creditAccountId: number | undefined,
  now: Date,
): Promise<
  | Refused<
      | 'credit_account_not_found'
      | 'credit_account_expired'
      | 'credit_account_inactive'
      | 'credit_account_not_of_customer'
    >
  | undefined
> {
  if (creditAccountId === undefined) {
    const left = (kind: keyof Charges): Money => {
      const ofKind = drawn.filter(({ type }) => type === creditTypes[kind].replace('CREDIT', 'DEBIT'))
      return sum(ofKind.map(({ amount }) => amount)).minus(fromCredit[kind])
    }
    await giveCreditBack(
      tx,
      order,
      drawn,
      { product: left('product'), shipping: left('shipping'), handling: left('handling'), tax: left('tax') },
      now,
    )
    return undefined
  }
  const account = await lockAccount(tx, creditAccountId)
  if (!account || account.siteId !== order.siteId) return { refused: 'credit_account_not_found' }
  const { stopsOn } = account.terms
  if (stopsOn !== null && stopsOn <= now) return { refused: 'credit_account_expired' }
  if (!account.active) return { refused: 'credit_account_inactive' }
  if (!(await isOfCustomer(tx, order, account.holder))) return { refused: 'credit_account_not_of_customer' }
  let balanceAfter = account.balance
  const movements = [
    ...Object.entries(creditTypes).map(([kind, type]) => ({ type, amount: fromCredit[kind as keyof Charges] })),
    { type: 'MANUAL_CREDIT' as const, amount: granted },
  ].flatMap(({ type, amount }) => {
    if (amount.lte(zero)) return []
    balanceAfter = balanceAfter.plus(amount)
    return [{ creditAccountId, type, amount, balanceAfter }]
  })
  await recordMovements(tx, order, movements, now)
  return undefined
}

/** Whether orders of the same customer draw on the account: it is the user's, or the division's that the order names. */
async function isOfCustomer(tx: Transaction, { orderNumber }: LockedOrder, holder: CreditHolder): Promise<boolean> {
  const order = await tx.row<CreditHolder>(sql`
    select user_id, division_id from orders where order_number = ${orderNumber}`)
  if (holder.userId !== null) return holder.userId === order!.userId
  return holder.divisionId !== null && holder.divisionId === order!.divisionId
}
