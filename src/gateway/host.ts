import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Caller } from '../contract/caller.ts'
import { methodOf, pathOf } from '../contract/operation.ts'
import type { ProblemCode } from '../contract/problems.ts'
import { Refusal } from '../contract/refusal.ts'
import {
  answer,
  answerJson,
  answerPlain,
  beginExchange,
  EarlyAnswer,
  type AnswerContext,
  type Frame,
} from '../http/answering/answer.ts'
import type { Deadline } from '../http/answering/deadline.ts'
import { createStreams, sendEvents, type Streams } from '../http/answering/event-stream.ts'
import { bytes, missedAnswer, plainAnswer, type PlainAnswering } from '../http/answering/plain.ts'
import { problemDocument } from '../http/answering/problem.ts'
import type { Headers } from '../http/answering/send.ts'
import { createFront, type Door, type Front, type FrontParts } from '../http/front.ts'
import { body, httpInputs, nothingRead, path, query } from '../http/perform.ts'
import type { PlainAnswer, PlainRoute } from '../http/plain-route.ts'
import { readJsonBody } from '../http/reading/read-body.ts'
import { pathOfRequest, queryOf } from '../http/reading/request-line.ts'
import { takeSteps } from '../http/steps.ts'
import type { Clock, PartnerTime } from '../vocabulary/clock.ts'
import type { TraceContext } from '../vocabulary/trace-context.ts'
import type { Tracing } from '../vocabulary/tracing.ts'
import type { DeveloperLinks } from './developer-links.ts'
import type { NoteRefused, PublicCredential } from '../auth/effective-scopes.ts'
import { clientIdForLog } from '../partners/client-secret.ts'
import type { Edge } from './edge/edge.ts'
import { loggedCall, loggedToolCall, type ToolCalled } from './request-log/logged-call.ts'
import type { RequestLog } from './request-log/request-log.ts'
import {
  application,
  callerOf,
  cursor,
  handler,
  scope,
  site,
  streamOf,
  type PartnerOperation,
  type PartnerContext,
  type PerformedOperation,
  type RawCall,
} from './perform.ts'
import type { Spending, Throttle } from './throttle/throttle.ts'

/**
 * A host of the partner API: what happens before and after a handler. It knows no resource and no credential: handlers
 * and the way to identify a caller come as values.
 */

/** The steps of each kind of request, in the order in which a caller meets their refusals. */
// oxfmt-ignore
const grid = {
  /** on every host: the credential is a token or, over mutual TLS, a certificate */
  operation: [edgeRule, credential, limits, ownTime, scope, application, path, query, cursor, body, site, handler, answerJson],
  /** events that go on */
  stream:    [edgeRule, credential, limits,          scope, application, path, query,         site, stream, handler, answerStream],
  /** `ping` on the bearer hosts; over mutual TLS it takes the steps of any operation */
  open:      [edgeRule,                                                  path, query,         body,       handler, answerJson],
  /** the MCP endpoint, bounded per address; each tool call that a message to it holds spends from the limits */
  mcp:       [edgeRule, credential,         ownTime,                                                      callerAnswer],
  tool:      [                                       scope, application, path, query, cursor, body, site, handler],
  /** a call of a tool that a person has yet to confirm */
  toolCheck: [                                       scope, application, path, query, cursor, body, site],
  /** the token endpoint, which has its own credentials and limits, metadata, sign-in pages, preflights */
  plain:     [edgeRule,                                                               bytes,              plainAnswer],
  /** the same where every connection brings a credential */
  closed:    [edgeRule, credential, limits,                                           bytes,              plainAnswer],
  /** an unknown path, or a method that the path does not have */
  missed:    [edgeRule, credential, limits,                                                               missedAnswer],
  /** another method on the path of the MCP endpoint, where only tool calls spend */
  mcpMissed: [edgeRule, credential,                                                                       missedAnswer],
}

