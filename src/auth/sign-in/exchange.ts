import { IncomingMessage, ServerResponse, type IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'

/**
 * The library speaks Node's request and response; the gateway speaks values. Here one becomes the other. The request the
 * library sees names the host as partners reach it, whatever a caller wrote into its own headers.
 */

/** A request of a page or of the library, as the gateway hands it over. */
export type PageRequest = {
  /** without its query */
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

/** What the library can be shown of a request: nothing that would tell it of another host. */
const shownHeaders = ['accept', 'accept-language', 'authorization', 'content-type', 'cookie', 'origin'] as const

export type Exchange = {
  request: IncomingMessage & { failure?: unknown }
  response: ServerResponse
  /** what was written into the response */
  answer: () => PageAnswer
}

/** @param baseUrl of the host as partners reach it; a path in it stands before the request's */
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
  // Where the path of the base URL stands before this path, the library finds it by the difference.
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

/** Pages of other origins are told nothing here, as on the rest of the host. */
const ownHeaders = /^(content-length|vary|access-control-.*)$/

function headersOf(response: ServerResponse): Record<string, string | readonly string[]> {
  return Object.fromEntries(
    Object.entries(response.getHeaders())
      .filter(([name]) => !ownHeaders.test(name))
      .map(([name, value]) => [name, Array.isArray(value) ? value : String(value)]),
  )
}
