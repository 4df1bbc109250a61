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
  OwnAnswer,
  type Answering,
  type Frame,
} from '../http/answering/answer.ts'
import type { Deadline } from '../http/answering/deadline.ts'
import { bytes, missedAnswer, plainAnswer, type PlainAnswering } from '../http/answering/plain.ts'
import { problemDocument } from '../http/answering/problem.ts'
import type { Headers } from '../http/answering/send.ts'
import { createFront, type Door, type Front, type FrontParts } from '../http/front.ts'
import { body, httpInputs, nothingRead, path, query } from '../http/perform.ts'
import type { PlainAnswer, PlainRoute } from '../http/plain-route.ts'
import { readJsonBody } from '../http/reading/read-body.ts'
import { queryOf } from '../http/reading/request-line.ts'
import { takeSteps } from '../http/steps.ts'
import type { Clock, PartnerTime } from '../vocabulary/clock.ts'
import type { Edge } from './edge/edge.ts'
import {
  callerOf,
  cursor,
  handler,
  scope,
  site,
  type PartnerOperation,
  type PartnerVisit,
  type PerformedOperation,
} from './perform.ts'
import type { Spending, Throttle } from './throttle/throttle.ts'

/**
 * A host of the partner API: what happens before and after a handler. It knows no resource and no credential: handlers
 * and the way to identify a caller come as values, a token on one host and a certificate on the other.
 */

/** What a request meets at each kind of door, in this order. */
// oxfmt-ignore
const grid = {
  operation: [edgeRule, credential, limits, ownTime, scope, path, query, cursor, body, site, handler, answerJson],
  /** `ping`, but where the connection brings a credential anyway: there it is an operation like any other */
  open:      [edgeRule,                                     path, query,         body,       handler, answerJson],
  /** the MCP endpoint; each call of a tool in it then takes the steps of a tool */
  mcp:       [edgeRule, credential, limits, ownTime,                                         callerAnswer],
  tool:      [                                       scope, path, query, cursor, body, site, handler],
  /** the token endpoint, which has credentials and limits of its own; documents, pages, and what browsers ask ahead */
  plain:     [edgeRule,                                               bytes,                 plainAnswer],
  /** no door at the path, or none for the method */
  missed:    [edgeRule, credential, limits,                                                  missedAnswer],
}

export type HostParts = {
  /** undefined = refuse with 401, whatever the cause */
  identify: (request: IncomingMessage, now: Date, requestId: string) => Promise<Caller | undefined>
  /** whether open operations answer without a credential: not where every connection brings one */
  allowsOpen: boolean
  /** value of WWW-Authenticate on every 401; it names an address of the host, which is known once it listens */
  challenge: () => string
  sourceAddress: (request: IncomingMessage) => string
  edge: Edge
  throttle: Throttle
  operations: readonly PartnerOperation[]
  clock: Clock
  /** what time it is for the caller's own doings; the world's unless told. Credentials and limits have the world's anyway */
  partnerTime?: PartnerTime
  log: Logger
  /** told of every answer, for metrics */
  observe: (operation: string, status: number, milliseconds: number) => void
  /** paths outside the contract, such as the token endpoint: answered behind the edge rule, with their own bodies */
  plainRoutes?: readonly PlainRoute[]
  /** paths outside the contract for known callers, such as the MCP endpoint: behind the credential and the limits too */
  callerRoutes?: readonly CallerRoute[]
  /** without it no web page may call */
  browserClients?: BrowserClients
} & Pick<FrontParts, 'serverFactory' | 'closingGraceMilliseconds'>

/** Web pages of other origins, which a browser keeps from sending and reading unless a host says that they may. */
export type BrowserClients = {
  /** what the answer tells the browser */
  mayRead: (request: IncomingMessage) => Headers
  /** what a browser is told that asks before it sends; undefined = it is answered like anybody */
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
  /** strict JSON, undefined when there is none. Rejects with `BodyRefused` */
  body: (bytesMax: number) => Promise<unknown>
  /** takes one more request of the caller's limits: the request itself is spent already */
  spend: () => Spending | Promise<Spending>
  /** lets work take what is left of the time for an answer */
  inTime: Deadline['inTime']
  now: Date
  requestId: string
}

/** A request to a host. */
type Arrival = Answering & { host: HostParts; caller?: Caller | undefined }

/** A request whose caller is asked for. */
type CallerArrival = Arrival & {
  /** undefined before the credential is resolved */
  caller: Caller | undefined
  /** the time of the caller's own clock, once it is known; until then the world's, as `http.now` is throughout */
  now: Date
}

