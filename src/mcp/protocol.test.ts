import assert from 'node:assert/strict'
import { test } from 'node:test'
import { current, currentRevision, introduction, post } from '../../test/world/mcp.ts'
import { partner } from '../../test/world/partner.ts'
import { testService } from '../../test/world/service.ts'

const service = await testService()
const primary = await partner(service, 'primary')
const orderNumber = service.manifest.fixtures.orders.approved.orderNumber

function rpc(method: string, params?: object, id: string | number = 1): Record<string, unknown> {
  return { jsonrpc: '2.0', id, method, ...(params && { params }) }
}

function initialize(protocolVersion: string): Record<string, unknown> {
  return rpc('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } })
}

const offered = { tools: {}, prompts: {}, resources: {}, completions: {} }

const getOrder = (more: object = {}) => ({ name: 'get_order', arguments: { orderNumber }, ...more })

test('MCP-01 each earlier revision begins with initialize, gets one JSON document, and leaves no state', async () => {
  for (const revision of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
    const { status, headers, body } = await post(primary, initialize(revision), {})
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'application/json')
    assert.equal(headers.get('mcp-session-id'), null)
    const { protocolVersion, capabilities, serverInfo, instructions } = body.result
    assert.deepEqual([protocolVersion, capabilities], [revision, offered])
    assert.equal(serverInfo.name, 'partner-commerce')
    assert.match(instructions, /nextCursor/)

    const said = { 'mcp-protocol-version': revision }
    const ready = await post(primary, { jsonrpc: '2.0', method: 'notifications/initialized' }, said)
    assert.deepEqual([ready.status, ready.body], [202, undefined])
    assert.deepEqual((await post(primary, rpc('ping'), said)).body, rpcResult({}))
    const { tools } = (await post(primary, rpc('tools/list'), said)).body.result
    assert.ok(tools.length > 20)
    const called = await post(primary, rpc('tools/call', getOrder()), said)
    assert.equal(called.body.result.structuredContent.orderNumber, orderNumber)
  }
})

function rpcResult(result: object, id: string | number = 1): object {
  return { jsonrpc: '2.0', id, result }
}

test('an unknown revision in initialize gets the newest earlier one, and in a header is refused', async () => {
  const { body } = await post(primary, initialize('1999-01-01'), {})
  assert.equal(body.result.protocolVersion, '2025-11-25')
  const unknown = await post(primary, rpc('tools/call', getOrder()), { 'mcp-protocol-version': '1999-01-01' })
  assert.equal(unknown.status, 400)
})

test('a client need not accept a stream, since it never gets one', async () => {
  for (const accept of ['application/json', '*/*', 'text/event-stream, application/json']) {
    const { status, headers } = await post(primary, rpc('tools/list'), { accept })
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/json'])
  }
})

test('the current revision can be discovered, with what may be cached and for how long', async () => {
  const { status, body } = await current(primary, { method: 'server/discover' })
  assert.equal(status, 200)
  assert.ok(body.result.supportedVersions.includes(currentRevision))
  assert.deepEqual(body.result.capabilities, offered)
  const list = (await current(primary, { method: 'tools/list' })).body.result
  assert.deepEqual([list.ttlMs, list.cacheScope], [300_000, 'private'])
})

test('in the current revision headers and message must agree', async () => {
  const params = getOrder()
  const disagreeing: Record<string, string>[] = [
    { 'mcp-method': 'tools/list' },
    { 'mcp-name': 'list_orders' },
    { 'mcp-name': '' },
    { 'mcp-method': 'TOOLS/CALL' },
  ]
  for (const headers of disagreeing) {
    const { status, body } = await current(primary, { method: 'tools/call', params }, headers)
    assert.deepEqual([status, body.error.code], [400, -32020], JSON.stringify(headers))
  }
  const future = { ...introduction, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
  const asked = await current(
    primary,
    { method: 'tools/call', params: { ...params, _meta: future } },
    { 'mcp-protocol-version': '2099-01-01' },
  )
  assert.deepEqual([asked.status, asked.body.error.code], [400, -32022])
  const { status, body } = await post(primary, rpc('tools/call', params), {
    'mcp-protocol-version': currentRevision,
    'mcp-method': 'tools/call',
    'mcp-name': 'get_order',
  })
  assert.deepEqual([status, body.error.code], [400, -32602])
})

test('there is no stream to listen to', async () => {
  const listen = { method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } }, id: 'l' }
  const { status, body } = await current(primary, listen)
  assert.deepEqual([status, body.error.code, body.id], [404, -32601, 'l'])
  const astray = await current(primary, listen, { 'mcp-method': 'tools/list' })
  assert.deepEqual([astray.status, astray.body.error.code], [400, -32020])
})

