import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { updateUser as update } from '../../platform/customers/users.ts'
import type { users } from './contract.ts'
import { readUser } from './read-user.ts'

export function updateUser(database: Database): Handler<typeof users.updateUser> {
  return async ({ caller, siteIds, path, body, now, requestId, refuse }) => {
    const change = { actor: { kind: 'PARTNER', id: caller.partnerId }, now, requestId } as const
    const updated = await update(database, siteIds, path.userId, body, change)
    if ('refused' in updated) {
      switch (updated.refused) {
        // One generic answer: what was sent is not repeated, and whose address it is stays unsaid (USR-24).
        case 'not_acceptable':
        case 'email_taken':
          throw refuse('monolith_rejected')
        default:
          throw refuse(updated.refused)
      }
    }
    const user = await readUser(database.reads, siteIds, path.userId)
    if (!user) throw refuse('monolith_target_missing')
    return { status: 200, body: user }
  }
}
