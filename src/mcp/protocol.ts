import type { IncomingHttpHeaders } from 'node:http'
import {
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Logger } from 'pino'
import type { JsonObject } from '../vocabulary/json.ts'
import { narrownessOf, type McpAddress } from './address.ts'
import { callTool, type ToolCaller } from './call-tool.ts'
import { complete } from './completions.ts'
import { canAsk, confirmations } from './confirmation.ts'
import { inOneSentence } from './plain-errors.ts'
import { beginPrompt, promptsFor } from './prompts.ts'
import { operationReader } from './read-operation.ts'
import { listResources, readResource, templatesFor, variablesOf } from './resources.ts'
import { isAt, type McpTools } from './tools.ts'
import type { KeyRing } from '../vocabulary/keys.ts'

/** Who asks, and at which address. */
export type Asker = ToolCaller & { address: McpAddress }

/**
 * The Model Context Protocol, spoken by its library in both eras: revision 2026-07-28, where every request is
 * self-contained, and the earlier ones, which begin with `initialize`. No state is kept between messages.
 */
export type Protocol = {
  /** whether a message, or a batch, belongs to the earlier era */
  isEarlier: (message: unknown, headers: IncomingHttpHeaders) => Promise<boolean>
  serveEarlier: (message: unknown, headers: IncomingHttpHeaders, asker: Asker) => Promise<Response>
  serveCurrent: (message: unknown, headers: IncomingHttpHeaders, asker: Asker) => Promise<Response>
}

export const serverInfo = { name: 'partner-commerce', title: 'Partner Commerce', version: '1.0.0' }

/** How long a client may cache what it is offered: scopes change rarely, and every call is checked anyway. */
const keep = { ttlMs: 300_000, cacheScope: 'private' } as const

const instructions = `
Tools of the Partner Commerce API: orders, proofs, catalog, quotes, users, divisions and credit of the storefront sites
granted to you. Begin with get_me, which shows your sites, scopes and limits.
Lists are pages: call again with nextCursor as cursor, and the same filters, until it is null.
Money is an exact decimal text; null means not priced, which is not zero.
A failed call holds a problem document: branch on its code, and do not repeat a 4xx call unchanged, except 429.
`.trim()

export function mcpProtocol(tools: McpTools, confirmationKeys: KeyRing, log: Logger): Protocol {
  const confirming = confirmations(confirmationKeys, tools)

  function serverFor(asker: Asker): Server {
    const { address, ...by } = asker
    const { caller } = by
    const narrowness = narrownessOf(address)
    const read = operationReader(tools, by, log)
    const offers = (names: readonly string[]): boolean => tools.offers(names, caller, address)
    const server = new Server(serverInfo, {
      capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
      instructions: narrowness === undefined ? instructions : `${instructions}\n${narrowness}`,
      cacheHints: {
        'tools/list': keep,
        'prompts/list': keep,
        'resources/templates/list': keep,
        'server/discover': keep,
      },
      requestState: { verify: confirming.verify },
    })
    server.setRequestHandler('tools/list', () => ({ tools: tools.of(caller, address) }))
    server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
      const { name, arguments: args = {} } = params
      const tool = tools.byName(name)
      if (!tool) throw invalid(`Unknown tool: ${name.slice(0, 100)}`)
      if (!isAt(address, tool)) throw invalid(`The tool ${name} is not offered here. ${narrowness}`)
      // Earlier revisions ask over a stream, which is not offered. Only the current one says here what the client can.
      const envelope = mcpReq.envelope as JsonObject | undefined
      if (!tool.asks || !canAsk(envelope?.[CLIENT_CAPABILITIES_META_KEY])) return callTool(tool, args, by, log)
      return callTool(tool, args, by, log, () =>
        confirming.settle(tool, args as JsonObject, by, {
          responses: mcpReq.inputResponses,
          state: mcpReq.requestState(),
        }),
      )
    })
    server.setRequestHandler('prompts/list', () => ({ prompts: promptsFor(tools, caller, address) }))
    server.setRequestHandler('prompts/get', ({ params }) =>
      beginPrompt(params.name, params.arguments ?? {}, promptsFor(tools, caller, address), read),
    )
    server.setRequestHandler('resources/list', ({ params }) => listResources(params?.cursor, offers, read))
    server.setRequestHandler('resources/templates/list', () => ({
      resourceTemplates: templatesFor(tools, caller, address),
    }))
    server.setRequestHandler('resources/read', async ({ params }) => ({
      contents: [await readResource(params.uri, (name) => isAt(address, tools.byName(name)!), read)],
    }))
    server.setRequestHandler('completion/complete', async ({ params: { ref, argument, context } }) => {
      const names =
        ref.type === 'ref/prompt'
          ? promptsFor(tools, caller, address)
              .find(({ name }) => name === ref.name)
              ?.arguments.map(({ name }) => name)
          : variablesOf(ref.uri, templatesFor(tools, caller, address))
      if (!names?.includes(argument.name)) throw invalid('There is no such argument to complete.')
      const given = context?.arguments ?? {}
      return { completion: await complete(argument.name, argument.value, given, { caller, read, offers }) }
    })
    return server
  }

  const current = createMcpHandler(({ authInfo }) => serverFor(authInfo!.extra!.asker as Asker), {
    legacy: 'reject',
    // What is offered changes only with scopes, so there is nothing to subscribe to.
    maxSubscriptions: 0,
    onerror: (error) => log.info({ cause: error.message }, 'mcp message refused'),
  })

  return {
    isEarlier: (message, headers) => isLegacyRequest(posted(headers), message),
    serveCurrent: async (message, headers, asker) =>
      inOneSentence(
        await current.fetch(posted(headers), {
          authInfo: { token: '', clientId: '', scopes: [], extra: { asker } },
          parsedBody: message,
        }),
      ),
    serveEarlier: async (message, headers, asker) => {
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: undefined,
        enableJsonResponse: true,
      })
      const server = serverFor(asker)
      await server.connect(transport)
      try {
        return await inOneSentence(await transport.handleRequest(posted(headers), { parsedBody: message }))
      } finally {
        await server.close()
      }
    },
  }
}

function invalid(says: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, says)
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
