import type { Static } from 'typebox'
import type { Handler } from '../../contract/operation.ts'
import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { columns } from '../../database/view.ts'
import type { CreditAccount, creditAccounts } from './contract.ts'
import { creditAccountView } from './credit-account-view.ts'

/** @param balances reads that may lag behind (CRD-07) */
export function getCreditAccount(balances: Queries): Handler<typeof creditAccounts.getCreditAccount> {
  return async ({ siteIds, path, refuse }) => {
    const account = await balances.row<Static<typeof CreditAccount>>(sql`
      select ${columns(creditAccountView)}
      from credit_account
      where credit_account_id = ${path.creditAccountId} and site_id = any(${siteIds}::int[])`)
    if (!account) throw refuse('credit_account_not_found')
    return { status: 200, body: account }
  }
}
