import type { Static } from 'typebox'
import { guideToProblem } from '../contract/guides.ts'
import { guideToOauthErrors, isOauthError, oauthErrors } from '../contract/oauth-errors.ts'
import type { Handlers } from '../contract/operation.ts'
import { isProblemCode, problemMeaning } from '../contract/problems.ts'
import type { Database } from '../database/database.ts'
import { loggedRequest, readRequestLog, type LoggedRequest as Logged } from '../gateway/request-log/read-request-log.ts'
import { developer, type LoggedRequest } from './contract.ts'

/** Who follows the log by polling it does not want to see that. */
const ownOperations = Object.keys(developer)

export function requestHandlers({
  database,
}: {
  database: Database
}): Pick<Handlers<typeof developer>, 'listRequests' | 'getRequest'> {
  return {
    listRequests: async ({ caller, query, after, page }) => {
      const { limit, cursor: _cursor, since: from, until: to, ...filter } = query
      const { found, goOn } = await readRequestLog(database.longReads, {
        ...filter,
        partnerId: caller.partnerId,
        from,
        to,
        exceptOperations: filter.operation === undefined ? ownOperations : undefined,
        after: after && { recordedOn: String(after[0]), entryId: Number(after[1]) },
        limit: limit + 1,
      })
      const keyOf = (key: { recordedOn: string; entryId: number }) => [key.recordedOn, key.entryId] as const
      const { rows, nextCursor } = page(found, keyOf, goOn && keyOf(goOn))
      return { status: 200, body: { requests: rows.map(shown), nextCursor } }
    },
    getRequest: async ({ caller, path, refuse }) => {
      const [first, ...others] = await loggedRequest(database.reads, path.requestId, caller.partnerId)
      if (!first) throw refuse('request_not_found')
      return { status: 200, body: { ...shown(first), otherCalls: others.map(shown) } }
    },
  }
}

function shown(logged: Logged): Static<typeof LoggedRequest> {
  const { recordedOn: receivedOn, code } = logged
  return {
    requestId: logged.requestId,
    receivedOn,
    operation: logged.operation,
    toolCall: logged.toolCall,
    method: logged.method,
    path: logged.path,
    status: logged.status,
    code,
    ...explained(logged),
    milliseconds: logged.milliseconds,
    authMethod: logged.authMethod,
    credential: logged.credential,
    siteId: logged.siteId,
    sourceAddress: logged.sourceAddress,
  }
}

/** Codes of the token endpoint are of another protocol, and partly of the same name. */
function explained({ operation, code }: Logged): { meaning: string | null; guide: string | null } {
  if (code !== null && (operation === 'token' || operation === 'token revocation')) {
    if (isOauthError(code)) return { meaning: oauthErrors[code], guide: guideToOauthErrors }
  } else if (code !== null && isProblemCode(code)) {
    return { meaning: problemMeaning(code), guide: guideToProblem(code) }
  }
  return { meaning: null, guide: null }
}
