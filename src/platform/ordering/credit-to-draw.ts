import type { Queries, Transaction } from '../../database/database.ts'
import { nothing, sql, sqlText, type SqlPart } from '../../database/sql.ts'
import { money, sum, type Money } from '../../vocabulary/money.ts'
import { drawDown, type Movement } from '../credit/draw-down.ts'
import type { OrderPlan } from './plan-order.ts'

type CreditRow = {
  creditAccountId: number
  currentBalance: string
  shippingApplicable: boolean | null
  handlingApplicable: boolean | null
  taxApplicable: boolean | null
}

/** Locks the buyer's credit accounts and answers what an order draws from them. */
export function drawnCredit(tx: Transaction, plan: OrderPlan, now: Date): Promise<Movement[]> {
  return drawn(tx, plan, now, sqlText`for update`)
}

/** What the order would draw from them now. Nothing is locked. */
export function creditToDraw(queries: Queries, plan: OrderPlan, now: Date): Promise<Movement[]> {
  return drawn(queries, plan, now, nothing)
}

async function drawn(queries: Queries, plan: OrderPlan, now: Date, lock: SqlPart): Promise<Movement[]> {
  if (!plan.facts.hasCredit) return []
  const { totals } = plan
  return drawDown(await accountsToDraw(queries, plan, now, lock), {
    product: totals.itemTotal.minus(totals.discountTotal),
    shipping: totals.shippingTotal,
    handling: totals.handlingTotal,
    tax: totals.taxTotal,
  })
}

/** The accounts that an order of this buyer draws on: the user's first, then those of the user's division. */
async function accountsToDraw(queries: Queries, plan: OrderPlan, now: Date, lock: SqlPart) {
  const { userId, divisionId } = plan.facts.buyer
  // Served by credit_account_by_user and credit_account_by_division.
  const rows = await queries.rows<CreditRow & { userId: number | null }>(sql`
    select credit_account_id, user_id, current_balance, shipping_applicable, handling_applicable, tax_applicable
    from credit_account
    where (user_id = ${userId} or division_id = ${divisionId}) and active and current_balance > 0
      and (starts_on is null or starts_on <= ${now}) and (stops_on is null or stops_on > ${now})
    order by credit_account_id
    ${lock}`)
  const usersFirst = rows.toSorted((a, b) => Number(a.userId === null) - Number(b.userId === null))
  return usersFirst.map(({ currentBalance, ...account }) => ({ ...account, balance: money(currentBalance) }))
}

/** What credit pays of an order. */
export function creditApplied(movements: readonly Movement[]): Money {
  return sum(movements.map(({ amount }) => amount.neg()))
}
