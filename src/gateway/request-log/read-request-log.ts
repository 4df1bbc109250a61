import type { AuthMethod } from '../../contract/caller.ts'
import { type Looked, lookThrough } from '../../database/bounded-look.ts'
import type { Queries } from '../../database/database.ts'
import { nothing, sql, type SqlPart, sqlText } from '../../database/sql.ts'
import { timeOfUuid } from '../../vocabulary/time-ordered-uuid.ts'

/** The log of partners' calls as staff read it, and as a partner may read its own. */
export type LoggedRequest = {
  recordedOn: string
  requestId: string
  /** null = no operation has this method and path */
  operation: string | null
  /** a call of a tool, in a request to the MCP endpoint */
  toolCall: boolean
  method: string
  path: string
  status: number
  /** of the problem; null = none */
  code: string | null
  milliseconds: number
  /** null = nobody was recognised */
  authMethod: AuthMethod | null
  /** the client id, or the serial number of the certificate */
  credential: string | null
  partnerId: string | null
  siteId: number | null
  sourceAddress: string
}

export type RequestFilter = {
  partnerId?: string | undefined
  siteId?: number | undefined
  operation?: string | undefined
  /** no calls of these operations */
  exceptOperations?: readonly string[] | undefined
  /** status 400 and above, or below */
  outcome?: 'failed' | 'succeeded' | undefined
  /** the first digit of the status */
  statusClass?: number | undefined
  status?: number | undefined
  code?: string | undefined
  credential?: string | undefined
  /** only calls that took at least so long */
  milliseconds?: number | undefined
  /** instants: at or after, and before */
  from?: string | undefined
  to?: string | undefined
}

/** Where a page begins: the time and number of the entry before. */
export type RequestKey = { recordedOn: string; entryId: number }

/** How many entries one read looks at. The log has no index for most filters, so a page may end before it is full. */
export const entriesLookedAt = 20_000

/** The newest entries after `after` that the filter lets through, at most `limit`. */
export function readRequestLog(
  queries: Queries,
  wish: RequestFilter & { after: RequestKey | undefined; limit: number; lookAt?: number },
): Promise<Looked<LoggedRequest & RequestKey, RequestKey>> {
  const { partnerId, from, to, after, limit, lookAt = entriesLookedAt } = wish
  // request_log_by_partner or request_log_newest, in their order; partitions outside the time are not opened
  const walked = sqlText`
    select * from request_log
    where true
      ${partnerId === undefined ? nothing : sqlText`and partner_id = ${partnerId}::uuid`}
      ${from === undefined ? nothing : sqlText`and recorded_on >= ${from}::timestamptz`}
      ${to === undefined ? nothing : sqlText`and recorded_on < ${to}::timestamptz`}
      ${after ? sqlText`and (recorded_on, entry_id) < (${after.recordedOn}::timestamptz, ${after.entryId}::bigint)` : nothing}
    order by recorded_on desc, entry_id desc`
  return lookThrough(
    queries,
    { walked, lookAt, limit, key: sqlText`recorded_on, entry_id` },
    (looked) => sql`
    select ${columns}, entry_id from (${looked}) as looked
    where true
      ${is(sqlText`site_id`, wish.siteId)} ${is(sqlText`operation`, wish.operation)}
      ${is(sqlText`status / 100`, wish.statusClass)} ${is(sqlText`status`, wish.status)}
      ${is(sqlText`code`, wish.code)} ${is(sqlText`credential`, wish.credential)}
      ${wish.outcome === undefined ? nothing : wish.outcome === 'failed' ? sqlText`and status >= 400` : sqlText`and status < 400`}
      ${wish.exceptOperations ? sqlText`and (operation is null or operation <> all(${wish.exceptOperations}::text[]))` : nothing}
      ${wish.milliseconds === undefined ? nothing : sqlText`and milliseconds >= ${wish.milliseconds}::real`}
    order by recorded_on desc, entry_id desc
    limit ${limit}`,
  )
}

/** The calls of one request, of one partner or of any: several if an agent sent more than one in it. */
export async function loggedRequest(queries: Queries, requestId: string, partnerId?: string): Promise<LoggedRequest[]> {
  const recordedOn = timeOfUuid(requestId)
  if (!recordedOn) return []
  // request_log_newest, by the time in the id
  return queries.rows(sql`
    select ${columns} from request_log
    where recorded_on = ${recordedOn}::timestamptz and request_id = ${requestId}::uuid
      ${partnerId === undefined ? nothing : sqlText`and partner_id = ${partnerId}::uuid`}
    order by recorded_on, entry_id limit 100`)
}

/**
 * The calls of these requests, and those that name the order in their path, newest first, after `after`. Calls of agents'
 * tools name no order in their path.
 */
export function requestsAboutOrder(
  queries: Queries,
  wish: { orderNumber: number; requestIds: readonly string[]; after: RequestKey | undefined; limit: number },
): Promise<(LoggedRequest & RequestKey)[]> {
  const { orderNumber, requestIds, after, limit } = wish
  const page = sqlText`
    ${after ? sqlText`and (recorded_on, entry_id) < (${after.recordedOn}::timestamptz, ${after.entryId}::bigint)` : nothing}
    order by recorded_on desc, entry_id desc limit ${limit}`
  // request_log_by_order, and request_log_newest by the time in each id
  return queries.rows(sql`
    (select ${columns}, entry_id from request_log
      where substring(path from '^/v1/orders/([0-9]+)(?:/|$)') = ${String(orderNumber)} ${page})
    union
    (select ${columns}, entry_id from (${loggedAmong(requestIds)}) as logged where true ${page})
    order by recorded_on desc, entry_id desc
    limit ${limit}`)
}

/** A query for the entries of these requests. */
export function loggedAmong(requestIds: readonly string[]): SqlPart {
  const dated = requestIds.flatMap((requestId) => {
    const recordedOn = timeOfUuid(requestId)
    return recordedOn ? [{ requestId, recordedOn }] : []
  })
  return sqlText`
    select request_log.* from unnest(
      ${dated.map(({ requestId }) => requestId)}::uuid[], ${dated.map(({ recordedOn }) => recordedOn)}::timestamptz[]
    ) as asked (request_id, recorded_on)
    join request_log using (recorded_on, request_id)`
}

const columns = sqlText`recorded_on, request_id, operation, tool_call, method, path, status, code, milliseconds,
  auth_method, credential, partner_id, site_id, source_address`

function is(expression: SqlPart, value: string | number | undefined): SqlPart {
  return value === undefined ? nothing : sqlText`and ${expression} = ${value}`
}
