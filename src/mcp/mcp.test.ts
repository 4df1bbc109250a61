import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import {
  foreignIds,
  missingIds,
  operationIds,
  ownIds,
  sampleCall,
  urlOf,
} from '../../test/every-operation/sample-calls.ts'
import { callTool, current, mcpClient, post } from '../../test/world/mcp.ts'
import { orderBuilder } from '../../test/world/order-builder.ts'
import { partner, send, withToken, type Partner } from '../../test/world/partner.ts'
import { testService } from '../../test/world/service.ts'
import { methodOf, pathParameterNames, type Operation } from '../contract/operation.ts'
import { sql } from '../database/sql.ts'
import { isOfferedToAgents, publishTool, toolName } from '../publish/mcp.ts'
import { api, toolApi, type OperationId } from '../resources/api.ts'

const service = await testService()
const primary = await partner(service, 'primary')

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
addFormats.default(ajv)

async function toolNames(who: Partner): Promise<string[]> {
  const { body } = await current(who, { method: 'tools/list' })
  return body.result.tools.map(({ name }: { name: string }) => name)
}

/** The sample call of an operation as the arguments of its tool. Numeric ids are sent as numbers. */
function sampleArgs(id: OperationId, ids: Record<string, string>): Record<string, unknown> {
  const { path, body } = sampleCall(id, ids)
  const values = Object.entries(path).map(([name, text]) => [name, /^\d+$/.test(text) ? Number(text) : text])
  return { ...Object.fromEntries(values), ...body }
}

function withoutRequestId({ isError, body }: { isError: boolean; body: any }): unknown {
  const { requestId: _, ...rest } = body
  return { isError, rest }
}

const offeredIds = operationIds.filter((id) => isOfferedToAgents(api[id]))

for (const mode of ['auto', 'legacy'] as const) {
  test(`MCP-01 MCP-02 the official client (${mode}) lists products, quotes, submits an order and reads its submission`, async () => {
    const client = await mcpClient(primary, mode)
    const said = async (name: string, args: Record<string, unknown>): Promise<any> => {
      const result = await client.callTool({ name, arguments: args })
      assert.notEqual(result.isError, true, JSON.stringify(result))
      assert.deepEqual(JSON.parse((result.content[0] as { text: string }).text), result.structuredContent)
      return result.structuredContent
    }
    const { sites, fixtures } = service.manifest
    // After listing, the client validates every answer against the tool's output schema.
    const { tools } = await client.listTools()
    assert.ok(tools.some(({ name }) => name === 'submit_order'))
    const { products, nextCursor } = await said('list_products', { siteId: sites.main })
    assert.equal(products.length, 10)
    const next = await said('list_products', { siteId: sites.main, cursor: nextCursor })
    assert.notEqual(next.products[0].productId, products[0].productId)
    const quote = await said('quote_product', { productId: fixtures.products.pod, quantity: 250 })
    assert.match(quote.lineTotal, /^\d+\.\d\d$/)

    const order = orderBuilder(service.manifest).order()
    const submitted = await said('submit_order', order)
    assert.equal(submitted.partnerOrderId, order.partnerOrderId)
    const again = await said('submit_order', order)
    assert.equal(again.submissionId, submitted.submissionId)
    const read = await said('get_submission', { submissionId: submitted.submissionId })
    assert.equal(read.submissionId, submitted.submissionId)
    await client.close()
  })
}

test('MCP-01 the tools are those of the contract, in its order, and the same on every call', async () => {
  const all = [...offeredIds, ...Object.keys(toolApi)].map(toolName)
  const names = await toolNames(primary)
  assert.deepEqual(
    names,
    all.filter((name) => names.includes(name)),
  )
  assert.deepEqual(await toolNames(primary), names)
  for (const name of ['submit_order', 'list_orders', 'approve_proof', 'get_me']) assert.ok(names.includes(name), name)
  for (const name of ['ping', 'list_site_users']) assert.ok(!names.includes(name), name)
})

