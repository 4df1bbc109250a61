import type { IncomingHttpHeaders } from 'node:http'
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Logger } from 'pino'
import { callTool, type ToolCaller } from './call-tool.ts'
import { inOneSentence } from './plain-errors.ts'
import type { McpTools } from './tools.ts'

/**
 * The Model Context Protocol, spoken by its library in both eras: revision 2026-07-28, where every request is
 * self-contained, and the earlier ones, which begin with `initialize`. No state is kept between messages.
 */
export type Protocol = {
  /** whether a message, or a batch, belongs to the earlier era */
  isEarlier: (message: unknown, headers: IncomingHttpHeaders) => Promise<boolean>
  serveEarlier: (message: unknown, headers: IncomingHttpHeaders, caller: ToolCaller) => Promise<Response>
  serveCurrent: (message: unknown, headers: IncomingHttpHeaders, caller: ToolCaller) => Promise<Response>
}

export const serverInfo = { name: 'partner-commerce', title: 'Partner Commerce', version: '1.0.0' }

/** How long a client may cache the list of tools: scopes change rarely, and every call is checked anyway. */
const keep = { ttlMs: 300_000, cacheScope: 'private' } as const

const instructions = `
Tools of the Partner Commerce API: orders, proofs, catalog, quotes, users, divisions and credit of the storefront sites
granted to you. Begin with get_me, which shows your sites, scopes and limits.
Lists are pages: call again with nextCursor as cursor, and the same filters, until it is null.
Money is an exact decimal text; null means not priced, which is not zero.
A failed call holds a problem document: branch on its code, and do not repeat a 4xx call unchanged, except 429.
`.trim()

export function mcpProtocol(tools: McpTools, log: Logger): Protocol {
  function serverFor(caller: ToolCaller): Server {
    const server = new Server(serverInfo, {
      capabilities: { tools: {} },
      instructions,
      cacheHints: { 'tools/list': keep, 'server/discover': keep },
    })
    server.setRequestHandler('tools/list', () => ({ tools: tools.of(caller.caller) }))
    server.setRequestHandler('tools/call', ({ params }) => {
      const tool = tools.byName(params.name)
      if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name.slice(0, 100)}`)
      return callTool(tool, params.arguments ?? {}, caller, log)
    })
    return server
  }

  const current = createMcpHandler(({ authInfo }) => serverFor(authInfo!.extra!.caller as ToolCaller), {
    legacy: 'reject',
    // The list of tools changes only with scopes, so there is nothing to subscribe to.
    maxSubscriptions: 0,
    onerror: (error) => log.info({ cause: error.message }, 'mcp message refused'),
  })

  return {
    isEarlier: (message, headers) => isLegacyRequest(posted(headers), message),
    serveCurrent: async (message, headers, caller) =>
      inOneSentence(
        await current.fetch(posted(headers), {
          authInfo: { token: '', clientId: '', scopes: [], extra: { caller } },
          parsedBody: message,
        }),
      ),
    serveEarlier: async (message, headers, caller) => {
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: undefined,
        enableJsonResponse: true,
      })
      const server = serverFor(caller)
      await server.connect(transport)
      try {
        return await inOneSentence(await transport.handleRequest(posted(headers), { parsedBody: message }))
      } finally {
        await server.close()
      }
    },
  }
}

/**
 * The request in the form the library expects. Its body is read already. Answers are always JSON, so a client need not
 * accept a stream as well.
 */
function posted(headers: IncomingHttpHeaders): Request {
  const own = Object.entries(headers).filter(([name]) => name.startsWith('mcp-')) as [string, string][]
  return new Request('http://host/v1/mcp', {
    method: 'POST',
    headers: [...own, ['accept', 'application/json, text/event-stream'], ['content-type', 'application/json']],
  })
}