export function createHost(parts: HostParts): Front {
  const frame: Frame<Arrival> = {
    clock: parts.clock,
    sourceAddress: parts.sourceAddress,
    headers: (request) => parts.browserClients?.mayRead(request),
    problem: (code, requestId, detail) => problemDocument(code as ProblemCode, requestId, detail),
    asker: ({ caller }) => ({ partnerId: caller?.partnerId }),
    observe: parts.observe,
    log: parts.log,
  }
  return createFront({
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
      return answer({ http, host: parts, caller: undefined, now: http.now, allow }, grid.missed, frame)
    },
  })

  function operationDoor(operation: PartnerOperation): Door {
    const { entry } = operation
    const steps = entry.open && parts.allowsOpen ? grid.open : grid.operation
    return {
      method: methodOf(entry),
      path: pathOf(entry),
      answer: (request, response, texts) => {
        const http = beginExchange(request, response, entry.id, frame)
        const visit: CallerArrival & PartnerVisit = {
          http,
          host: parts,
          operation,
          raw: httpInputs(http, entry, texts),
          read: nothingRead(),
          caller: undefined,
          siteIds: [],
          now: http.now,
          requestId: http.requestId,
          inTime: http.deadline.inTime,
          answered: undefined,
        }
        return answer(visit, steps, frame)
      },
    }
  }

  function callerDoor(route: CallerRoute): Door {
    return {
      ...route,
      answer: (request, response) => {
        const http = beginExchange(request, response, route.name, frame)
        return answer({ http, host: parts, caller: undefined, now: http.now, route }, grid.mcp, frame)
      },
    }
  }

  function plainDoor(route: PlainRoute): Door {
    return { ...route, answer: (request, response) => answerPlainly(request, response, route) }
  }

  function answerPlainly(request: IncomingMessage, response: ServerResponse, route: PlainAnswering): Promise<void> {
    const http = beginExchange(request, response, route.name, frame)
    return answer({ http, host: parts, route, bytes: undefined }, grid.plain, frame)
  }
}

/** An operation as a tool: a known caller, and inputs that come as values. */
export function performed(operation: PartnerOperation): PerformedOperation {
  return {
    entry: operation.entry,
    perform: async ({ caller, requestId, now, inTime, ...raw }) => {
      const visit: PartnerVisit = {
        operation,
        raw,
        read: nothingRead(),
        caller,
        siteIds: [],
        now,
        requestId,
        inTime,
        answered: undefined,
      }
      await takeSteps(grid.tool, visit)
      return visit.answered!
    },
  }
}

/** The edge firewall answers without a document. */
function edgeRule({ http, host }: Arrival): void {
  const { request, sourceAddress } = http
  if (host.edge.admits(sourceAddress, request.url ?? '', request.headers)) return
  throw new OwnAnswer({ status: 403, headers: {}, body: '' })
}

async function credential(arrival: CallerArrival): Promise<void> {
  const { http, host } = arrival
  arrival.caller = await http.deadline.inTime(host.identify(http.request, http.now, http.requestId))
  if (!arrival.caller) throw new Refusal('invalid_token', undefined, { 'www-authenticate': host.challenge() })
}

async function limits(arrival: CallerArrival): Promise<void> {
  const { http, host } = arrival
  const spending = await http.deadline.inTime(host.throttle.spend(callerOf(arrival), http.now))
  Object.assign(http.headers, spending.headers)
  if (spending.allowed) return
  throw new Refusal('rate_limit_exceeded', undefined, { 'retry-after': String(spending.retryAfterSeconds) })
}

/** From here on it is the time of the caller's own clock, which only the sandbox has. */
function ownTime(arrival: CallerArrival): Promise<void> | undefined {
  const { partnerTime } = arrival.host
  return partnerTime && setOwnTime(arrival, partnerTime)
}

async function setOwnTime(arrival: CallerArrival, partnerTime: PartnerTime): Promise<void> {
  const { http } = arrival
  arrival.now = await http.deadline.inTime(partnerTime(callerOf(arrival).partnerId, http.now))
}

async function callerAnswer(arrival: CallerArrival & { route: CallerRoute }): Promise<void> {
  const { http, host, route, now } = arrival
  const { request, deadline, requestId } = http
  const caller = callerOf(arrival)
  const answered = await route.answer({
    caller,
    headers: request.headers,
    query: queryOf(request),
    localAddress: request.socket.localAddress,
    body: (bytesMax) => deadline.apart(() => readJsonBody(request, bytesMax)),
    spend: () => host.throttle.spend(caller, http.now),
    inTime: deadline.inTime,
    now,
    requestId,
  })
  answerPlain(http, answered)
}

/** A browser that asks before it sends brings no credential. */
function preflight(mayBeSent: Headers): PlainAnswering {
  return { name: 'preflight', bytesMax: 0, answer: async () => ({ status: 200, headers: mayBeSent, body: '' }) }
}
