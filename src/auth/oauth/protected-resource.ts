import { publishedScope, scopes } from '../../vocabulary/scopes.ts'

/**
 * Where a client without a token is sent (RFC 9728): the challenge of every 401, and the metadata documents that name the
 * authorization server. It owns no token and no sign-in.
 */
export type MetadataDocument = {
  path: string
  answer: () => Promise<{ status: 200; headers: Record<string, string>; body: string }>
}

/** The part of the host that people may sign in for. */
export const mcpPath = '/v1/mcp'

const wellKnown = '/.well-known/oauth-protected-resource'

/**
 * The metadata of the host as a whole and of its MCP endpoint, each under its own path: a client must find in a document
 * the very resource it asked about (RFC 9728 §3.3).
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

/** The value of WWW-Authenticate on every 401. Only MCP clients look for a way to sign in, so it is theirs that is named. */
export function bearerChallenge(baseUrl: string): string {
  return `Bearer resource_metadata="${baseUrl}${wellKnown}${mcpPath}"`
}
