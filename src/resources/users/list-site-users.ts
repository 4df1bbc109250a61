import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import type { users } from './contract.ts'
import { userPage } from './list-users.ts'

export function listSiteUsers(database: Database): Handler<typeof users.listSiteUsers> {
  return async (call) => ({ status: 200, body: await userPage(database, call) })
}
