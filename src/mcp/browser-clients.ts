import type { IncomingMessage } from 'node:http'
import type { BrowserClients } from '../gateway/host.ts'
import { pathOfRequest } from '../http/reading/request-line.ts'
import { isPageAllowed } from './page-origins.ts'

/**
 * MCP clients that run in a web page, such as the Inspector's. A browser lets a page read an answer, or send a token,
 * only where the service allows it (Fetch standard §3.2). The service allows it for the endpoint, the documents that
 * lead to it and the grants of public clients, and only to pages that may call the endpoint anyway. Cookies are not
 * allowed, so a page acts by its own token alone.
 */
const openTo: Readonly<Record<string, 'GET' | 'POST'>> = {
  '/v1/mcp': 'POST',
  '/oauth2/token': 'POST',
  '/oauth2/revoke': 'POST',
  '/oauth2/jwks': 'GET',
}
/** The metadata of the host and of its endpoint (RFC 8414, RFC 9728, OpenID Connect Discovery). */
const documents =
  /^\/\.well-known\/(oauth-authorization-server(\/v1\/mcp)?|oauth-protected-resource(\/v1\/mcp)?|openid-configuration)$/

const sent = 'authorization, content-type, mcp-protocol-version, mcp-method, mcp-name'
/** Headers that a client needs and that browsers hide by default. */
const read = 'www-authenticate, retry-after, ratelimit, ratelimit-policy, request-id'
const keepSeconds = 600

/** @param hostUrls the URLs by which partners reach the hosts */
export function browserClients(hostUrls: () => readonly string[]): BrowserClients {
  const isAllowed = (origin: string | undefined): origin is string =>
    origin !== undefined && isPageAllowed(hostUrls(), origin)

  return {
    mayRead: (request): Record<string, string> => {
      const { origin } = request.headers
      if (methodAt(request) === undefined) return {}
      const vary = { vary: 'origin' }
      if (!isAllowed(origin)) return vary
      return { 'access-control-allow-origin': origin, 'access-control-expose-headers': read, ...vary }
    },
    maySend: (request) => {
      const { origin, 'access-control-request-method': asked } = request.headers
      const method = methodAt(request)
      if (!isAllowed(origin) || method === undefined || method !== asked) return undefined
      // The answer to every request already names the page's origin.
      return {
        'access-control-allow-methods': method,
        'access-control-allow-headers': sent,
        'access-control-max-age': String(keepSeconds),
      }
    },
  }
}

function methodAt(request: IncomingMessage): 'GET' | 'POST' | undefined {
  const path = pathOfRequest(request)
  return documents.test(path) ? 'GET' : Object.hasOwn(openTo, path) ? openTo[path] : undefined
}
