import type { Static } from 'typebox'
import type { Call, Handler } from '../../contract/operation.ts'
import type { Queries } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import { jsonPage, type RecordRow } from '../../database/view.ts'
import type { JsonText } from '../../vocabulary/json-text.ts'
import type { CreditAccountPage, creditAccounts } from './contract.ts'
import { creditAccountRecord } from './credit-account-view.ts'

/** @param balances reads that may lag behind (CRD-07); which sites the caller may see is settled before, on the primary */
export function listCreditAccounts(balances: Queries): Handler<typeof creditAccounts.listCreditAccounts> {
  return async (call) => ({ status: 200, body: await creditAccountPage(balances, call) })
}

/** What both list routes have in common: the sites they speak of are in the call already. */
type ListCall = Pick<Call<typeof creditAccounts.listSiteCreditAccounts>, 'siteIds' | 'query' | 'after' | 'page'>

/**
 * Each granted site gives its own next accounts, in the order of credit_account_by_site, or of credit_account_inactive
 * where inactive ones are asked for; those of a user or division are found by credit_account_by_user and
 * credit_account_by_division. Only as many as a page needs are then sorted together.
 */
export async function creditAccountPage(
  balances: Queries,
  { siteIds, query, after, page }: ListCall,
): Promise<JsonText<Static<typeof CreditAccountPage>>> {
  const { userId, divisionId, active, limit } = query
  const found = await balances.rows<RecordRow & { creditAccountId: number }>(sql`
    select ${creditAccountRecord.column}, credit_account.credit_account_id
    from (
      select credit_account.*
      from unnest(${siteIds}::int[]) as granted (site_id)
      cross join lateral (
        select * from credit_account
        where credit_account.site_id = granted.site_id and credit_account.credit_account_id > ${after?.[0] ?? 0}
          ${userId === undefined ? nothing : sqlText`and credit_account.user_id = ${userId}`}
          ${divisionId === undefined ? nothing : sqlText`and credit_account.division_id = ${divisionId}`}
          ${active === undefined ? nothing : active ? sqlText`and credit_account.active` : sqlText`and not credit_account.active`}
        order by credit_account.credit_account_id
        limit ${limit + 1}
      ) as credit_account
      order by credit_account.credit_account_id
      limit ${limit + 1}
    ) as credit_account
    order by credit_account.credit_account_id`)
  const { rows, nextCursor } = page(found, (account) => [account.creditAccountId])
  return jsonPage('creditAccounts', creditAccountRecord, rows, nextCursor)
}
