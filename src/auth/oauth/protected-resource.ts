import { isMcpQuery } from '../../contract/toolsets.ts'
import { publishedScope, scopes } from '../../vocabulary/scopes.ts'

/**
 * Where a client without a token is sent (RFC 9728): the challenge of every 401, and the metadata documents that name
 * the authorization server. It issues no tokens and signs no one in.
 */
export type MetadataDocument = {
  path: string
  answer: (request: { query: string }) => Promise<{ status: 200; headers: Record<string, string>; body: string }>
}

/** The path for which people may sign in. */
export const mcpPath = '/v1/mcp'

const wellKnown = '/.well-known/oauth-protected-resource'

/**
 * The metadata of the host as a whole and of its MCP endpoint, each under its own path: the document must name exactly
 * the resource that a client asked about (RFC 9728 §3.3), with the query that narrows the endpoint.
 * @param baseUrl the bearer host as partners reach it, known once it listens; it is its own authorization server
 */
export function protectedResourceDocuments(baseUrl: () => string): MetadataDocument[] {
  return ['', mcpPath].map((resource) => ({
    path: wellKnown + resource,
    answer: async ({ query }) => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        resource: baseUrl() + resource + (resource === mcpPath ? narrowing(query) : ''),
        authorization_servers: [baseUrl()],
        scopes_supported: scopes.map(publishedScope),
        bearer_methods_supported: ['header'],
        resource_name: 'Partner Commerce API',
      }),
    }),
  }))
}

/** The query of the endpoint's address, with its question mark; empty if it is none that the endpoint accepts. */
function narrowing(query: string): string {
  return query !== '' && isMcpQuery(query) ? `?${query}` : ''
}

/** Whether a token may be for this resource: the host or its MCP endpoint, whatever narrows that. */
export function isResourceOf(baseUrl: string, resource: string): boolean {
  const endpoint = baseUrl + mcpPath
  if ([endpoint, baseUrl, `${baseUrl}/`].includes(resource)) return true
  return resource.startsWith(`${endpoint}?`) && isMcpQuery(resource.slice(endpoint.length + 1))
}

/**
 * The value of WWW-Authenticate on every 401. It names the metadata of the MCP endpoint, since only MCP clients look
 * for a way to sign in: as the address of the request narrows it, because some clients compare that with the metadata
 * to the last character.
 * @param request its target, as it came
 */
export function bearerChallenge(baseUrl: string, request: { path: string; query: string }): string {
  const narrowed = request.path === mcpPath ? narrowing(request.query) : ''
  return `Bearer resource_metadata="${baseUrl}${wellKnown}${mcpPath}${narrowed}"`
}
