import type { IncomingHttpHeaders } from 'node:http'
import {
  createMcpHandler,
  INVALID_REQUEST,
  isLegacyRequest,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  validateHostHeader,
  validateOriginHeader,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Logger } from 'pino'
import { Refusal } from '../contract/refusal.ts'
import type { CallerRequest, CallerRoute, PlainAnswer } from '../gateway/host.ts'
import { BodyRefused } from '../gateway/reading/read-body.ts'
import { readQueryString } from '../vocabulary/query-string.ts'
import { callTool, type ToolCaller } from './call-tool.ts'
import type { McpTools } from './tools.ts'

/**
 * `POST /v1/mcp` (MCP-01, MCP-02): the API as tools, by the Model Context Protocol over Streamable HTTP. It owns who may
 * address it, how messages come in and go out, and the two eras of the protocol: revision 2026-07-28, and the earlier
 * ones that begin with `initialize`. Nothing is kept between requests and every answer is one JSON document.
 * It does not own the credential and the limits, which the gateway asked before, nor what a tool does.
 */
export type McpParts = {
  tools: McpTools
  /** what partners reach the hosts by that serve this endpoint */
  hostUrls: () => readonly string[]
  log: Logger
}

/** The largest body of an operation, and what the protocol writes around it. */
const messageBytesMax = 262_144 + 8_192
const batchMessagesMax = 25
/** How long a client may keep the list of tools: scopes change rarely, and a call is checked anyway. */
const listTtlMs = 300_000

const instructions = `
Tools of the Partner Commerce API: orders, proofs, catalog, quotes, users, divisions and credit of the storefront sites
granted to you. Begin with get_me, which shows your sites, scopes and limits.
Lists are pages: call again with nextCursor as cursor, and the same filters, until it is null.
Money is an exact decimal text; null means not priced, which is not zero.
A failed call holds a problem document: branch on its code, and do not repeat a 4xx call unchanged, except 429.
`.trim()

export function mcpEndpoint({ tools, hostUrls, log }: McpParts): CallerRoute {
  const serverFor = (caller: ToolCaller): Server => {
    const server = new Server(
      { name: 'partner-commerce', title: 'Partner Commerce', version: '1.0.0' },
      {
        capabilities: { tools: {} },
        instructions,
        cacheHints: {
          'tools/list': { ttlMs: listTtlMs, cacheScope: 'private' },
          'server/discover': { ttlMs: listTtlMs, cacheScope: 'private' },
        },
      },
    )
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
    maxSubscriptions: 0,
    onerror: (error) => log.info({ cause: error.message }, 'mcp message refused'),
  })

  /** Revision 2026-07-28, where every request says all there is to know. */
  function serveCurrent(message: unknown, headers: IncomingHttpHeaders, caller: ToolCaller): Promise<Response> {
    return current.fetch(posted(headers), {
      authInfo: { token: '', clientId: '', scopes: [], extra: { caller } },
      parsedBody: message,
    })
  }

  /** The earlier revisions, as far as they do without a session. */
  async function serveEarlier(message: unknown, headers: IncomingHttpHeaders, caller: ToolCaller): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: true,
    })
    const server = serverFor(caller)
    await server.connect(transport)
    try {
      return await transport.handleRequest(posted(headers), { parsedBody: message })
    } finally {
      await server.close()
    }
  }

  /** Batches, which revision 2025-03-26 knew: each message on its own, so that none can keep another from its answer. */
  async function serveBatch(
    messages: unknown[],
    headers: IncomingHttpHeaders,
    caller: ToolCaller,
  ): Promise<PlainAnswer> {
    if (messages.length === 0 || messages.length > batchMessagesMax) {
      return refused(400, INVALID_REQUEST, `A batch has 1 to ${batchMessagesMax} messages`)
    }
    const responses = await Promise.all(messages.map((message) => serveEarlier(message, headers, caller)))
    const bodies = (await Promise.all(responses.map((response) => response.text()))).filter((body) => body !== '')
    return bodies.length === 0 ? { status: 202, headers: {}, body: '' } : json(200, `[${bodies.join(',')}]`)
  }

  async function answer(request: CallerRequest): Promise<PlainAnswer> {
    refuseQuery(request.query)
    const stranger = strangerTo(hostUrls(), request)
    if (stranger !== undefined) return refused(403, INVALID_REQUEST, stranger)
    const { headers } = request
    let message: unknown
    try {
      message = await request.body(messageBytesMax)
    } catch (error) {
      if (error instanceof BodyRefused) return refused(400, PARSE_ERROR, `Parse error: ${error.message}`)
      throw error
    }
    if (message === undefined) return refused(400, INVALID_REQUEST, 'A JSON-RPC message is required')
    const caller = toolCaller(request)
    if (await isLegacyRequest(posted(headers), message)) {
      if (Array.isArray(message)) return serveBatch(message, headers, caller)
      return plain(await serveEarlier(message, headers, caller))
    }
    if (asksToListen(message, headers)) return refused(404, METHOD_NOT_FOUND, 'Method not found', idOf(message))
    return plain(await serveCurrent(message, headers, caller))
  }

  return { method: 'POST', path: '/v1/mcp', name: 'mcp', answer }
}

