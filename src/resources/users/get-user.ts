import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import type { users } from './contract.ts'
import { readUser } from './read-user.ts'

export function getUser(database: Database): Handler<typeof users.getUser> {
  return async ({ siteIds, path, refuse }) => {
    const user = await readUser(database.reads, siteIds, path.userId)
    if (!user) throw refuse('user_not_found')
    return { status: 200, body: user }
  }
}
