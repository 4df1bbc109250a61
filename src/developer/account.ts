import type { Handlers } from '../contract/operation.ts'
import type { Database } from '../database/database.ts'
import { limitsOf } from '../gateway/throttle/limits-of.ts'
import type { Throttle } from '../gateway/throttle/throttle.ts'
import type { Clock } from '../vocabulary/clock.ts'
import type { developer } from './contract.ts'
import { credentialsOf } from './credentials.ts'

export function accountHandlers(parts: {
  database: Database
  standing: Throttle['standing']
  /** credentials and limits go by real time, whatever the caller's own clock says */
  realClock: Clock
}): Pick<Handlers<typeof developer>, 'listCredentials' | 'getLimits'> {
  const { database, standing, realClock } = parts
  return {
    listCredentials: async ({ caller, query, after, page }) => {
      const found = await credentialsOf(database.longReads, {
        partnerId: caller.partnerId,
        now: realClock(),
        after: after && { createdOn: String(after[0]), credentialId: String(after[1]) },
        limit: query.limit + 1,
      })
      const { rows, nextCursor } = page(found, ({ createdOn, credentialId }) => [createdOn, credentialId])
      return { status: 200, body: { credentials: rows, nextCursor } }
    },
    getLimits: async ({ caller }) => ({
      status: 200,
      body: limitsOf(caller.tier, await standing(caller, realClock())),
    }),
  }
}