test('MCP-01 a caller sees the tools its scopes allow and no others, and a call beyond them is insufficient_scope', async () => {
  const readonly = await partner(service, 'readonly')
  const { body: me } = await readonly.get('/v1/me')
  const names = await toolNames(readonly)
  const allowed = offeredIds.filter((id) => {
    const { scope } = api[id] as Operation
    return scope === null || me.scopes.includes(`partner-api/${scope}`)
  })
  const every = new Set(await toolNames(primary))
  assert.deepEqual(
    names,
    allowed.map(toolName).filter((name) => every.has(name)),
  )
  assert.ok(names.length > 5 && !names.includes('submit_order') && !names.includes('update_user'))

  const one = await partner(service, 'primary', 'partner-api/sites:read')
  assert.deepEqual(await toolNames(one), ['get_me', 'list_sites'])

  // The scope is checked before the arguments, as over HTTP.
  const refused = await callTool(readonly, 'update_user', { userId: null })
  assert.ok(refused.isError)
  assert.equal(refused.body.code, 'insufficient_scope')
})

test('every tool answers as HTTP does: the body of a read or the problem of a refusal, in the published form', async () => {
  const own = ownIds(service.manifest)
  const answered: string[] = []
  for (const id of offeredIds) {
    const { name, outputSchema } = publishTool(api[id])
    const validate = ajv.compile(outputSchema)
    const isRead = methodOf(api[id]) === 'GET'
    for (const ids of isRead ? [own, missingIds] : [missingIds]) {
      const call = sampleCall(id, ids)
      const names = pathParameterNames(api[id])
      // A write without an id in its path would have an effect.
      if (!isRead && names.length === 0) continue
      const query = (api[id] as Operation).query?.limit ? 'limit=10' : ''
      const [http, tool] = [
        await primary.call(call.method, urlOf(id, { ...call, query }), call.body),
        await callTool(primary, name, sampleArgs(id, ids)),
      ]
      assert.equal(tool.isError, http.status >= 400, name)
      assert.deepEqual(JSON.parse(tool.texts[0]!), tool.body)
      assert.ok(validate(tool.body), `${name}: ${ajv.errorsText(validate.errors)}`)
      assert.deepEqual(steady(id, tool.body), steady(id, http.body), name)
      if (!tool.isError) answered.push(name)
    }
  }
  assert.ok(answered.length >= 18, `only ${answered.join(', ')} had an answer`)
})

/** Removes what differs between any two answers: request ids, the time of a quote, signed URLs, cursors. */
function steady(id: OperationId, body: any): unknown {
  const {
    requestId: _,
    quotedOn: _quoted,
    nextCursor: _cursor,
    limits: _limits,
    templateUrl: _template,
    ...rest
  } = body
  if (id === 'getArtwork') return JSON.parse(JSON.stringify(rest, (key, value) => (key === 'previews' ? [] : value)))
  if (id !== 'getProof') return rest
  return { ...rest, visualUrl: null, files: rest.files?.map((file: object) => ({ ...file, link: null })) }
}

test("TEN-01 TEN-02 another partner's id and a missing one get the same answer from every tool", async () => {
  const own = ownIds(service.manifest)
  const foreign = foreignIds(service.manifest)
  for (const id of offeredIds) {
    for (const name of pathParameterNames(api[id])) {
      const answers = []
      for (const ids of [foreign, missingIds]) {
        answers.push(await callTool(primary, toolName(id), sampleArgs(id, { ...own, [name]: ids[name]! })))
      }
      assert.deepEqual(withoutRequestId(answers[0]!), withoutRequestId(answers[1]!), `${id} ${name}`)
    }
  }
  const { sites } = service.manifest
  const lists = [sites.foreign, 987_654_321].map((siteId) => callTool(primary, 'list_orders', { siteId }))
  const [outside, missing] = await Promise.all(lists)
  assert.equal(outside!.body.code, 'invalid_site_id')
  assert.deepEqual(withoutRequestId(outside!), withoutRequestId(missing!))
})

