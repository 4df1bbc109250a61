import type { Static } from 'typebox'
import type { Queries } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import { columns, type View } from '../../database/view.ts'
import type { CreditAccount } from '../../resources/credit-accounts/contract.ts'
import { creditAccountView } from '../../resources/credit-accounts/credit-account-view.ts'
import type { StaffCreditAdjustment } from './contract.ts'

/** Credit as staff read it: always from the primary, so that the balance includes the last movement. */

export type CreditSearch = {
  siteId: number | undefined
  userId: number | undefined
  divisionId: number | undefined
  active: boolean | undefined
}

/** At most `limit` accounts by id, from after `afterId`. */
export function findCreditAccounts(
  queries: Queries,
  { siteId, userId, divisionId, active }: CreditSearch,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<Static<typeof CreditAccount>[]> {
  return queries.rows(sql`
    select ${columns(creditAccountView)} from credit_account
    where credit_account_id > ${afterId}
      ${siteId === undefined ? nothing : sqlText`and site_id = ${siteId}`}
      ${userId === undefined ? nothing : sqlText`and user_id = ${userId}`}
      ${divisionId === undefined ? nothing : sqlText`and division_id = ${divisionId}`}
      ${active === undefined ? nothing : sqlText`and active = ${active}`}
    order by credit_account_id
    limit ${limit}`)
}

export function readCreditAccount(
  queries: Queries,
  creditAccountId: number,
): Promise<Static<typeof CreditAccount> | undefined> {
  return queries.row(sql`
    select ${columns(creditAccountView)} from credit_account where credit_account_id = ${creditAccountId}`)
}

type Adjustment = Static<typeof StaffCreditAdjustment>

const adjustmentView: View<Adjustment> = {
  adjustmentId: 'credit_adjustment.adjustment_id',
  creditAccountId: 'credit_adjustment.credit_account_id',
  type: 'credit_adjustment.type',
  amount: 'credit_adjustment.amount',
  balanceAfter: 'credit_adjustment.balance_after',
  orderNumber: 'credit_adjustment.order_number',
  itemNumber: 'credit_adjustment.item_number',
  userId: 'credit_adjustment.user_id',
  note: 'credit_adjustment.note',
  reference: 'credit_adjustment.reference',
  createdOn: 'credit_adjustment.created_on',
}

/** At most `limit` movements of an account, the newest first. */
export function findAdjustments(
  queries: Queries,
  creditAccountId: number,
  type: string | undefined,
  before: { createdOn: string; adjustmentId: number } | undefined,
  limit: number,
): Promise<Adjustment[]> {
  // Served by credit_adjustment_by_account and credit_adjustment_by_type.
  return queries.rows(sql`
    select ${columns(adjustmentView)} from credit_adjustment
    where credit_account_id = ${creditAccountId}
      ${before ? sqlText`and (created_on, adjustment_id) < (${before.createdOn}::timestamptz, ${before.adjustmentId}::bigint)` : nothing}
      ${type === undefined ? nothing : sqlText`and type = ${type}`}
    order by created_on desc, adjustment_id desc
    limit ${limit}`)
}

export function readAdjustment(queries: Queries, adjustmentId: number): Promise<Adjustment | undefined> {
  return queries.row(
    sql`select ${columns(adjustmentView)} from credit_adjustment where adjustment_id = ${adjustmentId}`,
  )
}
