import type { Static } from 'typebox'
import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import { columns, type View } from '../../database/view.ts'
import type { creditAccounts, CreditAdjustment } from './contract.ts'

type Adjustment = Static<typeof CreditAdjustment>

const adjustmentView: View<Adjustment> = {
  adjustmentId: 'adjustment.adjustment_id',
  creditAccountId: 'adjustment.credit_account_id',
  type: 'adjustment.type',
  amount: 'adjustment.amount',
  balanceAfter: 'adjustment.balance_after',
  orderNumber: 'adjustment.order_number',
  itemNumber: 'adjustment.item_number',
  userId: 'adjustment.user_id',
  note: 'adjustment.note',
  createdOn: 'adjustment.created_on',
}

/**
 * Served by credit_adjustment_by_account and credit_adjustment_by_type. One row with null columns stands for an account without such movements; no row
 * for no such account (CRD-10, ERR-51).
 */
export function listCreditAdjustments(database: Database): Handler<typeof creditAccounts.listCreditAdjustments> {
  return async ({ siteIds, path, query, after, page, refuse }) => {
    const found = await database.lists.rows<Adjustment | { adjustmentId: null }>(sql`
      select ${columns(adjustmentView)}
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
        and credit_account.site_id = any(${siteIds}::int[])
      order by adjustment.created_on desc, adjustment.adjustment_id desc`)
    if (found.length === 0) throw refuse('credit_account_not_found')
    const adjustments = found.filter((row): row is Adjustment => row.adjustmentId !== null)
    const { rows, nextCursor } = page(adjustments, (row) => [row.createdOn, row.adjustmentId])
    return { status: 200, body: { adjustments: rows, nextCursor } }
  }
}
