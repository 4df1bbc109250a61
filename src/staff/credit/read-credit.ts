import type { Static } from 'typebox'
import type { Queries } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import type { CreditAccount } from '../../resources/credit-accounts/contract.ts'
import {
  creditAccountColumns,
  creditAccountView,
  type CreditAccountRow,
} from '../../resources/credit-accounts/credit-account-view.ts'
import type { StaffCreditAdjustment } from './contract.ts'

/** Credit as staff read it: always from the primary, so that a balance is what the last movement left. */

export type CreditSearch = {
  siteId: number | undefined
  userId: number | undefined
  divisionId: number | undefined
  active: boolean | undefined
}

/** At most `limit` accounts by id, from after `afterId`. */
export async function findCreditAccounts(
  queries: Queries,
  { siteId, userId, divisionId, active }: CreditSearch,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<Static<typeof CreditAccount>[]> {
  const rows = await queries.rows<CreditAccountRow>(sql`
    select ${creditAccountColumns} from credit_account
    where credit_account_id > ${afterId}
      ${siteId === undefined ? nothing : sqlText`and site_id = ${siteId}`}
      ${userId === undefined ? nothing : sqlText`and user_id = ${userId}`}
      ${divisionId === undefined ? nothing : sqlText`and division_id = ${divisionId}`}
      ${active === undefined ? nothing : sqlText`and active = ${active}`}
    order by credit_account_id
    limit ${limit}`)
  return rows.map(creditAccountView)
}

export async function readCreditAccount(
  queries: Queries,
  creditAccountId: number,
): Promise<Static<typeof CreditAccount> | undefined> {
  const row = await queries.row<CreditAccountRow>(sql`
    select ${creditAccountColumns} from credit_account where credit_account_id = ${creditAccountId}`)
  return row && creditAccountView(row)
}

type Adjustment = Static<typeof StaffCreditAdjustment>

const adjustmentColumns = sqlText`
  adjustment_id, credit_account_id, type, amount, balance_after,
  order_number, item_number, user_id, note, reference,
  created_on`

/** At most `limit` movements of an account, the newest first. */
export function findAdjustments(
  queries: Queries,
  creditAccountId: number,
  type: string | undefined,
  before: { createdOn: string; adjustmentId: number } | undefined,
  limit: number,
): Promise<Adjustment[]> {
  // Served by credit_adjustment_by_account.
  return queries.rows(sql`
    select ${adjustmentColumns} from credit_adjustment
    where credit_account_id = ${creditAccountId}
      ${before ? sqlText`and (created_on, adjustment_id) < (${before.createdOn}::timestamptz, ${before.adjustmentId}::bigint)` : nothing}
      ${type === undefined ? nothing : sqlText`and type = ${type}`}
    order by created_on desc, adjustment_id desc
    limit ${limit}`)
}

export function readAdjustment(queries: Queries, adjustmentId: number): Promise<Adjustment | undefined> {
  return queries.row(sql`select ${adjustmentColumns} from credit_adjustment where adjustment_id = ${adjustmentId}`)
}
