import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { createUser as create } from '../../platform/customers/users.ts'
import type { users } from './contract.ts'
import { readUser } from './read-user.ts'

export function createUser(database: Database): Handler<typeof users.createUser> {
  return async ({ siteIds, body, change, refuse }) => {
    if (!siteIds.includes(body.siteId)) throw refuse('invalid_site_id')
    const { company = null, phone = null, divisionId = null, active = true } = body
    const user = { ...body, company, phone, divisionId, active }
    const created = await database.change((tx) => create(tx, change, user))
    if ('refused' in created) {
      throw refuse(created.refused === 'not_acceptable' ? 'monolith_rejected' : created.refused)
    }
    const { userId } = created.done
    const shown = await readUser(database.reads, siteIds, userId)
    if (!shown) throw new Error(`user ${userId} is gone right after it was created`)
    return { status: 201, body: shown, headers: { location: `/v1/users/${userId}` } }
  }
}