test('an ordinary call and the same call in an unusual form get the same answer', async () => {
  // Any call may carry a progress token; with one, the protocol's library answers it.
  const unusual = { _meta: { progressToken: 7 } }
  const steady = (body: any): unknown => JSON.parse(JSON.stringify(body).replaceAll(/[0-9a-f-]{36}/g, 'uuid'))
  const params = [
    getOrder(),
    getOrder({ arguments: { orderNumber: 999_999 } }),
    { name: 'get_order' },
    { name: 'list_sites' },
  ]
  for (const each of params) {
    for (const id of [1, 0, -5, 'text', '']) {
      const message = { method: 'tools/call', id }
      const plain = await current(primary, { ...message, params: each })
      const other = await current(primary, { ...message, params: { ...each, ...unusual } })
      assert.deepEqual([plain.status, steady(plain.body)], [other.status, steady(other.body)])
      const earlier = await post(primary, { jsonrpc: '2.0', ...message, params: each })
      const otherEarlier = await post(primary, { jsonrpc: '2.0', ...message, params: { ...each, ...unusual } })
      assert.deepEqual([earlier.status, steady(earlier.body)], [otherEarlier.status, steady(otherEarlier.body)])
      assert.equal(plain.body.result.resultType, 'complete')
      assert.equal(earlier.body.result.resultType, undefined)
    }
  }
})

test('JSON that is not a message of the protocol is refused', async () => {
  const wrong: unknown[] = [
    null,
    7,
    'text',
    [],
    {},
    { jsonrpc: '1.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', id: {}, method: 'ping' },
    { jsonrpc: '2.0', id: null, method: 'ping' },
  ]
  for (const body of wrong) {
    const answer = await post(primary, JSON.stringify(body), { 'content-type': 'application/json' })
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.ok(answer.body.error.code < -32000, JSON.stringify(body))
  }
  const unknown = await post(primary, rpc('no/such/method'))
  assert.equal(unknown.body.error.code, -32601)
  for (const params of [{}, { name: 7 }, { name: 'get_order', arguments: [] }, { name: 'get_order', arguments: 'x' }]) {
    const { body } = await post(primary, rpc('tools/call', params))
    assert.equal(body.error?.code, -32602, JSON.stringify(params))
  }
})

test('a message with wrong parameters is told the first thing wrong in one sentence', async () => {
  const wrong: [method: string, params: Record<string, unknown>, says: string][] = [
    ['tools/call', { name: 'get_order', arguments: null }, 'params.arguments must be an object.'],
    ['tools/call', { name: 'get_order', arguments: [1] }, 'params.arguments must be an object.'],
    ['tools/call', { name: 7 }, 'params.name must be a text.'],
    ['tools/call', {}, 'params.name must be a text.'],
    ['tools/list', { cursor: 7 }, 'params.cursor must be a text.'],
  ]
  for (const [method, params, says] of wrong) {
    const error = { code: -32602, message: says }
    for (const { status, body } of [
      await post(primary, rpc(method, params)),
      await current(primary, { method, params }),
    ]) {
      assert.deepEqual([status, body], [200, { jsonrpc: '2.0', id: 1, error }])
    }
  }
  const [initialized, listed] = (
    await post(primary, [rpc('initialize', {}, 'a'), rpc('tools/list', { cursor: 7 }, 'b')], {})
  ).body
  assert.deepEqual(initialized.error, { code: -32602, message: 'params.protocolVersion must be a text.' })
  assert.deepEqual(listed.error, { code: -32602, message: 'params.cursor must be a text.' })
})

test('a batch is answered message by message: results, errors and silence, even where ids repeat', async () => {
  const batch = [
    rpc('tools/call', getOrder(), 'a'),
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'a' } },
    rpc('ping', undefined, 'b'),
    rpc('tools/call', getOrder(), 'a'),
    rpc('tools/call', { name: 'no_such_tool' }, 'c'),
  ]
  const { status, body } = await post(primary, batch, {})
  assert.equal(status, 200)
  assert.deepEqual(
    body.map(({ id }: { id: unknown }) => id),
    ['a', 'b', 'a', 'c'],
  )
  assert.equal(body[0].result.structuredContent.orderNumber, orderNumber)
  assert.equal(body[3].error.code, -32602)

  const silent = await post(primary, [{ jsonrpc: '2.0', method: 'notifications/initialized' }], {})
  assert.deepEqual([silent.status, silent.body], [202, undefined])
  const broken = await post(primary, [rpc('ping'), { nonsense: true }], {})
  assert.deepEqual([broken.status, broken.body.error.code], [400, -32600])
  const long = await post(
    primary,
    Array.from({ length: 26 }, () => rpc('ping')),
    {},
  )
  assert.deepEqual([long.status, long.body.error.code], [400, -32600])

  // Only 2025-03-26 has batches. A client of it sends no version header, which later revisions introduced.
  assert.equal((await post(primary, [rpc('ping')], { 'mcp-protocol-version': '2025-03-26' })).status, 200)
  for (const revision of ['2025-06-18', '2025-11-25', currentRevision]) {
    const later = await post(primary, [rpc('ping')], { 'mcp-protocol-version': revision })
    assert.deepEqual([later.status, later.body.error?.code], [400, -32600], revision)
  }
})
