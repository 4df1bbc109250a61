import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyServerFactory, type FastifyServerOptions } from 'fastify'
import type { Logger } from 'pino'
import type { Caller } from '../contract/caller.ts'
import { methodOf, pathOf, pathParameterNames, type Operation } from '../contract/operation.ts'
import { Refusal } from '../contract/refusal.ts'
import type { Clock } from '../vocabulary/clock.ts'
import { asRefusal } from './answering/as-refusal.ts'
import { startDeadline, type Deadline } from './answering/deadline.ts'
import { createDrain } from './answering/drain.ts'
import { problemDocument, problemMediaType } from './answering/problem.ts'
import type { Edge } from './edge/edge.ts'
import type { PerformedOperation, RawCall } from './perform.ts'
import { BodyRefused, CallerGone, readBytes, readJsonBody, refuseBody } from './reading/read-body.ts'
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
  log: Logger
  /** told of every answer, for metrics */
  observe: (operation: string, status: number, milliseconds: number) => void
  /** paths outside the contract, such as the token endpoint: answered behind the edge rule, with their own bodies */
  plainRoutes?: readonly PlainRoute[]
  /** paths outside the contract for known callers, such as the MCP endpoint: behind the credential and the limits too */
  callerRoutes?: readonly CallerRoute[]
  serverFactory?: FastifyServerFactory
  /** how long, once it closes, connections may rest before they are ended; not at all unless told */
  closingGraceMilliseconds?: number
}

export type PlainRoute = {
  method: 'GET' | 'POST'
  path: string
  name: string
  bytesMax: number
  answer: (request: PlainRequest) => Promise<PlainAnswer>
}
export type PlainRequest = {
  headers: IncomingHttpHeaders
  query: string
  body: Buffer
  sourceAddress: string
  now: Date
  requestId: string
}
export type PlainAnswer = { status: number; headers: Readonly<Record<string, string>>; body: string }

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

type Route = PerformedOperation
type Headers = Record<string, string>

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

export function createHost(parts: HostParts): FastifyInstance {
  const { edge, throttle, clock, log } = parts
  const options: FastifyServerOptions = {
    logger: false,
    exposeHeadRoutes: false,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    routerOptions: { maxParamLength: 500 },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerUnreadable,
    frameworkErrors: (_error, request, reply) => {
      reply.hijack()
      void serveByHand(request.raw, reply.raw)
    },
    ...(parts.serverFactory ? { serverFactory: parts.serverFactory } : {}),
  }
  const app = Fastify(options)
  const drain = createDrain(parts.closingGraceMilliseconds ?? 0)
  app.addHook('preClose', () => drain.finish(app.server))
  app.removeAllContentTypeParsers()
  // Bodies are read when their turn comes, after the credential, the path and the query.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))

  for (const route of parts.operations) {
    app.route({
      method: methodOf(route.entry),
      url: pathOf(route.entry).replaceAll(/\{(\w+)\}/g, ':$1'),
      handler: (request, reply) => {
        reply.hijack()
        void serve(request.raw, reply.raw, route, request.params as RawCall['path'])
      },
    })
  }
  const { plainRoutes = [], callerRoutes = [] } = parts
  for (const plain of plainRoutes) {
    app.route({
      method: plain.method,
      url: plain.path,
      handler: (request, reply) => {
        reply.hijack()
        void servePlain(request.raw, reply.raw, plain)
      },
    })
  }
  for (const route of callerRoutes) {
    app.route({
      method: route.method,
      url: route.path,
      handler: (request, reply) => {
        reply.hijack()
        void serve(request.raw, reply.raw, route, {})
      },
    })
  }
  app.setNotFoundHandler((request, reply) => {
    reply.hijack()
    void serveByHand(request.raw, reply.raw)
  })
  const shapes = [
    ...parts.operations.map((route) => ({
      route,
      method: methodOf(route.entry) as string,
      form: pathForm(pathOf(route.entry)),
    })),
    ...[...plainRoutes, ...callerRoutes].map(({ method, path }) => ({
      route: undefined,
      method: method as string,
      form: pathForm(path),
    })),
  ]
  return app

  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    route: Route | CallerRoute | MissedRoute,
    path: RawCall['path'],
  ) {
    drain.begin(response)
    const startedAt = performance.now()
    const requestId = randomUUID()
    const now = clock()
    const headers: Headers = { 'request-id': requestId }
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
          now,
          requestId,
        })
        status = answer.status
        sendPlain(response, answer, headers)
        return
      }
      const answered = await route.perform({
        caller: caller ?? nobody,
        requestId,
        now,
        path,
        query: queryOf(request),
        body: () => deadline.apart(() => bodyOf(request, route.entry)),
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

  /** Paths the router does not know, cannot decode or finds too long: a malformed id is still that id's own 400. */
  async function serveByHand(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?', 1)[0]!
    const fitting = shapes.filter((shape) => shape.form.test(path))
    const exact = fitting.find((shape) => shape.method === request.method)?.route
    if (exact) {
      const texts = exact.entry ? path.match(pathForm(pathOf(exact.entry)))!.slice(1) : []
      const names = pathParameterNames(exact.entry)
      return serve(request, response, exact, Object.fromEntries(names.map((name, index) => [name, texts[index]])))
    }
    const allow = [...new Set(fitting.map((shape) => shape.method))].toSorted().join(', ')
    const refusal = allow ? new Refusal('method_not_allowed', undefined, { allow }) : new Refusal('route_not_found')
    return serve(request, response, { refusal }, {})
  }

  async function servePlain(request: IncomingMessage, response: ServerResponse, plain: PlainRoute): Promise<void> {
    drain.begin(response)
    const startedAt = performance.now()
    const requestId = randomUUID()
    const headers: Headers = { 'request-id': requestId }
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

type MissedRoute = { refusal: Refusal }

function send(
  response: ServerResponse,
  status: number,
  mediaType: string,
  text: string,
  headers: Headers,
  more?: Readonly<Record<string, string>>,
): void {
  if (response.destroyed) return
  response.writeHead(status, {
    'content-type': mediaType,
    'content-length': Buffer.byteLength(text),
    ...headers,
    ...more,
  })
  response.end(text)
}

function sendPlain(response: ServerResponse, answer: PlainAnswer, headers: Headers): void {
  if (response.destroyed) return
  response.writeHead(answer.status, {
    ...headers,
    ...answer.headers,
    'content-length': Buffer.byteLength(answer.body),
  })
  response.end(answer.body)
}

function queryOf(request: IncomingMessage): string {
  const url = request.url ?? ''
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark + 1)
}

const bodyBytesMax = 262_144

function bodyOf(request: IncomingMessage, entry: Operation): Promise<unknown> {
  return entry.body ? readJsonBody(request, entry.body.bytesMax ?? bodyBytesMax) : refuseBody(request)
}

/** `/v1/orders/{orderNumber}` → a form whose groups are the raw segments */
function pathForm(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`)
}

/** What cannot even be read as HTTP (headers too large, a body that never comes, garbage) still gets a document. */
function answerUnreadable(_error: Error, socket: Socket): void {
  if (!socket.writable) return void socket.destroy()
  const requestId = randomUUID()
  const text = JSON.stringify(problemDocument('invalid_request', requestId, 'The request could not be read.'))
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: ${problemMediaType}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n` +
      `Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${text}`,
  )
}
