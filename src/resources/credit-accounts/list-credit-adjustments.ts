import type { Static } from 'typebox'
import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import type { CreditMovement } from '../../vocabulary/credit-movements.ts'
import type { creditAccounts, CreditAdjustment } from './contract.ts'

type Row = {
  adjustmentId: number
  creditAccountId: number
  type: CreditMovement
  amount: string
  balanceAfter: string | null
  orderNumber: number | null
  itemNumber: number | null
  userId: number | null
  note: string | null
  createdOn: string
}

/**
 * Served by credit_adjustment_by_account. One row with null columns stands for an account without such movements; no row
 * for no such account (CRD-10, ERR-51).
 */
export function listCreditAdjustments(database: Database): Handler<typeof creditAccounts.listCreditAdjustments> {
  return async ({ caller, path, query, after, page, refuse }) => {
    const found = await database.reads.rows<Row | { adjustmentId: null }>(sql`
      select adjustment.adjustment_id, adjustment.credit_account_id, adjustment.type, adjustment.amount,
        adjustment.balance_after, adjustment.order_number, adjustment.item_number, adjustment.user_id, adjustment.note,
        adjustment.created_on
      from credit_account
      left join lateral (
        select * from credit_adjustment
        where credit_adjustment.credit_account_id = credit_account.credit_account_id
          ${after ? sqlText`and (credit_adjustment.created_on, credit_adjustment.adjustment_id) < (${after[0]}::timestamptz, ${after[1]}::bigint)` : nothing}
          ${query.type === undefined ? nothing : sqlText`and credit_adjustment.type = ${query.type}`}
        order by credit_adjustment.created_on desc, credit_adjustment.adjustment_id desc
        limit ${query.limit + 1}
      ) as adjustment on true
      where credit_account.credit_account_id = ${path.creditAccountId}
        and credit_account.site_id = any(${caller.siteIds}::int[])
      order by adjustment.created_on desc, adjustment.adjustment_id desc`)
    if (found.length === 0) throw refuse('credit_account_not_found')
    const adjustments = found.filter((row): row is Row => row.adjustmentId !== null)
    const { rows, nextCursor } = page(adjustments, (row) => [row.createdOn, row.adjustmentId])
    return { status: 200, body: { adjustments: rows.map(creditAdjustmentView), nextCursor } }
  }
}

function creditAdjustmentView(row: Row): Static<typeof CreditAdjustment> {
  return {
    adjustmentId: row.adjustmentId,
    creditAccountId: row.creditAccountId,
    type: row.type,
    amount: row.amount,
    balanceAfter: row.balanceAfter,
    orderNumber: row.orderNumber,
    itemNumber: row.itemNumber,
    userId: row.userId,
    note: row.note,
    createdOn: row.createdOn,
  }
}
