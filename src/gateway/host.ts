import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Caller } from '../contract/caller.ts'
import { methodOf, pathOf } from '../contract/operation.ts'
import { Refusal } from '../contract/refusal.ts'
import type { Clock, PartnerTime } from '../vocabulary/clock.ts'
import { asRefusal } from '../http/answering/as-refusal.ts'
import { startDeadline, type Deadline } from '../http/answering/deadline.ts'
import { problemDocument, problemMediaType } from '../http/answering/problem.ts'
import { send, sendPlain, type Headers } from '../http/answering/send.ts'
import type { Edge } from './edge/edge.ts'
import { createFront, type Door, type Front, type FrontParts, type PathTexts } from '../http/front.ts'
import type { PerformedOperation } from './perform.ts'
import type { PlainAnswer, PlainRoute } from '../http/plain-route.ts'
import { BodyRefused, CallerGone, readBytes, readDeclaredBody, readJsonBody } from '../http/reading/read-body.ts'
import { pathOfRequest, queryOf } from '../http/reading/request-line.ts'
import type { Spending, Throttle } from './throttle/throttle.ts'

/**
 * A host of the partner API: what happens before and after a handler. The steps, in the order a caller meets them, and
 * the hosts they stand on:
 *
 * | step                                   | bearer | mutual TLS | ping          | MCP           | token endpoint |
 * |----------------------------------------|--------|------------|---------------|---------------|----------------|
 * | edge rule: bare 403                    | yes    | yes        | yes           | yes           | yes            |
 * | credential: 401                        | token  | certificate| mutual TLS    | yes           | its own        |
 * | limits: 429                            | yes    | yes        | mutual TLS    | yes           | its own        |
 * | route: 404, 405                        | yes    | yes        | –             | 405           | –              |
 * | scope 403, path, query, body 400, site | yes    | yes        | query, body   | of each tool  | –              |
 * | handler                                | yes    | yes        | yes           | of each tool  | yes            |
 *
 * It knows no resource and no credential: handlers and the way to identify a caller come as values.
 */
