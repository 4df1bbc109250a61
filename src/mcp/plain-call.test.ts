import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currentRevision, introduction } from '../../test/world/mcp.ts'
import { plainAnswer, readPlainCall } from './plain-call.ts'

const params = { name: 'get_order', arguments: { orderNumber: 7 } }
const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
const introduced = { ...message, params: { ...params, _meta: introduction } }
const agreeing = { 'mcp-protocol-version': currentRevision, 'mcp-method': 'tools/call', 'mcp-name': 'get_order' }
const earlier = { 'mcp-protocol-version': '2025-11-25' }

test('an ordinary call of either era is read', () => {
  const call = { id: 1, tool: 'get_order', args: { orderNumber: 7 }, canAsk: false }
  assert.deepEqual(readPlainCall(introduced, agreeing), { ...call, era: 'current' })
  assert.deepEqual(readPlainCall(message, earlier), { ...call, era: 'earlier' })
  assert.deepEqual(readPlainCall(message, {}), { ...call, era: 'earlier' })
  assert.deepEqual(readPlainCall({ ...message, id: 'x', params: { name: 'a' } }, {}), {
    id: 'x',
    era: 'earlier',
    tool: 'a',
    args: {},
    canAsk: false,
  })
})

test('a call tells whether its client can ask its person by a form', () => {
  const asking = (capabilities: object): boolean => {
    const meta = { ...introduction, 'io.modelcontextprotocol/clientCapabilities': capabilities }
    return readPlainCall({ ...message, params: { ...params, _meta: meta } }, agreeing)!.canAsk
  }
  assert.equal(asking({ elicitation: {} }), true)
  assert.equal(asking({ elicitation: { form: {} } }), true)
  assert.equal(asking({ elicitation: { url: {}, form: {} } }), true)
  assert.equal(asking({ elicitation: { url: {} } }), false)
  assert.equal(asking({ sampling: {} }), false)
})

test('any other message is left to the library', () => {
  const withMeta = (meta: object) => ({ ...message, params: { ...params, _meta: { ...introduction, ...meta } } })
  const left: [message: unknown, headers: Record<string, string>][] = [
    [null, {}],
    [[message], {}],
    [{ ...message, jsonrpc: '1.0' }, {}],
    [{ ...message, id: null }, {}],
    [{ ...message, id: 1.5 }, {}],
    [{ jsonrpc: '2.0', method: 'tools/call', params }, {}],
    [{ ...message, more: 1 }, {}],
    [{ ...message, method: 'tools/list' }, {}],
    [{ ...message, params: undefined }, {}],
    [{ ...message, params: { ...params, name: 7 } }, {}],
    [{ ...message, params: { ...params, arguments: [] } }, {}],
    [{ ...message, params: { ...params, arguments: null } }, {}],
    [{ ...message, params: { ...params, task: {} } }, {}],
    [{ ...message, params: { ...params, _meta: {} } }, earlier],
    [message, { 'mcp-protocol-version': '1999-01-01' }],
    [message, { ...earlier, 'mcp-method': 'tools/call' }],
    [message, { ...earlier, 'mcp-name': 'get_order' }],
    [message, agreeing],
    [introduced, earlier],
    [introduced, { ...agreeing, 'mcp-name': 'list_orders' }],
    [introduced, { ...agreeing, 'mcp-method': 'tools/list' }],
    [introduced, { ...agreeing, 'mcp-protocol-version': '2099-01-01' }],
    [withMeta({ 'io.modelcontextprotocol/protocolVersion': '2025-11-25' }), agreeing],
    [withMeta({ 'io.modelcontextprotocol/clientInfo': { name: 'x' } }), agreeing],
    [withMeta({ 'io.modelcontextprotocol/clientCapabilities': undefined }), agreeing],
    [withMeta({ 'io.modelcontextprotocol/clientCapabilities': { sampling: true } }), agreeing],
    [withMeta({ progressToken: 1 }), agreeing],
  ]
  for (const [each, headers] of left) {
    assert.equal(readPlainCall(each, headers), undefined, JSON.stringify([each, headers]))
  }
})

test("only the current revision's answer says that the result is complete, and names the server", () => {
  const result = { content: [] }
  const answered = (era: 'current' | 'earlier'): unknown =>
    JSON.parse(plainAnswer({ id: 'x', era, tool: 'a', args: {}, canAsk: false }, result, { name: 'us' }))
  assert.deepEqual(answered('earlier'), { jsonrpc: '2.0', id: 'x', result })
  assert.deepEqual(answered('current'), {
    jsonrpc: '2.0',
    id: 'x',
    result: { ...result, resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'us' } } },
  })
})
