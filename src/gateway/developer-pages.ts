import type { IncomingMessage } from 'node:http'
import { pathOfRequest } from '../http/reading/request-line.ts'
import type { BrowserClients } from './host.ts'

/**
 * CORS for the pages of the developer site: its portal, and the trying of operations in its reference. Pages of exactly
 * its origin may call the API, by a token and without cookies. Where a page takes part in signing in, a browser opens
 * it: no page reads it.
 */
const openPaths = /^\/(?:v1|developer|sandbox)\/|^\/oauth2\/(?:token|revoke)$/

const methods: readonly string[] = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE']
const sent =
  'authorization, content-type, if-match, if-none-match, last-event-id, mcp-protocol-version, mcp-method, mcp-name'
/** Headers that a page needs and that browsers hide by default. */
const read = 'etag, location, link, retry-after, ratelimit, ratelimit-policy, request-id, www-authenticate'
const keepSeconds = 600

/** @param developerUrl the developer site, as people reach it */
export function developerPages(developerUrl: () => string): BrowserClients {
  /** the Origin of a request that is open to the developer site */
  function pageOf(request: IncomingMessage): string | undefined {
    const { origin } = request.headers
    if (origin === undefined || !openPaths.test(pathOfRequest(request))) return undefined
    return origin === new URL(developerUrl()).origin ? origin : undefined
  }

  return {
    mayRead: (request) => {
      // Programs that are no web page send no Origin, and most requests are theirs.
      if (request.headers.origin === undefined) return {}
      const page = pageOf(request)
      const vary = { vary: 'origin' }
      return page === undefined
        ? vary
        : { 'access-control-allow-origin': page, 'access-control-expose-headers': read, ...vary }
    },
    maySend: (request) => {
      const asked = request.headers['access-control-request-method']
      if (pageOf(request) === undefined || asked === undefined || !methods.includes(asked)) return undefined
      // The answer to every request already names the page's origin.
      return {
        'access-control-allow-methods': methods.join(', '),
        'access-control-allow-headers': sent,
        'access-control-max-age': String(keepSeconds),
      }
    },
  }
}

/** Pages that one of these allows. What is said of an answer is what the first says, and where it allows nothing, the next. */
export function eitherOf(first: BrowserClients, next: BrowserClients): BrowserClients {
  return {
    mayRead: (request) => {
      const headers = first.mayRead(request)
      return 'access-control-allow-origin' in headers ? headers : { ...headers, ...next.mayRead(request) }
    },
    maySend: (request) => first.maySend(request) ?? next.maySend(request),
  }
}
