import type { IncomingHttpHeaders } from 'node:http'
import { INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR } from '@modelcontextprotocol/server'
import type { Logger } from 'pino'
import type { CallerRequest, CallerRoute } from '../gateway/host.ts'
import type { PlainAnswer } from '../http/plain-route.ts'
import { BodyRefused } from '../http/reading/read-body.ts'
import { readAddress } from './address.ts'
import { callTool } from './call-tool.ts'
import { strangerTo } from './own-hosts.ts'
import { plainAnswer, readPlainCall } from './plain-call.ts'
import { mcpProtocol, serverInfo, type Asker } from './protocol.ts'
import { isAt, type McpTools } from './tools.ts'
import type { KeyRing } from '../vocabulary/keys.ts'

/**
 * `POST /v1/mcp` (MCP-01, MCP-02): the API as tools, prompts and resources, by the Model Context Protocol over Streamable
 * HTTP. Every answer is one JSON document, and no state is kept between requests. It decides which origins and hosts may
 * be used and how messages come in and go out. The gateway checks the credential before it; what a tool does is the operation's.
 */
export type McpParts = {
  tools: McpTools
  /** `keyRing(masterKeys, environment, 'confirmation')` */
  confirmationKeys: KeyRing
  /** the URLs by which partners reach the hosts that serve this endpoint */
  hostUrls: () => readonly string[]
  log: Logger
}

/** The largest body of an operation, and room for what the protocol wraps around it. */
const messageBytesMax = 262_144 + 8_192
const batchMessagesMax = 25
const batchRevision = '2025-03-26'

export function mcpEndpoint({ tools, confirmationKeys, hostUrls, log }: McpParts): CallerRoute['answer'] {
  const protocol = mcpProtocol(tools, confirmationKeys, log)

  async function answer(request: CallerRequest): Promise<PlainAnswer> {
    const address = readAddress(request.query)
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
    if (message === undefined) return refused(400, INVALID_REQUEST, 'A JSON-RPC message is required.')
    const { caller, now, requestId, traceContext, inTime, spend, toolCalled: called } = request
    const by: Asker = { caller, now, requestId, traceContext, inTime, spend, called, address }
    const call = readPlainCall(message, headers)
    const tool = call && tools.byName(call.tool)
    // The protocol's library asks people, and says what is wrong.
    const isPlain = tool && isAt(address, tool) && !(tool.asks && call.canAsk)
    if (isPlain) return json(200, plainAnswer(call, await callTool(tool, call.args, by, log), serverInfo))
    if (await protocol.isEarlier(message, headers)) {
      if (Array.isArray(message)) return serveBatch(message, headers, by)
      return plain(await protocol.serveEarlier(message, headers, by), message)
    }
    if (asksToListen(message, headers)) return refused(404, METHOD_NOT_FOUND, 'Method not found', idOf(message))
    return plain(await protocol.serveCurrent(message, headers, by), message)
  }

  /**
   * Batches, which only revision 2025-03-26 has; it came before the version header. Each message is answered on its
   * own, so that one does not cost another its answer.
   */
  async function serveBatch(messages: unknown[], headers: IncomingHttpHeaders, caller: Asker): Promise<PlainAnswer> {
    if ((headers['mcp-protocol-version'] ?? batchRevision) !== batchRevision) {
      return refused(400, INVALID_REQUEST, 'This revision of the protocol takes one message at a time.')
    }
    if (messages.length === 0 || messages.length > batchMessagesMax) {
      return refused(400, INVALID_REQUEST, `A batch must have 1 to ${batchMessagesMax} messages.`)
    }
    const responses = await Promise.all(messages.map((message) => protocol.serveEarlier(message, headers, caller)))
    const bodies = (await Promise.all(responses.map((response) => response.text()))).filter((body) => body !== '')
    return bodies.length === 0 ? { status: 202, headers: {}, body: '' } : json(200, `[${bodies.join(',')}]`)
  }

  return answer
}

/**
 * Whether a client asks for a stream that stays open, which is not offered. The protocol's library answers when the
 * headers disagree.
 */
function asksToListen(message: unknown, headers: IncomingHttpHeaders): boolean {
  const method = 'subscriptions/listen'
  return methodOf(message) === method && headers['mcp-method'] === method
}

function methodOf(message: unknown): unknown {
  return (message as { method?: unknown } | null)?.method
}

function idOf(message: unknown): string | number | null {
  const { id } = message as { id?: unknown }
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

/** What tells what is offered: it can be long. What every other method answers may hold a secret, such as a signed link. */
const offers: ReadonlySet<unknown> = new Set([
  'initialize',
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/templates/list',
])

async function plain(response: Response, message: unknown): Promise<PlainAnswer> {
  const body = await response.text()
  if (body === '') return { status: response.status, headers: {}, body }
  return { ...json(response.status, body), ...(offers.has(methodOf(message)) && { compressible: true }) }
}

function json(status: number, body: string): PlainAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body }
}

function refused(status: number, code: number, message: string, id: string | number | null = null): PlainAnswer {
  return json(status, JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }))
}