test('GEN-11 a tool refuses what HTTP refuses, with its code, and nothing changes', async () => {
  const { fixtures, sites } = service.manifest
  const user = fixtures.users.plain
  const order = orderBuilder(service.manifest).order()
  const unchanged = (await primary.get(`/v1/users/${user}`)).body
  const refusals: [name: string, args: Record<string, unknown>, code: string, detail: RegExp][] = [
    ['get_order', {}, 'invalid_order_number', /./],
    ['get_order', { orderNumber: null }, 'invalid_order_number', /./],
    ['get_order', { orderNumber: [1010001] }, 'invalid_order_number', /./],
    ['get_order', { orderNumber: 1.5 }, 'invalid_order_number', /./],
    ['get_order', { orderNumber: 1010001, surprise: 1 }, 'unknown_query_parameter', /"surprise"/],
    ['list_orders', { status: 'NONSENSE' }, 'invalid_request', /status/],
    ['list_orders', { siteId: { a: 1 } }, 'invalid_site_id', /./],
    ['list_orders', { limit: 0 }, 'invalid_request', /limit/],
    ['list_orders', { cursor: 'no-cursor' }, 'invalid_cursor', /./],
    ['list_orders', { updatedSince: '2026-01-01T00:00:00Z' }, 'updated_since_not_supported', /./],
    ['update_user', { userId: user }, 'invalid_request', /at least 1 argument/],
    ['update_user', { userId: user, active: null }, 'null_not_supported', /active/],
    ['update_user', { userId: user, firstName: 'Changed', surprise: 1 }, 'invalid_request', /"surprise"/],
    ['submit_order', { ...order, siteId: '101' }, 'invalid_site_id', /siteId/],
    ['submit_order', { ...order, lines: [] }, 'invalid_request', /lines/],
    ['create_division', { siteId: sites.main, name: 'X' }, 'invalid_request', /code is required/],
  ]
  for (const [name, args, code, detail] of refusals) {
    const label = `${name} ${JSON.stringify(args)}`
    const answer = await callTool(primary, name, args)
    assert.ok(answer.isError, label)
    assert.equal(answer.body.code, code, label)
    assert.match(answer.body.detail, detail, label)
  }
  assert.deepEqual((await primary.get(`/v1/users/${user}`)).body, unchanged)
})

