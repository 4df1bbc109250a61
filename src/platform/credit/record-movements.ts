import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { decimalString, type Money } from '../../vocabulary/money.ts'
import type { CreditMovement } from '../../vocabulary/credit-movements.ts'

export type OrderOnCredit = {
  orderNumber: number
  siteId: number
  userId: number | null
  /** decimals of the order's currency */
  scale: number
}

/** The cause of a movement: an order, or else staff or the end of the account. */
export type MovementCause = Omit<OrderOnCredit, 'orderNumber'> & {
  orderNumber: number | null
  note?: string | null
  /** by which staff recognise one movement; unique within the account */
  reference?: string | null
}

/**
 * Writes movements of credit accounts in their order, and updates the balances. The caller has locked the accounts'
 * rows. No movement is dated before the one it follows, even if the instances' clocks differ.
 * @param movements `amount` is signed: a draw-down is negative
 */
export async function recordMovements(
  tx: Transaction,
  cause: MovementCause,
  movements: readonly { creditAccountId: number; type: CreditMovement; amount: Money; balanceAfter: Money }[],
  now: Date,
): Promise<void> {
  if (movements.length === 0) return
  // The latest movement of an account is the first of credit_adjustment_by_account.
  await tx.rows(sql`
    with movement as (
      insert into credit_adjustment (site_id, credit_account_id, type, amount, balance_after, order_number, user_id,
        note, reference, created_on)
      select ${cause.siteId}, credit_account_id, type, amount, balance_after, ${cause.orderNumber}::bigint,
        ${cause.userId}::int, ${cause.note ?? null}, ${cause.reference ?? null}::text, greatest(${now}::timestamptz, (
          select max(earlier.created_on) from credit_adjustment earlier
          where earlier.credit_account_id = moved.credit_account_id
        ))
      from unnest(${movements.map((movement) => movement.creditAccountId)}::int[],
        ${movements.map((movement) => movement.type)}::text[],
        ${movements.map((movement) => decimalString(movement.amount, cause.scale))}::numeric[],
        ${movements.map((movement) => decimalString(movement.balanceAfter, cause.scale))}::numeric[])
        as moved(credit_account_id, type, amount, balance_after)
      returning credit_account_id, amount
    )
    update credit_account set current_balance = current_balance + moved.amount
    from (select credit_account_id, sum(amount) as amount from movement group by credit_account_id) moved
    where credit_account.credit_account_id = moved.credit_account_id`)
}
