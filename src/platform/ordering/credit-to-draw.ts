import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { money } from '../../vocabulary/money.ts'
import type { OrderPlan } from './plan-order.ts'

type CreditRow = {
  creditAccountId: number
  currentBalance: string
  shippingApplicable: boolean | null
  handlingApplicable: boolean | null
  taxApplicable: boolean | null
}

/** Locks the accounts that an order of this buyer draws on: the user's first, then those of the user's division. */
export async function creditToDraw(tx: Transaction, plan: OrderPlan, now: Date) {
  const { userId, divisionId } = plan.facts.buyer
  // Served by credit_account_by_user and credit_account_by_division.
  const rows = await tx.rows<CreditRow & { userId: number | null }>(sql`
    select credit_account_id, user_id, current_balance, shipping_applicable, handling_applicable, tax_applicable
    from credit_account
    where (user_id = ${userId} or division_id = ${divisionId}) and active and current_balance > 0
      and (starts_on is null or starts_on <= ${now}) and (stops_on is null or stops_on > ${now})
    order by credit_account_id
    for update`)
  const usersFirst = rows.toSorted((a, b) => Number(a.userId === null) - Number(b.userId === null))
  return usersFirst.map(({ currentBalance, ...account }) => ({ ...account, balance: money(currentBalance) }))
}
