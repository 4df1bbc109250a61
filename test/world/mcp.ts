import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { send, type Answer, type Partner } from './partner.ts'

/** A partner at the MCP endpoint: by the protocol's own client, or message by message. */

/** The protocol's official client, connected; `legacy` begins with `initialize`, `auto` speaks the current revision. */
export async function mcpClient({ baseUrl, token }: Partner, mode: 'auto' | 'legacy' = 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/v1/mcp`), { requestInit: { headers } }))
  return client
}

export const currentRevision = '2026-07-28'

/** What every request of the current revision says of itself. */
export const introduction = {
  'io.modelcontextprotocol/protocolVersion': currentRevision,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

export type Message = { method: string; params?: Record<string, unknown>; id?: string | number }

/** One message of the current revision, its headers in agreement unless told otherwise. */
export function current(
  partner: Partner,
  { method, params = {}, id = 1 }: Message,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const { _meta: meta, ...rest } = params
  return post(
    partner,
    { jsonrpc: '2.0', id, method, params: { ...rest, _meta: { ...introduction, ...(meta as object) } } },
    {
      'mcp-protocol-version': currentRevision,
      'mcp-method': method,
      ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
      ...headers,
    },
  )
}

/** A body as it is, by default as a client of revision 2025-11-25 sends it. */
export function post(
  { baseUrl, token }: Pick<Partner, 'baseUrl' | 'token'>,
  body: unknown,
  headers: Record<string, string> = { 'mcp-protocol-version': '2025-11-25' },
): Promise<Answer> {
  return send(baseUrl, 'POST', '/v1/mcp', body, {
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
    ...headers,
  })
}

/** What a tool answers: its body, or the problem of a failed call. */
export type ToolAnswer = { isError: boolean; body: any; texts: string[] }

export async function callTool(
  partner: Partner,
  name: string,
  args: Record<string, unknown> = {},
): Promise<ToolAnswer> {
  return toolAnswer(await current(partner, { method: 'tools/call', params: { name, arguments: args } }))
}

export function toolAnswer(answer: Answer): ToolAnswer {
  const { result } = answer.body
  if (answer.status !== 200 || !result) throw new Error(`no result: ${answer.status} ${JSON.stringify(answer.body)}`)
  return {
    isError: result.isError === true,
    body: result.structuredContent,
    texts: result.content.map((content: { text: string }) => content.text),
  }
}
