import type { IncomingHttpHeaders } from 'node:http'
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
  type CallToolResult,
} from '@modelcontextprotocol/server'
import { isJsonObject, type JsonObject } from '../vocabulary/json.ts'
import { canAsk } from './confirmation.ts'

/**
 * The ordinary message, a `tools/call` with nothing unusual in it, read and answered without the protocol's library,
 * which would cost as much as reading an order. It accepts only what the library also accepts, and leaves every other
 * message to it.
 */
export type PlainCall = {
  id: string | number
  era: 'current' | 'earlier'
  tool: string
  args: Readonly<Record<string, unknown>>
  /** whether the client can ask its person something */
  canAsk: boolean
}

export const currentRevision = '2026-07-28'
const earlierRevisions: ReadonlySet<string> = new Set(
  SUPPORTED_PROTOCOL_VERSIONS.filter((revision) => revision < currentRevision),
)

/** undefined = left to the library */
export function readPlainCall(message: unknown, headers: IncomingHttpHeaders): PlainCall | undefined {
  if (!isJsonObject(message) || !hasOnly(message, messageKeys)) return undefined
  const { jsonrpc, id, method, params } = message
  if (jsonrpc !== '2.0' || method !== 'tools/call') return undefined
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return undefined
  if (!isJsonObject(params) || !hasOnly(params, paramsKeys)) return undefined
  const { name, arguments: args = {}, _meta: meta } = params
  if (typeof name !== 'string' || !isJsonObject(args)) return undefined
  const era = eraOf(name, meta, headers)
  if (!era) return undefined
  const asking = era === 'current' && canAsk((meta as JsonObject)[CLIENT_CAPABILITIES_META_KEY])
  return { id: id as string | number, era, tool: name, args, canAsk: asking }
}

export function plainAnswer(call: PlainCall, result: CallToolResult, serverInfo: object): string {
  const said =
    call.era === 'current'
      ? { ...result, resultType: 'complete', _meta: { [SERVER_INFO_META_KEY]: serverInfo } }
      : result
  return JSON.stringify({ jsonrpc: '2.0', id: call.id, result: said })
}

const messageKeys: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params'])
const paramsKeys: ReadonlySet<string> = new Set(['name', 'arguments', '_meta'])
const metaKeys: ReadonlySet<string> = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
])

/**
 * In the current revision every request names its protocol version and client, and its headers repeat method and name.
 * Earlier revisions say less.
 */
function eraOf(name: string, meta: unknown, headers: IncomingHttpHeaders): PlainCall['era'] | undefined {
  const revision = headers['mcp-protocol-version'] as string | undefined
  if (revision === currentRevision) {
    const agrees = headers['mcp-method'] === 'tools/call' && headers['mcp-name'] === name
    return agrees && introduces(meta) ? 'current' : undefined
  }
  const says = meta !== undefined || headers['mcp-method'] !== undefined || headers['mcp-name'] !== undefined
  return !says && (revision === undefined || earlierRevisions.has(revision)) ? 'earlier' : undefined
}

function introduces(meta: unknown): boolean {
  if (!isJsonObject(meta) || !hasOnly(meta, metaKeys) || meta[PROTOCOL_VERSION_META_KEY] !== currentRevision)
    return false
  const client = meta[CLIENT_INFO_META_KEY]
  const isNamed =
    client === undefined ||
    (isJsonObject(client) && typeof client.name === 'string' && typeof client.version === 'string')
  const capabilities = meta[CLIENT_CAPABILITIES_META_KEY]
  return isNamed && isJsonObject(capabilities) && Object.values(capabilities).every(isJsonObject)
}

function hasOnly(object: JsonObject, keys: ReadonlySet<string>): boolean {
  return Object.keys(object).every((key) => keys.has(key))
}
