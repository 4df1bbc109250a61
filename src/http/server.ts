import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

/**
 * An HTTP server that answers every request in the host's own form. Node would answer some by itself, with a bare
 * status or by hanging up: those it cannot parse, CONNECT, an unknown `Expect`, a missing `Host`. Here each of them
 * gets a 400 from the host.
 */
export type HttpServerParts = {
  /** answers every request that is not refused here */
  answer: RequestListener
  /** the host's form of a 400; `says` is a sentence */
  refusal: (says: string) => RefusedRequest
  /** as clients reach the host, known once it listens */
  ownUrl: () => string
  /** in place of Node's plain server */
  serverFactory?: ServerFactory | undefined
}

export type RefusedRequest = { headers: Readonly<Record<string, string>>; text: string }

export type ServerFactory = (options: ServerOptions) => Server

/** How long the rest of an unparseable request is read and discarded, so that its sender can still read the answer. */
const lingerMilliseconds = 5_000

export function createHttpServer(parts: HttpServerParts, options: ServerOptions): Server {
  const { answer, serverFactory = createServer } = parts
  const server = serverFactory({
    ...options,
    // Otherwise Node refuses it without a document.
    requireHostHeader: false,
    // Node would silently keep the first of two `Host` or `Authorization` headers. Joined, they match no valid form.
    joinDuplicateHeaders: true,
  })
  // A client may close its half of the connection once its request is complete, and still reads the answer.
  Object.assign(server, { httpAllowHalfOpen: true })
  /** the latest response of a connection */
  const responses = new WeakMap<Duplex, ServerResponse>()
  const refused = new WeakSet<Duplex>()

  server.on('request', (request, response) => {
    responses.set(request.socket, response)
    for (const [name, value] of Object.entries(strictTransport(parts.ownUrl()))) response.setHeader(name, value)
    const fault = messageFault(request)
    if (fault === undefined) answer(request, response)
    else refuse(response, fault)
  })
  server.on('checkExpectation', (_request, response) =>
    refuse(response, 'The only expectation this server knows is 100-continue.'),
  )
  server.on('connect', (_request, socket) => {
    // Node no longer handles errors of a connection it has handed over.
    socket.on('error', () => socket.destroy())
    socket.resume()
    refuseNext(socket, 'CONNECT is not offered: this is not a proxy.')
  })
  server.on('clientError', (_error, socket) => {
    // Each further piece of an unparseable request comes here again.
    if (refused.has(socket)) return
    const response = responses.get(socket)
    if (!socket.writable) socket.destroy()
    else if (response?.headersSent && !response.writableEnded) socket.destroy()
    // A request that was answered gets no second answer for the rest of its body.
    else if (response?.headersSent && !response.req.complete) hangUp(socket, '')
    else refuseNext(socket, 'The request could not be read.')
  })
  return server

  function refusal(says: string): RefusedRequest {
    const { headers, text } = parts.refusal(says)
    return { headers: { ...headers, ...strictTransport(parts.ownUrl()) }, text }
  }

  function refuse(response: ServerResponse, says: string): void {
    const { headers, text } = refusal(says)
    response.writeHead(400, { ...headers, ...framing(text) }).end(text)
  }

  /** Refuses what follows on a connection, after the answer to the request before it. */
  function refuseNext(socket: Duplex, says: string): void {
    const previous = responses.get(socket)
    if (!previous?.req.complete || previous.writableFinished) return refuseConnection(socket, says)
    refused.add(socket)
    previous.once('close', () => (socket.writable ? refuseConnection(socket, says) : socket.destroy()))
  }

  /** The same refusal where there is no response object to write to. */
  function refuseConnection(socket: Duplex, says: string): void {
    const { headers, text } = refusal(says)
    const lines = Object.entries({ ...headers, ...framing(text), date: new Date().toUTCString() })
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    hangUp(socket, `HTTP/1.1 400 Bad Request\r\n${head}\r\n${text}`)
  }

  function hangUp(socket: Duplex, last: string): void {
    refused.add(socket)
    socket.end(last)
    const patience = setTimeout(() => socket.destroy(), lingerMilliseconds).unref()
    socket.once('close', () => clearTimeout(patience))
  }
}

/** Where clients reach a host by https, they never ask it by http again (RFC 6797). */
function strictTransport(ownUrl: string): Record<string, string> {
  return ownUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}
}

function framing(text: string): Record<string, string> {
  return { 'content-length': String(Buffer.byteLength(text)), connection: 'close' }
}

/** What a parsed request must not be: without one valid host (RFC 9112 §3.2), or coded for its transfer (§6.1). */
function messageFault({ headers }: IncomingMessage): string | undefined {
  const { host, 'transfer-encoding': transferEncoding } = headers
  if (host === undefined) return 'The Host header is missing.'
  if (host.includes(',')) return 'The request must have one Host header, not several.'
  if (!hostForm.test(host)) return 'The Host header must name a host, and a port if need be, such as example.com:443.'
  // Node reads the chunks of any coding and would take the coded bytes for the body.
  if (transferEncoding !== undefined && transferEncoding.toLowerCase() !== 'chunked') {
    return 'The only Transfer-Encoding this server knows is chunked.'
  }
  return undefined
}

/** A name, an IPv4 address or an IPv6 address in brackets, and a port (RFC 3986 §3.2.2). */
const hostForm = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+;=%-]+)(?::\d{1,5})?$/i

/** Answers the port. Rejects when the address or port is not available. */
export async function listenAt(server: Server, address: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, address, () => {
      server.off('error', reject)
      resolve()
    })
  })
  return (server.address() as AddressInfo).port
}
