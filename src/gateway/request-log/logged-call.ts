import type { Caller } from '../../contract/caller.ts'
import type { Exchange } from '../../http/answering/answer.ts'
import { pathOfRequest } from '../../http/reading/request-line.ts'
import type { LoggedCall } from './request-log.ts'

/** What the log notes of a request, once it is answered. */

/** As far as the steps of the request came. */
type Answered = {
  http: Exchange
  caller?: Caller | undefined
  operation?: { entry: { id: string; open?: true } } | undefined
  read?: { path: object; query: object; body: unknown } | undefined
  /** a path outside the contract */
  route?: { name: string; noted?: true } | undefined
  /** how many calls of tools the request held; each is noted by itself */
  toolCalls?: number
}

/** One call of a tool. `siteId` is the argument, whatever it is. */
type ToolCall = {
  operation: string
  status: number
  code?: string | null | undefined
  milliseconds: number
  siteId: unknown
}

export type ToolCalled = (call: ToolCall) => void

/**
 * undefined for what is no call of a partner: what the edge firewall refused, pages for browsers, preflights, and open
 * operations without a caller.
 */
export function loggedCall(context: Answered, milliseconds: number): LoggedCall | undefined {
  const { http, caller, operation, read, route } = context
  const { status, code } = http
  // Every other refusal has a code.
  if (status === 403 && code === undefined) return undefined
  if (!caller && (operation?.entry.open || (route && !route.noted))) return undefined
  if (context.toolCalls) return undefined
  return noted(http, caller, {
    operation: operation?.entry.id ?? route?.name ?? null,
    toolCall: false,
    status,
    code: code ?? null,
    milliseconds,
    claimedClient: http.claimedClient,
    siteId: siteOf(caller, named(read?.path) ?? named(read?.query) ?? named(read?.body)),
    retryAfter: http.retryAfter ?? null,
    continued: (read?.query as { cursor?: unknown } | undefined)?.cursor !== undefined,
  })
}

export function loggedToolCall(
  { http, caller }: Pick<Answered, 'http' | 'caller'>,
  { operation, status, code = null, milliseconds, siteId }: ToolCall,
): LoggedCall {
  return noted(http, caller, {
    operation,
    toolCall: true,
    status,
    code,
    milliseconds,
    claimedClient: undefined,
    siteId: siteOf(caller, siteId),
    // One answer has those of many tools.
    retryAfter: null,
    continued: false,
  })
}

/** Every call passes here, so nothing is copied. */
function noted(
  http: Exchange,
  caller: Caller | undefined,
  call: Pick<
    LoggedCall,
    | 'operation'
    | 'toolCall'
    | 'status'
    | 'code'
    | 'milliseconds'
    | 'claimedClient'
    | 'siteId'
    | 'retryAfter'
    | 'continued'
  >,
): LoggedCall {
  return {
    recordedOn: http.now,
    requestId: http.requestId,
    operation: call.operation,
    toolCall: call.toolCall,
    method: http.request.method!,
    path: pathOfRequest(http.request),
    status: call.status,
    code: call.code,
    milliseconds: call.milliseconds,
    authMethod: caller?.authMethod ?? null,
    credential: caller?.clientId ?? caller?.certificate?.serialNumber ?? null,
    claimedClient: call.claimedClient,
    partnerId: caller?.partnerId ?? null,
    siteId: call.siteId,
    sourceAddress: http.sourceAddress,
    retryAfter: call.retryAfter,
    continued: call.continued,
  }
}

function named(inputs: unknown): unknown {
  return (inputs as { siteId?: unknown } | null | undefined)?.siteId
}

/** The granted site that the call is about: the one that it names, or the only one. */
function siteOf(caller: Caller | undefined, siteId: unknown): number | null {
  const siteIds = caller?.siteIds ?? []
  if (siteId === undefined) return siteIds.length === 1 ? siteIds[0]! : null
  return siteIds.find((each) => each === siteId) ?? null
}