test('a refusal speaks of arguments and tools, not of parameters, fields, bodies and paths', async () => {
  const { fixtures } = service.manifest
  const order = orderBuilder(service.manifest).order()
  await callTool(primary, 'submit_order', order)
  const refusals: [name: string, args: Record<string, unknown>, said: RegExp][] = [
    ['get_order', { orderNumber: 1010001, surprise: 1 }, /argument "surprise".*Accepted: orderNumber\./],
    ['list_orders', { surprise: 1 }, /argument "surprise".*Accepted: siteId, .*limit\./],
    ['list_orders', { limit: 0 }, /argument limit/],
    ['list_products', { serviceType: 'X' }, /argument serviceType/],
    [
      'update_user',
      { userId: fixtures.users.plain },
      /^The input must have at least 1 argument besides userId\. Accepted: (?!userId)/,
    ],
    [
      'submit_order',
      { ...order, billTo: { ...(order.shipTo as object), email: 'a@b.co' } },
      /argument "billTo\.email".*Accepted: name, /,
    ],
    ['submit_order', { ...order, nosuch: 1 }, /argument "nosuch".*Accepted: siteId, /],
    [
      'list_orders',
      { status: ['SHIPPED', 'NOPE'] },
      /^The argument status must be a list of one or more of \w+, [^a-z]*\.$/,
    ],
    ['get_order', {}, /^The argument orderNumber is required\.$/],
    ['submit_order', { ...order, lines: [] }, /argument lines/],
    ['submit_order', { ...order, shippingNotes: 'another' }, /input/],
  ]
  for (const [name, args, said] of refusals) {
    const { isError, body, texts } = await callTool(primary, name, args)
    assert.ok(isError, name)
    assert.match(body.detail, said, name)
    assert.doesNotMatch(body.detail, /parameter|field|body|\/v1\//, name)
    assert.deepEqual(JSON.parse(texts[0]!), body)
  }
})

test('MCP-01 the tools of a partner with all scopes take at most 10,600 tokens of the context of a model', async () => {
  const { body } = await current(primary, { method: 'tools/list' })
  assert.equal(body.result.tools.length, offeredIds.length + Object.keys(toolApi).length)
  // No tokenizer is at hand: JSON in English has about four bytes to a token.
  const tokens = Buffer.byteLength(JSON.stringify(body.result)) / 4
  assert.ok(tokens <= 10_600, `${tokens} tokens`)
})

test('calling a tool that does not exist, or is not offered, is a protocol error', async () => {
  for (const name of ['no_such_tool', 'ping', 'list_site_users', 'constructor', 'getOrder']) {
    const { status, body } = await current(primary, { method: 'tools/call', params: { name, arguments: {} } })
    assert.deepEqual([status, body.error.code, body.id], [200, -32602, 1], name)
    assert.match(body.error.message, /^Unknown tool/)
  }
})

test("a tool's page has 10 records by default and at most 25, and its cursor leads to the next", async () => {
  const { orderNumber } = service.manifest.fixtures.orders.manyLines
  const page = async (more: object = {}): Promise<any> =>
    (await callTool(primary, 'list_order_items', { orderNumber, ...more })).body
  const all = (await primary.get(`/v1/orders/${orderNumber}/items?limit=200`)).body.items
  assert.ok(all.length > 25, `${all.length} lines are too few to tell`)
  const first = await page()
  const next = await page({ cursor: first.nextCursor, limit: 3 })
  assert.deepEqual([...first.items, ...next.items], all.slice(0, 13))
  assert.deepEqual((await page({ limit: 500 })).items, all.slice(0, 25))
})

test('AUTH-20 without a valid token the endpoint answers like every path, before any other check', async () => {
  const { baseUrl } = service.hosts
  const expected = await send(baseUrl, 'GET', '/v1/me')
  for (const body of ['', 'not json', { jsonrpc: '2.0', id: 1, method: 'initialize' }]) {
    const answer = await send(baseUrl, 'POST', '/v1/mcp?x=1', body, { origin: 'https://evil.test' })
    assert.equal(answer.status, 401)
    assert.equal(answer.headers.get('www-authenticate'), expected.headers.get('www-authenticate'))
    assert.deepEqual({ ...answer.body, requestId: '' }, { ...expected.body, requestId: '' })
  }
})

test('AUTH-26 a token of one environment is not valid at the endpoint of the other', async () => {
  const { sandboxBaseUrl } = service.hosts
  const astray = await current(withToken(sandboxBaseUrl, primary.token), { method: 'tools/list' })
  assert.equal(astray.status, 401)
  const sandbox = await partner(service, 'sandbox')
  assert.equal((await callTool(sandbox, 'get_me')).body.environment, 'SANDBOX')
})

test('GET and other methods are 405 with a problem document, and Allow names POST', async () => {
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
    const { status, headers, body } = await primary.call(method, '/v1/mcp')
    assert.deepEqual([status, body.code, headers.get('allow')], [405, 'method_not_allowed', 'POST'])
  }
})

test('GEN-09 the endpoint accepts no query parameter but those that narrow it', async () => {
  const { status, body } = await primary.post('/v1/mcp?limit=1', { jsonrpc: '2.0', id: 1, method: 'ping' })
  assert.deepEqual([status, body.code], [400, 'unknown_query_parameter'])
  assert.match(body.detail, /"limit".*Accepted: toolsets, readonly\./)
})

test('a page of another origin is refused, and a page of its own host is not', async () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const { port } = new URL(service.hosts.baseUrl)
  const by = (origin: string) => post(primary, ping, { origin })
  for (const origin of ['https://evil.test', 'http://127.0.0.1.evil.test', 'null', 'nonsense', 'http://10.0.0.1']) {
    const { status, body } = await by(origin)
    assert.deepEqual([status, body.id, body.error.code], [403, null, -32600], origin)
  }
  for (const origin of [service.hosts.baseUrl, `http://localhost:${port}`, 'http://localhost:3000']) {
    assert.equal((await by(origin)).status, 200, origin)
  }
})

