import { publishedScope, scopes } from '../../vocabulary/scopes.ts'

/**
 * Where a client without a token is sent (RFC 9728): the challenge of every 401, and the metadata documents that name
 * the authorization server. It issues no tokens and signs no one in.
 */
export type MetadataDocument = {
  path: string
  answer: () => Promise<{ status: 200; headers: Record<string, string>; body: string }>
}

/** The path for which people may sign in. */
export const mcpPath = '/v1/mcp'

const wellKnown = '/.well-known/oauth-protected-resource'

/**
 * The metadata of the host as a whole and of its MCP endpoint, each under its own path: the document must name exactly
 * the resource that a client asked about (RFC 9728 §3.3).
 * @param baseUrl the bearer host as partners reach it, known once it listens; it is its own authorization server
 */
export function protectedResourceDocuments(baseUrl: () => string): MetadataDocument[] {
  return ['', mcpPath].map((resource) => ({
    path: wellKnown + resource,
    answer: async () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        resource: baseUrl() + resource,
        authorization_servers: [baseUrl()],
        scopes_supported: scopes.map(publishedScope),
        bearer_methods_supported: ['header'],
        resource_name: 'Partner Commerce API',
      }),
    }),
  }))
}

/**
 * The value of WWW-Authenticate on every 401. It names the metadata of the MCP endpoint, since only MCP clients look
 * for a way to sign in.
 */
export function bearerChallenge(baseUrl: string): string {
  return `Bearer resource_metadata="${baseUrl}${wellKnown}${mcpPath}"`
}