export type HostParts = {
  /** undefined = refuse with 401, whatever the cause; `refused` gets the cause, for the log */
  identify: (request: IncomingMessage, now: Date, refused: NoteRefused) => Promise<Caller | undefined>
  /** whether open operations answer without a credential; not over mutual TLS, where every connection brings one */
  allowsOpen: boolean
  /** value of WWW-Authenticate on a 401; it names an address of the host, which is known once the host listens */
  challenge: (request: IncomingMessage) => string
  sourceAddress: (request: IncomingMessage) => string
  edge: Edge
  throttle: Pick<Throttle, 'spend'>
  operations: readonly PartnerOperation[]
  clock: Clock
  /** the time of a caller's own clock; real time where it is left out. Credentials and limits always go by real time */
  partnerTime?: PartnerTime
  log: Logger
  tracing: Tracing
  /** told of every answer, for metrics */
  observe: (operation: string, status: number, milliseconds: number) => void
  /** told of every call for the request log; without it there is none */
  note?: RequestLog['note']
  /**
   * paths outside the contract, such as the token endpoint: answered after the edge rule, with bodies of their own form
   */
  plainRoutes?: readonly PlainRoute[]
  /**
   * paths outside the contract for known callers, such as the MCP endpoint: answered after the credential. They spend
   * from the limits themselves
   */
  callerRoutes?: readonly CallerRoute[]
  /** from answers to the developer site; without it there are none */
  links?: DeveloperLinks
  /** without it, no web page may call */
  browserClients?: BrowserClients
  /** how often a stream shows that it is there, and looks whether its reader may go on */
  streamPulseMilliseconds: number
} & Pick<FrontParts, 'ownUrl' | 'serverFactory' | 'closingGraceMilliseconds'>

/** CORS: which web pages of other origins may call a host. */
export type BrowserClients = {
  /** headers of every answer */
  mayRead: (request: IncomingMessage) => Headers
  /** headers of the answer to a preflight; undefined = the request is answered like any other */
  maySend: (request: IncomingMessage) => Headers | undefined
}

export type CallerRoute = {
  method: 'POST'
  path: string
  name: string
  answer: (request: CallerRequest) => Promise<PlainAnswer>
}
export type CallerRequest = {
  caller: Caller
  headers: IncomingHttpHeaders
  query: string
  /** the address the connection came in at */
  localAddress: string | undefined
  /** strict JSON; undefined when there is none. Rejects with `BodyRefused` */
  body: (bytesMax: number) => Promise<unknown>
  /** spends one request of the caller's limits; the answer's headers tell what the last one left */
  spend: () => Promise<Spending>
  /** told of every call of a tool, once it is answered */
  toolCalled: ToolCalled
  /** bounds work by the time left for an answer; rejects with Outage */
  inTime: Deadline['inTime']
  now: Date
  requestId: string
  /** where the request's trace goes on */
  traceContext: TraceContext | undefined
}

/** A request to a host. */
type HostContext = AnswerContext & {
  host: Host
  caller?: Caller | undefined
  /** why the credential was refused, for the log */
  refused?: { cause: string } & PublicCredential
}

type Host = HostParts & { streams: Streams }

/** Of one partner, and of all. */
const streamsMax = { ofOne: 5, inAll: 200 }

/** A request at a door that needs a caller. */
type CallerContext = HostContext & {
  /** undefined until the credential is resolved */
  caller: Caller | undefined
  /** the time of the caller's own clock, once `ownTime` has run; `http.now` is always real time */
  now: Date
}