export type HostParts = {
  /** undefined = refuse with 401, whatever the cause */
  identify: (request: IncomingMessage, now: Date, requestId: string) => Promise<Caller | undefined>
  /** whether operations marked `liveness` answer without a credential */
  livenessIsOpen: boolean
  /** value of WWW-Authenticate on every 401; it names an address of the host, which is known once it listens */
  challenge: () => string
  sourceAddress: (request: IncomingMessage) => string
  edge: Edge
  throttle: Throttle
  operations: readonly PerformedOperation[]
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

const nobody: Caller = {
  partnerId: '',
  partnerName: '',
  environment: 'PRODUCTION',
  authMethod: 'IDP_M2M',
  tier: 'TRIAL',
  siteIds: [],
  scopes: new Set(),
  clientId: null,
  tokenExpiresOn: null,
  certificate: null,
  user: null,
}

export function createHost(parts: HostParts): Front {
  const { edge, throttle, clock, log, plainRoutes = [], callerRoutes = [] } = parts
  return createFront({
    serverFactory: parts.serverFactory,
    closingGraceMilliseconds: parts.closingGraceMilliseconds,
    log,
    doors: [
      ...parts.operations.map((operation): Door => ({
        method: methodOf(operation.entry),
        path: pathOf(operation.entry),
        answer: (request, response, path) => serve(request, response, operation, path),
      })),
      ...callerRoutes.map((route): Door => ({
        ...route,
        answer: (request, response) => serve(request, response, route, {}),
      })),
      ...plainRoutes.map((route): Door => ({
        ...route,
        answer: (request, response) => servePlain(request, response, route),
      })),
    ],
    answerMissed: (request, response, allow) => {
      const allowed = request.method === 'OPTIONS' && parts.browserClients?.maySend(request)
      if (allowed) return servePlain(request, response, preflight(allowed))
      const refusal = allow ? new Refusal('method_not_allowed', undefined, { allow }) : new Refusal('route_not_found')
      return serve(request, response, { refusal }, {})
    },
  })

  function headersOf(request: IncomingMessage, requestId: string): Headers {
    return { 'request-id': requestId, ...parts.browserClients?.mayRead(request) }
  }

  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    route: PerformedOperation | CallerRoute | MissedRoute,
    path: PathTexts,
  ): Promise<void> {
    const startedAt = performance.now()
    const requestId = randomUUID()
    const now = clock()
    const headers = headersOf(request, requestId)
    const name = 'entry' in route ? route.entry.id : 'name' in route ? route.name : 'none'
    let status = 403
    let code: string | undefined
    let caller: Caller | undefined
    const deadline = startDeadline()
    try {
      if (!edge.admits(parts.sourceAddress(request), request.url ?? '', request.headers)) {
        response.writeHead(403, { ...headers, 'content-length': '0' }).end()
        return
      }
      if (!('entry' in route && route.entry.liveness && parts.livenessIsOpen)) {
        caller = await deadline.inTime(parts.identify(request, now, requestId))
        if (!caller) throw new Refusal('invalid_token', undefined, { 'www-authenticate': parts.challenge() })
        const spending = await deadline.inTime(throttle.spend(caller, now))
        Object.assign(headers, spending.headers)
        if (!spending.allowed) {
          throw new Refusal('rate_limit_exceeded', undefined, { 'retry-after': String(spending.retryAfterSeconds) })
        }
      }
      if ('refusal' in route) throw route.refusal
      const ownNow = parts.partnerTime && caller ? await deadline.inTime(parts.partnerTime(caller.partnerId, now)) : now
      if ('answer' in route) {
        const known = caller!
        const answer = await route.answer({
          caller: known,
          headers: request.headers,
          query: queryOf(request),
          localAddress: request.socket.localAddress,
          body: (bytesMax) => deadline.apart(() => readJsonBody(request, bytesMax)),
          spend: () => throttle.spend(known, now),
          inTime: deadline.inTime,
          now: ownNow,
          requestId,
        })
        status = answer.status
        sendPlain(response, answer, headers)
        return
      }
      const answered = await route.perform({
        caller: caller ?? nobody,
        requestId,
        now: ownNow,
        path,
        query: queryOf(request),
        body: () => deadline.apart(() => readDeclaredBody(request, route.entry.body)),
        inTime: deadline.inTime,
      })
      status = answered.status
      send(response, status, 'application/json', JSON.stringify(answered.body), headers, answered.headers)
    } catch (error) {
      if (error instanceof CallerGone) return
      const refusal = asRefusal(error, requestId, name, log)
      const problem = problemDocument(refusal.code, requestId, refusal.detail)
      status = problem.status
      code = problem.code
      send(response, status, problemMediaType, JSON.stringify(problem), headers, refusal.headers)
    } finally {
      deadline.end()
      const milliseconds = performance.now() - startedAt
      parts.observe(name, status, milliseconds)
      log.info(
        {
          requestId,
          operation: name,
          status,
          code,
          partnerId: caller?.partnerId,
          milliseconds: Math.round(milliseconds * 10) / 10,
        },
        'answered',
      )
    }
  }

  async function servePlain(request: IncomingMessage, response: ServerResponse, plain: PlainAnswering): Promise<void> {
    const startedAt = performance.now()
    const requestId = randomUUID()
    const headers = headersOf(request, requestId)
    const sourceAddress = parts.sourceAddress(request)
    let status = 403
    const deadline = startDeadline()
    try {
      if (!edge.admits(sourceAddress, request.url ?? '', request.headers)) {
        response.writeHead(403, { ...headers, 'content-length': '0' }).end()
        return
      }
      const body = await deadline.apart(() => readBytes(request, plain.bytesMax))
      const answer = await deadline.inTime(
        plain.answer({
          path: pathOfRequest(request),
          headers: request.headers,
          query: queryOf(request),
          body,
          sourceAddress,
          now: clock(),
          requestId,
        }),
      )
      status = answer.status
      sendPlain(response, answer, headers)
    } catch (error) {
      if (error instanceof CallerGone) return
      if (error instanceof BodyRefused && plain.refuseBody) {
        const answer = plain.refuseBody(error.message)
        status = answer.status
        return sendPlain(response, answer, headers)
      }
      const refusal =
        error instanceof BodyRefused
          ? new Refusal('invalid_request', error.message)
          : asRefusal(error, requestId, plain.name, log)
      const problem = problemDocument(refusal.code, requestId, refusal.detail)
      status = problem.status
      send(response, status, problemMediaType, JSON.stringify(problem), headers, refusal.headers)
    } finally {
      deadline.end()
      const milliseconds = performance.now() - startedAt
      parts.observe(plain.name, status, milliseconds)
      log.info(
        { requestId, operation: plain.name, status, milliseconds: Math.round(milliseconds * 10) / 10 },
        'answered',
      )
    }
  }
}

/** A browser's question is answered behind the edge rule alone: it carries no credential. */
function preflight(headers: Headers): PlainAnswering {
  return { name: 'preflight', bytesMax: 0, answer: async () => ({ status: 200, headers, body: '' }) }
}

type MissedRoute = { refusal: Refusal }
type PlainAnswering = Pick<PlainRoute, 'name' | 'bytesMax' | 'answer' | 'refuseBody'>
