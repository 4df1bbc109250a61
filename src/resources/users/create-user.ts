import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { createUser as create } from '../../platform/customers/users.ts'
import type { users } from './contract.ts'
import { readUser } from './read-user.ts'

export function createUser(database: Database): Handler<typeof users.createUser> {
  return async ({ caller, siteIds, body, now, requestId, refuse }) => {
    if (!siteIds.includes(body.siteId)) throw refuse('invalid_site_id')
    const { company = null, phone = null, divisionId = null, active = true } = body
    const created = await create(
      database,
      { ...body, company, phone, divisionId, active },
      { actor: { kind: 'PARTNER', id: caller.partnerId }, now, requestId },
    )
    if ('refused' in created) {
      throw refuse(created.refused === 'not_acceptable' ? 'monolith_rejected' : created.refused)
    }
    const user = await readUser(database.reads, siteIds, created.userId)
    if (!user) throw new Error(`user ${created.userId} is gone right after it was created`)
    return { status: 201, body: user, headers: { location: `/v1/users/${user.userId}` } }
  }
}
