import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyServerFactory } from 'fastify'
import { createDrain } from './answering/drain.ts'
import { problemDocument, problemMediaType } from './answering/problem.ts'
import { send } from './answering/send.ts'
import { pathOfRequest } from './reading/request-line.ts'

/**
 * What every host that speaks HTTP for us is before it answers anything: it listens, finds what answers a path, and stops
 * without losing a request. It knows no operation, no caller and no form of an answer.
 */
export type Front = {
  /** Starts to listen; answers the port. Rejects when the address or port cannot be had. */
  listen: (address: string, port: number) => Promise<number>
  /** undefined = it does not listen */
  port: () => number | undefined
  /** takes nothing more, and resolves when all that was taken is answered */
  close: () => Promise<void>
}

/** By the names in the path's template: decoded, or as they came where they cannot be decoded or are too long. */
export type PathTexts = Readonly<Record<string, string | undefined>>

/** A method on a path, and what answers there. */
export type Door = {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** `{name}` stands for any one segment */
  path: string
  answer: (request: IncomingMessage, response: ServerResponse, path: PathTexts) => Promise<void>
}

export type FrontParts = {
  doors: readonly Door[]
  /** answers where no door is; `allow` names the methods that the path has, separated by commas */
  answerMissed: (request: IncomingMessage, response: ServerResponse, allow: string | undefined) => Promise<void>
  serverFactory?: FastifyServerFactory | undefined
  /** how long, once it closes, connections may rest before they are ended */
  closingGraceMilliseconds: number
}

export function createFront({ doors, answerMissed, serverFactory, closingGraceMilliseconds }: FrontParts): Front {
  const app = Fastify({
    logger: false,
    exposeHeadRoutes: false,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    routerOptions: { maxParamLength: 500 },
    return503OnClosing: false,
    // Node would refuse it without a document.
    http: { requireHostHeader: false },
    clientErrorHandler: answerUnreadable,
    frameworkErrors: (_error, request, reply) => {
      reply.hijack()
      answerByHand(request.raw, reply.raw)
    },
    ...(serverFactory && { serverFactory }),
  })
  const drain = createDrain(closingGraceMilliseconds)
  app.removeAllContentTypeParsers()
  // Bodies are read when their turn comes, after the credential, the path and the query.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  for (const { method, path, answer } of doors) {
    app.route({
      method,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      handler: (request, reply) => {
        reply.hijack()
        drain.begin(reply.raw)
        if (namesNoHost(request.raw)) answerHostless(reply.raw)
        else void answer(request.raw, reply.raw, request.params as PathTexts)
      },
    })
  }
  app.setNotFoundHandler((request, reply) => {
    reply.hijack()
    answerByHand(request.raw, reply.raw)
  })
  const shapes = doors.map((door) => ({ door, form: pathForm(door.path) }))

  /** Paths the router does not know, cannot decode or finds too long: a malformed id is still that id's own 400. */
  function answerByHand(request: IncomingMessage, response: ServerResponse): void {
    drain.begin(response)
    if (namesNoHost(request)) return answerHostless(response)
    const path = pathOfRequest(request)
    const fitting = shapes.filter(({ form }) => form.test(path))
    const exact = fitting.find(({ door }) => door.method === request.method)
    if (exact) return void exact.door.answer(request, response, exact.form.exec(path)!.groups ?? {})
    const allow = [...new Set(fitting.map(({ door }) => door.method))].toSorted().join(', ')
    void answerMissed(request, response, allow || undefined)
  }

  const port = (): number | undefined => (app.server.address() as { port: number } | null)?.port
  return {
    listen: async (address, wanted) => {
      await app.listen({ host: address, port: wanted })
      return port()!
    },
    port,
    close: async () => {
      // Before the router hears of it: it would send clients away, and they would come back to a closing door.
      await drain.finish(app.server)
      await app.close()
    },
  }
}

/** `/v1/orders/{orderNumber}` → a form whose named groups are the raw segments */
function pathForm(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
}

/** RFC 9112 §3.2: such a request is refused with 400. */
function namesNoHost({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion === '1.1'
}

function answerHostless(response: ServerResponse): void {
  const { requestId, text } = unreadable('The Host header is missing.')
  send(response, 400, problemMediaType, text, { 'request-id': requestId, connection: 'close' })
}

/** What cannot even be read as HTTP (headers too large, a body that never comes, garbage) still gets a document. */
function answerUnreadable(_error: Error, socket: Socket): void {
  if (!socket.writable) return void socket.destroy()
  const { requestId, text } = unreadable('The request could not be read.')
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: ${problemMediaType}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n` +
      `Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${text}`,
  )
}

function unreadable(says: string): { requestId: string; text: string } {
  const requestId = randomUUID()
  return { requestId, text: JSON.stringify(problemDocument('invalid_request', requestId, says)) }
}