export function createHost(parts: HostParts): Front {
  const frame: Frame<HostContext> = {
    clock: parts.clock,
    sourceAddress: parts.sourceAddress,
    tracing: parts.tracing,
    // Answers are for their caller alone: no cache on the way may keep one, and no browser may take it for a page.
    headers: (request) => ({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...parts.links?.ofAnswer(),
      ...parts.browserClients?.mayRead(request),
    }),
    problem: ({ code, detail, errors }, requestId) => problemDocument(code as ProblemCode, requestId, detail, errors),
    problemHeaders: (code) => parts.links?.ofProblem(code as ProblemCode),
    asker: ({ http, caller, refused }) => ({
      partnerId: caller?.partnerId,
      clientId: caller?.clientId ?? clientIdForLog(http.claimedClient),
      certificate: caller?.certificate?.sha256,
      ...refused,
    }),
    observe: parts.observe,
    answered: (context, milliseconds) => {
      const call = parts.note && loggedCall(context, milliseconds)
      if (call) parts.note!(call)
    },
    log: parts.log,
  }
  const streams = createStreams(streamsMax)
  const host: Host = { ...parts, streams }
  const callerPaths: ReadonlySet<string> = new Set(parts.callerRoutes?.map((route) => route.path))
  const front = createFront({
    ownUrl: parts.ownUrl,
    serverFactory: parts.serverFactory,
    closingGraceMilliseconds: parts.closingGraceMilliseconds,
    log: parts.log,
    doors: [
      ...parts.operations.map(operationDoor),
      ...(parts.callerRoutes ?? []).map(callerDoor),
      ...(parts.plainRoutes ?? []).map(plainDoor),
    ],
    answerMissed: (request, response, allow) => {
      const mayBeSent = request.method === 'OPTIONS' && parts.browserClients?.maySend(request)
      if (mayBeSent) return answerPlainly(request, response, preflight(mayBeSent))
      const http = beginExchange(request, response, 'none', frame)
      const steps = callerPaths.has(pathOfRequest(request)) ? grid.mcpMissed : grid.missed
      return answer({ http, host, caller: undefined, now: http.now, allow }, steps, frame)
    },
  })

  return {
    ...front,
    close: () => {
      // Nobody else ends them, and the front waits for every answer.
      streams.close()
      return front.close()
    },
  }

  function operationDoor(operation: PartnerOperation): Door {
    const { entry } = operation
    const steps = entry.download?.goesOn ? grid.stream : entry.open && parts.allowsOpen ? grid.open : grid.operation
    return {
      method: methodOf(entry),
      path: pathOf(entry),
      answer: (request, response, texts) => {
        const http = beginExchange(request, response, entry.id, frame, pathOf(entry))
        const context: CallerContext & PartnerContext = {
          http,
          host,
          operation,
          raw: httpInputs(http, entry, texts),
          read: nothingRead(),
          caller: undefined,
          siteIds: [],
          stream: undefined,
          now: http.now,
          requestId: http.requestId,
          traceContext: http.traceContext,
          inTime: http.deadline.inTime,
          answered: undefined,
        }
        return answer(context, steps, frame)
      },
    }
  }

  function callerDoor(route: CallerRoute): Door {
    return {
      ...route,
      answer: (request, response) => {
        const http = beginExchange(request, response, route.name, frame, route.path)
        return answer({ http, host, caller: undefined, now: http.now, route }, grid.mcp, frame)
      },
    }
  }

  function plainDoor(route: PlainRoute): Door {
    return {
      ...route,
      answer: (request, response) =>
        parts.allowsOpen ? answerPlainly(request, response, route) : answerClosed(request, response, route),
    }
  }

  function answerPlainly(
    request: IncomingMessage,
    response: ServerResponse,
    route: PlainAnswering & { path?: string },
  ): Promise<void> {
    const http = beginExchange(request, response, route.name, frame, route.path)
    return answer({ http, host, route, bytes: undefined }, grid.plain, frame)
  }

  function answerClosed(
    request: IncomingMessage,
    response: ServerResponse,
    route: PlainAnswering & { path?: string },
  ): Promise<void> {
    const http = beginExchange(request, response, route.name, frame, route.path)
    const context = { http, host, caller: undefined, now: http.now, route, bytes: undefined }
    return answer(context, grid.closed, frame)
  }
}

/** An operation as a tool: the caller and the inputs come as values. */
export function performed(operation: PartnerOperation): PerformedOperation {
  async function taken(steps: typeof grid.tool, { caller, requestId, traceContext, now, inTime, ...raw }: RawCall) {
    const context: PartnerContext = {
      operation,
      raw,
      read: nothingRead(),
      caller,
      siteIds: [],
      stream: undefined,
      now,
      requestId,
      traceContext,
      inTime,
      answered: undefined,
    }
    await takeSteps(steps, context)
    return context.answered
  }
  return {
    entry: operation.entry,
    perform: async (call) => (await taken(grid.tool, call))!,
    check: async (call) => void (await taken(grid.toolCheck, call)),
  }
}

