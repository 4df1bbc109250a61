import { IncomingMessage, ServerResponse, type IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'

/**
 * The library uses Node's request and response, and the gateway uses values; this converts between them. The request
 * that the library sees names the host as partners reach it, whatever a caller wrote into its headers.
 */

/** A request to a page or to the library, as the gateway passes it on. */
export type PageRequest = {
  /** without the query */
  path: string
  headers: IncomingHttpHeaders
  query: string
  body: Uint8Array
  sourceAddress: string
  now: Date
  requestId: string
}

export type PageAnswer = {
  status: number
  headers: Readonly<Record<string, string | readonly string[]>>
  body: string
}

/** The headers the library is shown: none that names another host. */
const shownHeaders = ['accept', 'accept-language', 'authorization', 'content-type', 'cookie', 'origin'] as const

export type Exchange = {
  request: IncomingMessage & { failure?: unknown }
  response: ServerResponse
  /** the answer that was written into the response */
  answer: () => PageAnswer
}

/** @param baseUrl of the host as partners reach it; its path, if any, precedes the request's */
export function openExchange(
  baseUrl: string,
  method: 'GET' | 'POST',
  asked: Pick<PageRequest, 'path' | 'query' | 'headers' | 'body'>,
): Exchange {
  const base = new URL(baseUrl)
  const socket = { encrypted: base.protocol === 'https:', remoteAddress: '' } as unknown as Socket
  const request: Exchange['request'] = new IncomingMessage(socket)
  request.method = method
  request.url = asked.path + (asked.query === '' ? '' : `?${asked.query}`)
  for (const name of shownHeaders) {
    const value = asked.headers[name]
    if (value !== undefined) request.headers[name] = value
  }
  request.headers.host = base.host
  if (asked.body.length > 0) request.headers['content-length'] = String(asked.body.length)
  request.push(asked.body)
  request.push(null)
  request.complete = true
  // From the difference the library knows the path of the base URL.
  Object.assign(request, { originalUrl: base.pathname.replace(/\/$/, '') + request.url })

  const response = new ServerResponse(request)
  const pieces: Buffer[] = []
  const keep = (piece: unknown): void => {
    if (typeof piece === 'string' || piece instanceof Uint8Array) pieces.push(Buffer.from(piece as string))
  }
  response.write = ((piece: unknown) => {
    keep(piece)
    return true
  }) as ServerResponse['write']
  response.end = ((piece: unknown) => {
    keep(piece)
    return response
  }) as ServerResponse['end']
  return {
    request,
    response,
    answer: () => ({
      status: response.statusCode,
      headers: headersOf(response),
      body: Buffer.concat(pieces).toString(),
    }),
  }
}

/** The library's CORS headers are left out: the host offers nothing to pages of other origins. */
const ownHeaders = /^(content-length|vary|access-control-.*)$/

function headersOf(response: ServerResponse): Record<string, string | readonly string[]> {
  return Object.fromEntries(
    Object.entries(response.getHeaders())
      .filter(([name]) => !ownHeaders.test(name))
      .map(([name, value]) => [name, Array.isArray(value) ? value : String(value)]),
  )
}
