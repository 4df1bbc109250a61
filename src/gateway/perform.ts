import { pathParameterNames, type AnyHandler, type Call, type Operation, type SortKey } from '../contract/operation.ts'
import type { Caller } from '../contract/caller.ts'
import { pathParameters, type Parameter } from '../contract/parameters.ts'
import { Refusal } from '../contract/refusal.ts'
import { publishedScope } from '../vocabulary/scopes.ts'
import { QueryRefused, readQueryString } from '../vocabulary/query-string.ts'
import type { Cursors } from './answering/cursors.ts'
import type { Deadline } from './answering/deadline.ts'
import { bodyChecker } from './reading/check-body.ts'
import { BodyRefused } from './reading/read-body.ts'

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
  const readPath = pathReader(entry)
  const readQuery = queryReader(entry)
  const checkBody = entry.body ? bodyChecker(entry.body) : undefined
  const scope = entry.scope

  return async (raw) => {
    const { caller } = raw
    if (scope !== null && !caller.scopes.has(scope)) throw insufficientScope(scope)
    const path = readPath(raw.path)
    const query = readQuery(raw.query)
    const { cursor, limit } = query as { cursor?: string; limit?: number }
    const boundTo = entry.collection ? binding(entry, caller, path, query) : ''
    const after = cursor === undefined ? undefined : openCursor(cursors, cursor, boundTo)
    const body = await readBody(entry, raw, checkBody)
    const siteIds = grantedSites(caller, path, query)

    const call: Call<Operation> = {
      caller,
      siteIds,
      path: path as never,
      query: query as never,
      body: body as never,
      after,
      page: (rows, sortKey) => {
        if (limit === undefined || rows.length <= limit) return { rows, nextCursor: null }
        const shown = rows.slice(0, limit)
        return { rows: shown, nextCursor: cursors.seal(sortKey(shown[limit - 1]!), boundTo) }
      },
      now: raw.now,
      requestId: raw.requestId,
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

type Values = Record<string, unknown>

function pathReader(entry: Operation): (texts: RawCall['path']) => Values {
  const names = pathParameterNames(entry)
  return (texts) => {
    const values: Values = {}
    for (const name of names) {
      const parameter: Parameter<unknown> = pathParameters[name]
      const value = parameter.read(texts[name] ?? '')
      if (value === undefined) throw new Refusal(parameter.malformed)
      values[name] = value
    }
    return values
  }
}

function queryReader(entry: Operation): (raw: string) => Values {
  const parameters = Object.entries(entry.query ?? {})
  const known = new Map(parameters)
  const fallbacks = parameters.filter(([, parameter]) => parameter.fallback !== undefined)
  const accepted = parameters.length === 0 ? 'none' : parameters.map(([name]) => name).join(', ')

  return (raw) => {
    const values: Values = {}
    for (const [name, parameter] of fallbacks) values[name] = parameter.fallback
    if (raw === '') return values
    for (const [name, text] of parametersOf(raw)) {
      const parameter = known.get(name)
      if (!parameter) throw unknownParameter(entry, name, accepted)
      const value = parameter.read(text)
      if (value === undefined) throw new Refusal(parameter.malformed, malformedDetail(name, parameter))
      values[name] = value
    }
    for (const rule of entry.queryRules ?? []) if (rule.broken(values as never)) throw new Refusal(rule.code)
    return values
  }
}

function parametersOf(raw: string): Map<string, string> {
  try {
    return readQueryString(raw)
  } catch (error) {
    if (error instanceof QueryRefused) throw new Refusal('invalid_request', error.message)
    throw error
  }
}

function unknownParameter(entry: Operation, name: string, accepted: string): Refusal {
  if (name === 'updatedSince' && entry.collection) return new Refusal('updated_since_not_supported')
  const shown = JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name)
  return new Refusal(
    'unknown_query_parameter',
    `The query parameter ${shown} is not accepted here; accepted: ${accepted}.`,
  )
}

/** Codes of a parameter's own explain themselves; the shared one names the parameter. */
function malformedDetail(name: string, parameter: Parameter<unknown>): string | undefined {
  return parameter.malformed === 'invalid_request'
    ? `The query parameter ${name} is malformed: ${parameter.says}.`
    : undefined
}

/** What a cursor is valid for: the operation, the partner, and every input but the page itself. */
function binding(entry: Operation, caller: Caller, path: Values, query: Values): string {
  const filters = Object.entries({ ...path, ...query }).filter(([name]) => name !== 'cursor' && name !== 'limit')
  filters.sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([entry.id, caller.partnerId, filters])
}

function openCursor(cursors: Cursors, cursor: string, boundTo: string): SortKey {
  const after = cursors.open(cursor, boundTo)
  if (after === undefined) throw new Refusal('invalid_cursor')
  return after
}

async function readBody(
  entry: Operation,
  raw: RawCall,
  check: ((value: unknown) => void) | undefined,
): Promise<unknown> {
  let value: unknown
  try {
    value = await raw.body()
  } catch (error) {
    if (error instanceof BodyRefused) throw new Refusal(entry.body?.malformed ?? 'invalid_request', error.message)
    throw error
  }
  if (!entry.body || !check) return undefined
  if (value === undefined) {
    if (!entry.body.optional) throw new Refusal(entry.body.malformed, 'a JSON body is required')
    value = {}
  }
  check(value)
  return value
}

/** A site named in the path must be granted (404), one named in the query too (400); otherwise all granted sites. */
function grantedSites(caller: Caller, path: Values, query: Values): readonly number[] {
  const named = (path.siteId ?? query.siteId) as number | undefined
  if (named === undefined) return caller.siteIds
  if (!caller.siteIds.includes(named))
    throw new Refusal(path.siteId === undefined ? 'invalid_site_id' : 'site_not_found')
  return [named]
}