/** The edge firewall answers without a document. */
function edgeRule({ http, host }: HostContext): void {
  const { request, sourceAddress } = http
  if (host.edge.admits(sourceAddress, request.url ?? '', request.headers)) return
  throw new EarlyAnswer({ status: 403, headers: {}, body: '' })
}

async function credential(context: CallerContext): Promise<void> {
  const { http, host } = context
  context.caller = await http.deadline.inTime(host.identify(http.request, http.now, noteRefused(context)))
  if (!context.caller)
    throw new Refusal('invalid_token', undefined, { 'www-authenticate': host.challenge(http.request) })
}

function noteRefused(context: HostContext): NoteRefused {
  return (cause, known) => {
    context.refused = { cause, ...known }
  }
}

async function limits(context: CallerContext): Promise<void> {
  const spending = await spend(context)
  if (spending.allowed) return
  throw new Refusal('rate_limit_exceeded', undefined, { 'retry-after': String(spending.retryAfterSeconds) })
}

async function spend(context: CallerContext): Promise<Spending> {
  const { http, host } = context
  const spending = await http.deadline.inTime(host.throttle.spend(callerOf(context), http.now))
  Object.assign(http.headers, spending.headers)
  return spending
}

/** Only the sandbox's partners have clocks of their own. */
function ownTime(context: CallerContext): Promise<void> | undefined {
  const { partnerTime } = context.host
  return partnerTime && setOwnTime(context, partnerTime)
}

async function setOwnTime(context: CallerContext, partnerTime: PartnerTime): Promise<void> {
  const { http } = context
  context.now = await http.deadline.inTime(partnerTime(callerOf(context).partnerId, http.now))
}

/** The 503 comes from the streams themselves. */
function stream(context: CallerContext & PartnerContext): void {
  const { http, host } = context
  const lastEventId = http.request.headers['last-event-id'] as string | undefined
  context.stream = host.streams.open(callerOf(context).partnerId, http.response, lastEventId)
  if (!context.stream) throw new Refusal('too_many_streams', undefined, { 'retry-after': '60' })
}

/** It goes on as long as its credential does, which is looked at again and again. */
function answerStream(context: CallerContext & PartnerContext): Promise<void> {
  const { http, host, answered } = context
  const { partnerId } = callerOf(context)
  return sendEvents(context, streamOf(context), answered!.body as AsyncIterable<string>, {
    pulseMilliseconds: host.streamPulseMilliseconds,
    mayGoOn: async () =>
      (await host.identify(http.request, host.clock(), noteRefused(context)))?.partnerId === partnerId,
  })
}

async function callerAnswer(context: CallerContext & { route: CallerRoute; toolCalls?: number }): Promise<void> {
  const { http, host, route, now } = context
  const { request, deadline, requestId, traceContext } = http
  let spent: Promise<unknown> = Promise.resolve()
  const spendInTurn = (): Promise<Spending> => {
    const spending = spent.then(() => spend(context))
    spent = spending.catch(() => undefined)
    return spending
  }
  const answered = await route.answer({
    caller: callerOf(context),
    headers: request.headers,
    query: queryOf(request),
    localAddress: request.socket.localAddress,
    body: (bytesMax) => deadline.apart(() => readJsonBody(request, bytesMax)),
    spend: spendInTurn,
    toolCalled: (call) => {
      context.toolCalls = (context.toolCalls ?? 0) + 1
      host.note?.(loggedToolCall(context, call))
    },
    inTime: deadline.inTime,
    now,
    requestId,
    traceContext,
  })
  await answerPlain(http, answered)
}

/** Browsers send no credential when they ask whether they may send a request. */
function preflight(mayBeSent: Headers): PlainAnswering {
  return { name: 'preflight', bytesMax: 0, answer: async () => ({ status: 200, headers: mayBeSent, body: '' }) }
}
