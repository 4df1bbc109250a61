import type { Handler } from '../../contract/operation.ts'
import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { creditAccounts } from './contract.ts'
import { creditAccountColumns, type CreditAccountRow, creditAccountView } from './credit-account-view.ts'

/** @param balances reads that may lag behind (CRD-07) */
export function getCreditAccount(balances: Queries): Handler<typeof creditAccounts.getCreditAccount> {
  return async ({ caller, path, refuse }) => {
    const row = await balances.row<CreditAccountRow>(sql`
      select ${creditAccountColumns}
      from credit_account
      where credit_account_id = ${path.creditAccountId} and site_id = any(${caller.siteIds}::int[])`)
    if (!row) throw refuse('credit_account_not_found')
    return { status: 200, body: creditAccountView(row) }
  }
}
