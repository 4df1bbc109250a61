import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { updateUser as update } from '../../platform/customers/users.ts'
import type { users } from './contract.ts'
import { readUser } from './read-user.ts'

export function updateUser(database: Database): Handler<typeof users.updateUser> {
  return async ({ siteIds, path, body, change, guarded, refuse }) => {
    const updated = await database.change(guarded((tx) => update(tx, change, siteIds, path.userId, body)))
    if ('refused' in updated) {
      switch (updated.refused) {
        // One generic answer, which does not repeat the request (USR-24).
        case 'not_acceptable':
          throw refuse('monolith_rejected')
        case 'is_ordering_user':
          throw refuse(
            'monolith_rejected',
            "Partners order on the user's site for this user, so only staff can deactivate it or move it to another division.",
          )
        // As on create (ERR-62).
        case 'email_taken':
          throw refuse('user_already_exists')
        default:
          throw refuse(updated.refused)
      }
    }
    const user = await readUser(database.reads, siteIds, path.userId)
    if (!user) throw refuse('monolith_target_missing')
    return { status: 200, body: user }
  }
}
