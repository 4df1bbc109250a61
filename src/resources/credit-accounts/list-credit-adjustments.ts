import type { Static } from 'typebox'
import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import type { CreditMovement } from '../../vocabulary/credit-movements.ts'
import type { creditAccounts, CreditAdjustment } from './contract.ts'

type Row = {
  adjustment_id: number
  credit_account_id: number
  type: CreditMovement
  amount: string
  balance_after: string | null
  order_number: number | null
  item_number: number | null
  user_id: number | null
  note: string | null
  created_on: string
}

/**
 * Served by credit_adjustment_by_account. One row with null columns stands for an account without such movements; no row
 * for no such account (CRD-10, ERR-51).
 */
export function listCreditAdjustments(database: Database): Handler<typeof creditAccounts.listCreditAdjustments> {
  return async ({ caller, path, query, after, page, refuse }) => {
    const found = await database.reads.rows<Row | { adjustment_id: null }>(sql`
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
    const adjustments = found.filter((row): row is Row => row.adjustment_id !== null)
    const { rows, nextCursor } = page(adjustments, (row) => [row.created_on, row.adjustment_id])
    return { status: 200, body: { adjustments: rows.map(creditAdjustmentView), nextCursor } }
  }
}

function creditAdjustmentView(row: Row): Static<typeof CreditAdjustment> {
  return {
    adjustmentId: row.adjustment_id,
    creditAccountId: row.credit_account_id,
    type: row.type,
    amount: row.amount,
    balanceAfter: row.balance_after,
    orderNumber: row.order_number,
    itemNumber: row.item_number,
    userId: row.user_id,
    note: row.note,
    createdOn: row.created_on,
  }
}
