import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { send, type Answer, type Partner } from './partner.ts'

/** A partner that calls the MCP endpoint, with the protocol's official client or one message at a time. */

type Caller = Pick<Partner, 'baseUrl' | 'token'>

/** What a person answers whom a client asks, by the question's text. */
export type Answering = (message: string) => 'accept' | 'decline' | 'cancel'

/**
 * The official client, connected. `legacy` starts with `initialize`; `auto` uses the current revision.
 * @param more `query` narrows the address; with `answer` the client can ask its person
 */
export async function mcpClient(
  { baseUrl, token }: Caller,
  mode: 'auto' | 'legacy' = 'auto',
  { query = '', answer }: { query?: string; answer?: Answering } = {},
): Promise<Client> {
  const capabilities = answer ? { elicitation: { form: {} } } : {}
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode }, capabilities })
  if (answer) {
    client.setRequestHandler('elicitation/create', ({ params }) => {
      const action = answer(params.message)
      return action === 'accept' ? { action, content: { goAhead: true } } : { action }
    })
  }
  const headers = { authorization: `Bearer ${token}` }
  const url = new URL(`${baseUrl}/v1/mcp${query}`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  return client
}

export const currentRevision = '2026-07-28'

/** The metadata that every request of the current revision carries. */
export const introduction = {
  'io.modelcontextprotocol/protocolVersion': currentRevision,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

export type Message = { method: string; params?: Record<string, unknown>; id?: string | number }

/** Sends one message of the current revision. Its headers match the body unless `headers` overrides them. */
export function current(
  partner: Caller,
  { method, params = {}, id = 1 }: Message,
  headers: Record<string, string> = {},
  query = '',
): Promise<Answer> {
  const { _meta: meta, ...rest } = params
  const name = params.name ?? params.uri
  return post(
    partner,
    { jsonrpc: '2.0', id, method, params: { ...rest, _meta: { ...introduction, ...(meta as object) } } },
    {
      'mcp-protocol-version': currentRevision,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...headers,
    },
    query,
  )
}

/** Sends a body unchanged, by default with the header of a client of revision 2025-11-25. */
export function post(
  { baseUrl, token }: Caller,
  body: unknown,
  headers: Record<string, string> = { 'mcp-protocol-version': '2025-11-25' },
  query = '',
): Promise<Answer> {
  return send(baseUrl, 'POST', `/v1/mcp${query}`, body, {
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
    ...headers,
  })
}

/** A tool's answer: its body, or the problem of a failed call. */
export type ToolAnswer = { isError: boolean; body: any; texts: string[]; images: Image[] }

type Image = { type: 'image'; mimeType: string; data: string }

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
    texts: result.content.flatMap((content: { text?: string }) => content.text ?? []),
    images: result.content.filter((content: { type: string }) => content.type === 'image'),
  }
}
