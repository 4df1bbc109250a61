import { pathParameterNames, type AnyHandler, type Call, type Operation } from '../contract/operation.ts'
import type { Caller } from '../contract/caller.ts'
import { pathParameters } from '../contract/parameters.ts'
import { Refusal } from '../contract/refusal.ts'
import { publishedScope } from '../vocabulary/scopes.ts'
import type { Cursors } from '../http/answering/cursors.ts'
import type { Deadline } from '../http/answering/deadline.ts'
import { pageBinding, pager } from '../http/answering/pages.ts'
import { bodyReader } from '../http/reading/check-body.ts'
import { pathReader } from '../http/reading/read-path.ts'
import { queryReader, type Values } from '../http/reading/read-query.ts'

/** An operation asked for by a known caller, its inputs still as they came in. */
export type RawCall = {
  caller: Caller
  requestId: string
  now: Date
  /** decoded path segments by name */
  path: Readonly<Record<string, string | undefined>>
  /** the query string without its question mark */
  query: string
  /** the JSON body, undefined when there is none; read only when its turn comes. Rejects with `BodyRefused` */
  body: () => Promise<unknown>
  /** lets the handler's work take what is left of the time for an answer */
  inTime: Deadline['inTime']
}

export type Answered = { status: number; body: unknown; headers?: Readonly<Record<string, string>> }

/** An operation and the way to have it done. */
export type PerformedOperation = { entry: Operation; perform: (raw: RawCall) => Promise<Answered> }

/**
 * Everything between a resolved caller and a handler, in the order a caller sees refusals: scope, path, query, cursor,
 * body, site grant. HTTP and MCP both come through here.
 */
export function performer(entry: Operation, handler: AnyHandler, cursors: Cursors): PerformedOperation['perform'] {
  const readPath = pathReader(pathParameterNames(entry), pathParameters)
  const readQuery = queryReader(entry)
  const readBody = bodyReader(entry.body)
  const scope = entry.scope

  return async (raw) => {
    const { caller } = raw
    if (scope !== null && !caller.scopes.has(scope)) throw insufficientScope(scope)
    const path = readPath(raw.path)
    const query = readQuery(raw.query)
    const { after, page } = pager(cursors, query, entry.collection ? binding(entry, caller, path, query) : '')
    const body = await readBody(raw.body)
    const siteIds = grantedSites(caller, path, query)

    const call: Call<Operation> = {
      caller,
      siteIds,
      path: path as never,
      query: query as never,
      body: body as never,
      after,
      page,
      now: raw.now,
      requestId: raw.requestId,
      change: { actor: { kind: 'PARTNER', id: caller.partnerId }, now: raw.now, requestId: raw.requestId },
      inTime: raw.inTime,
      refuse: (code, detail) => new Refusal(code, detail),
    }
    return entry.waits ? handler(call) : raw.inTime(handler(call))
  }
}

export function insufficientScope(scope: Parameters<typeof publishedScope>[0]): Refusal {
  const name = publishedScope(scope)
  return new Refusal('insufficient_scope', `This operation needs the scope ${name}.`, {
    'www-authenticate': `Bearer error="insufficient_scope", scope="${name}"`,
  })
}

/** What a cursor is valid for: the operation, the partner, and every input. */
function binding(entry: Operation, caller: Caller, path: Values, query: Values): string {
  return pageBinding([entry.id, caller.partnerId], { ...path, ...query })
}

/** A site named in the path must be granted (404), one named in the query too (400); otherwise all granted sites. */
function grantedSites(caller: Caller, path: Values, query: Values): readonly number[] {
  const named = (path.siteId ?? query.siteId) as number | undefined
  if (named === undefined) return caller.siteIds
  if (!caller.siteIds.includes(named))
    throw new Refusal(path.siteId === undefined ? 'invalid_site_id' : 'site_not_found')
  return [named]
}
