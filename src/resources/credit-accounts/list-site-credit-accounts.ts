import type { Handler } from '../../contract/operation.ts'
import type { Queries } from '../../database/database.ts'
import type { creditAccounts } from './contract.ts'
import { creditAccountPage } from './list-credit-accounts.ts'

export function listSiteCreditAccounts(balances: Queries): Handler<typeof creditAccounts.listSiteCreditAccounts> {
  return async (call) => ({ status: 200, body: await creditAccountPage(balances, call) })
}