/** The HTTP request itself has paid for the first tool call in it; a batch pays for each further one (LIM-07). */
function toolCaller({ caller, now, requestId, spend }: CallerRequest): ToolCaller {
  let calls = 0
  return { caller, now, requestId, spend: () => (calls++ === 0 ? undefined : spend()) }
}

/** GEN-09: this path accepts no query parameter. */
function refuseQuery(query: string): void {
  const [name] = query === '' ? [] : readQueryString(query).keys()
  if (name !== undefined) {
    const detail = `The query parameter ${JSON.stringify(name.slice(0, 100))} is not accepted here; accepted: none.`
    throw new Refusal('unknown_query_parameter', detail)
  }
}

const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/**
 * Keeps web pages of others out, whose browser may hold a certificate or reach an address they cannot. A page may only
 * call its own host, and a host must be called by a name of its own, by a loopback name or by the address it was reached
 * at, so that no foreign name can be pointed at it.
 */
function strangerTo(hostUrls: readonly string[], { headers, localAddress }: CallerRequest): string | undefined {
  const own = hostUrls.map((url) => new URL(url).hostname)
  const origins = own.some((name) => loopbackNames.includes(name)) ? [...own, ...loopbackNames] : own
  const origin = validateOriginHeader(headers.origin, origins)
  if (!origin.ok) return 'This Origin is not allowed'
  const host = validateHostHeader(headers.host, [...own, ...loopbackNames, ...inUrl(localAddress)])
  return host.ok ? undefined : 'This Host is not served here'
}

/** `::ffff:10.0.0.5` → `10.0.0.5`, `fd00::5` → `[fd00::5]` */
function inUrl(address: string | undefined): string[] {
  if (address === undefined) return []
  const plainAddress = address.replace(/^::ffff:/i, '')
  return [plainAddress.includes(':') ? `[${plainAddress}]` : plainAddress]
}

/** Lists of tools change with scopes only, and nothing is kept open to tell of it: the method is not offered. */
function asksToListen(message: unknown, headers: IncomingHttpHeaders): boolean {
  const method = 'subscriptions/listen'
  return (message as { method?: unknown } | null)?.method === method && headers['mcp-method'] === method
}

function idOf(message: unknown): string | number | null {
  const { id } = message as { id?: unknown }
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

/**
 * What the protocol's library reads of a web Request whose body is parsed already. A real Request would cost a third of a
 * tool call. Answers are always JSON, so a client need not say that it would take a stream too.
 */
function posted(headers: IncomingHttpHeaders): Request {
  const get = (name: string): string | null => {
    const key = name.toLowerCase()
    return key === 'accept' ? 'application/json, text/event-stream' : ((headers[key] as string | undefined) ?? null)
  }
  return { method: 'POST', headers: { get } } as unknown as Request
}

async function plain(response: Response): Promise<PlainAnswer> {
  const body = await response.text()
  return body === '' ? { status: response.status, headers: {}, body } : json(response.status, body)
}

function json(status: number, body: string): PlainAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body }
}

function refused(status: number, code: number, message: string, id: string | number | null = null): PlainAnswer {
  return json(status, JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }))
}