test('the endpoint is served only under its own host names, which stops DNS rebinding', async () => {
  const { hostname, port } = new URL(service.hosts.baseUrl)
  const by = (host: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { host, authorization: `Bearer ${primary.token}`, 'content-type': 'application/json' }
      const sent = httpRequest({ hostname, port, path: '/v1/mcp', method: 'POST', headers }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode!))
      })
      sent.on('error', reject).end('{"jsonrpc":"2.0","id":1,"method":"ping"}')
    })
  assert.equal(await by('evil.test'), 403)
  assert.equal(await by(`evil.test:${port}`), 403)
  assert.equal(await by('127.0.0.1'), 200)
  assert.equal(await by(`localhost:${port}`), 200)
})

test('AUTH-03 SCOPE-16 the mutual-TLS host also serves the tools, for the certificate of the caller', async () => {
  const entry = service.manifest.partners.certificate!
  const { certFile, keyFile, caFile } = entry.certificate!
  const [cert, key, ca] = [certFile, keyFile, caFile].map((file) => readFileSync(file))
  const said: any = await new Promise((resolve, reject) => {
    const sent = httpsRequest(
      `${service.hosts.mtlsBaseUrl}/v1/mcp`,
      { method: 'POST', cert, key, ca, servername: 'localhost', headers: { 'content-type': 'application/json' } },
      async (answer) => resolve(JSON.parse((await answer.setEncoding('utf8').toArray()).join(''))),
    )
    const params = { name: 'get_me', arguments: {} }
    sent.on('error', reject).end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }))
  })
  assert.equal(said.result.structuredContent.authMethod, 'MTLS')
  assert.equal(said.result.structuredContent.partnerId, entry.partnerId)
})

test("a body that is not JSON by the API's rules is refused before it is read as a message", async () => {
  const call = (args: string): string =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_order","arguments":${args}}}`
  const wrong: [body: string | Uint8Array, message: RegExp][] = [
    ['', /message is required/],
    [call('{"orderNumber":1e21}'), /number beyond/],
    ['{', /ends before/],
    [call('{"orderNumber":1,"orderNumber":2}'), /repeats the key/],
    [call('{"orderNumber":"\\u0000"}'), /U\+0000/],
    [call('{"orderNumber":"\\ud800"}'), /lone surrogate/],
    [call(`{"orderNumber":${'['.repeat(40)}${']'.repeat(40)}}`), /nests deeper/],
    [new Uint8Array([0x22, 0xff, 0x22]), /UTF-8/],
    [call(`{"orderNumber":"${'x'.repeat(300_000)}"}`), /at most 270336 bytes/],
  ]
  for (const [body, message] of wrong) {
    const answer = await post(primary, body, { 'content-type': 'application/json' })
    assert.deepEqual([answer.status, answer.body.id], [400, null], String(message))
    assert.match(answer.body.error.message, message)
  }
  const plain = await post(primary, call('{}'), { 'content-type': 'text/plain' })
  assert.equal(plain.status, 400)
})

test('SUB-21 an unfinished submission tells an agent when to read it again', async () => {
  const { completed } = service.manifest.fixtures.submissions
  const open = randomUUID()
  await service.production.database.statements.rows(sql`
    insert into submission (submission_id, partner_id, partner_order_id, site_id, ordering_user_id, body_hash, body,
      status, leased_until, created_on, updated_on)
    select ${open}, partner_id, ${open}, site_id, ordering_user_id, body_hash, body, 'processing',
      now() + interval '1 hour', now(), now()
    from submission where submission_id = ${completed}`)
  const textsOf = async (submissionId: string) => (await callTool(primary, 'get_submission', { submissionId })).texts
  assert.deepEqual((await textsOf(open)).slice(1), ['Retry-After: 2 seconds'])
  assert.deepEqual((await textsOf(completed)).slice(1), [])
})
