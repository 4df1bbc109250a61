import assert from 'node:assert/strict'
import { test } from 'node:test'
import { current, mcpClient, post } from '../../test/world/mcp.ts'
import { partner, send } from '../../test/world/partner.ts'
import { testService } from '../../test/world/service.ts'
import { askToken, freshCode } from '../../test/world/sign-in.ts'
import { toolsetNames } from '../contract/toolsets.ts'
import { isOfferedToAgents, toolName } from '../publish/mcp.ts'
import { api, toolApi, toolsetOf } from '../resources/api.ts'

const service = await testService()
const primary = await partner(service, 'primary')

async function toolsAt(query: string): Promise<any[]> {
  return (await current(primary, { method: 'tools/list' }, {}, query)).body.result.tools
}

async function namesAt(query: string, method: string, plural: string): Promise<string[]> {
  const { body } = await current(primary, { method }, {}, query)
  return body.result[plural].map(({ name }: { name: string }) => name)
}

const every = [
  ...Object.entries(api).flatMap(([id, entry]) => (isOfferedToAgents(entry) ? [id] : [])),
  ...Object.keys(toolApi),
]

test('each toolset has the tools of its chapters, and all of them together every tool', async () => {
  const seen = new Set<string>()
  for (const toolset of toolsetNames) {
    const names = (await toolsAt(`?toolsets=${toolset}`)).map(({ name }) => name)
    const expected = every.filter((id) => [toolset, null].includes(toolsetOf(id))).map(toolName)
    assert.deepEqual(names, expected, toolset)
    assert.ok(names.includes('get_me') && names.length > 1, toolset)
    for (const name of names) seen.add(name)
  }
  const whole = (await toolsAt('')).map(({ name }) => name)
  assert.deepEqual([...seen].toSorted(), whole.toSorted())
})

test('toolsets may be several in any order, and readonly leaves what reads', async () => {
  const two = await toolsAt('?toolsets=catalog,orders')
  assert.deepEqual(await toolsAt('?toolsets=orders%2Ccatalog'), two)
  assert.ok(['submit_order', 'list_products'].every((name) => two.some((tool) => tool.name === name)))
  for (const readonly of ['readonly', 'readonly=', 'readonly=true']) {
    const names = (await toolsAt(`?toolsets=orders,catalog&${readonly}`)).map(({ name }) => name)
    const reading = two.filter(({ annotations }) => annotations.readOnlyHint).map(({ name }) => name)
    assert.deepEqual(names, reading, readonly)
    assert.ok(names.includes('get_order') && !names.includes('submit_order'))
  }
  assert.deepEqual(await toolsAt('?toolsets=orders,catalog&readonly=false'), two)
  const whole = await toolsAt('')
  assert.deepEqual(await toolsAt('?&'), whole)
})

test('a narrowed list names no tool that is not in it', async () => {
  for (const query of ['', '?readonly', ...toolsetNames.map((toolset) => `?toolsets=${toolset}`)]) {
    const tools = await toolsAt(query)
    const names = new Set(tools.map(({ name }) => name))
    for (const { name, outputSchema } of tools) {
      const by = /^as (\w+) answers$/.exec(outputSchema.description ?? '')?.[1]
      assert.ok(by === undefined || names.has(by), `${query}: ${name} answers as ${by}`)
    }
  }
})

test('a tool outside the address is refused in both eras, and nothing is called', async () => {
  const params = { name: 'submit_order', arguments: {} }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  for (const [query, says] of [
    ['?toolsets=catalog', /^The tool submit_order is not offered here\. .*the toolsets catalog only\.$/],
    ['?readonly', /^The tool submit_order is not offered here\. .*only reads\.$/],
  ] as const) {
    for (const { status, body } of [
      await current(primary, { method: 'tools/call', params }, {}, query),
      await post(primary, message, undefined, query),
    ]) {
      assert.deepEqual([status, body.error.code], [200, -32602])
      assert.match(body.error.message, says)
    }
    const [batched] = (await post(primary, [message], {}, query)).body
    assert.match(batched.error.message, says)
  }
})

test('prompts and resources follow the address', async () => {
  const prompts = (query: string) => namesAt(query, 'prompts/list', 'prompts')
  const templates = (query: string) => namesAt(query, 'resources/templates/list', 'resourceTemplates')
  assert.deepEqual(await prompts(''), ['reorder', 'check_proofs', 'order_status'])
  assert.deepEqual(await prompts('?toolsets=orders'), ['order_status'])
  assert.deepEqual(await prompts('?toolsets=orders,proofs&readonly'), ['order_status'])
  assert.deepEqual(await prompts('?toolsets=orders,catalog,quotes'), ['reorder', 'order_status'])
  assert.deepEqual(await prompts('?toolsets=credit'), [])
  assert.deepEqual(await templates('?toolsets=catalog'), ['product'])
  assert.deepEqual(await templates('?toolsets=proofs'), ['proof', 'proof_picture'])
  assert.deepEqual(await templates('?readonly'), await templates(''))
  assert.equal((await templates('')).length, 6)

  const { orderNumber } = service.manifest.fixtures.orders.approved
  const uri = `partner-commerce://orders/${orderNumber}`
  const reading = (query: string) => current(primary, { method: 'resources/read', params: { uri } }, {}, query)
  assert.ok((await reading('?toolsets=orders')).body.result)
  assert.equal((await reading('?toolsets=catalog')).body.error.code, -32602)
  const begun = await current(primary, { method: 'prompts/get', params: { name: 'reorder' } }, {}, '?readonly')
  assert.equal(begun.body.error.message, 'Unknown prompt: reorder')
  const listed = await current(primary, { method: 'resources/list' }, {}, '?toolsets=catalog')
  assert.ok(listed.body.result.resources.every((each: any) => each.uri.startsWith('partner-commerce://products/')))
  assert.ok(listed.body.result.resources.length > 0)
})

test('GEN-09 an unknown toolset, a value that is none and any other parameter are refused with what would be right', async () => {
  for (const [query, code, says] of [
    ['?toolsets=orders,nonsense', 'invalid_request', /toolsets must be one or more of orders, proofs, .*sites/],
    ['?toolsets=', 'invalid_request', /toolsets must be one or more of/],
    ['?toolsets=Orders', 'invalid_request', /toolsets must be/],
    ['?readonly=yes', 'invalid_request', /readonly must be left without a value, or true or false/],
    ['?toolsets=orders&toolsets=catalog', 'invalid_request', /"toolsets" is repeated/],
    ['?readOnly', 'unknown_query_parameter', /"readOnly".*Accepted: toolsets, readonly\./],
    ['?toolset=orders', 'unknown_query_parameter', /"toolset".*Accepted: toolsets, readonly\./],
  ] as const) {
    const { status, body } = await current(primary, { method: 'tools/list' }, {}, query)
    assert.deepEqual([status, body.code], [400, code], query)
    assert.match(body.detail, says)
  }
})

test('the instructions of a narrowed address say what it has', async () => {
  const said = async (query: string): Promise<string> =>
    (await current(primary, { method: 'server/discover' }, {}, query)).body.result.instructions
  assert.match(await said('?toolsets=orders&readonly'), /has the toolsets orders only and only reads\.$/)
  assert.doesNotMatch(await said(''), /This address/)
})

test('SIGN-01 a client of a narrowed address is led to metadata that name just that address, and gets a token for it', async () => {
  const { baseUrl } = service.hosts
  const wellKnown = `${baseUrl}/.well-known/oauth-protected-resource/v1/mcp`
  for (const query of ['?toolsets=orders,catalog&readonly', '?toolsets=orders%2Ccatalog', '?readonly=']) {
    const refused = await send(baseUrl, 'POST', `/v1/mcp${query}`)
    assert.equal(refused.headers.get('www-authenticate'), `Bearer resource_metadata="${wellKnown}${query}"`)
    const { body } = await send('', 'GET', wellKnown + query)
    assert.equal(body.resource, `${baseUrl}/v1/mcp${query}`)
  }
  for (const query of ['?x=1', '?toolsets=none', '?readonly="', `?toolsets=${'orders,'.repeat(100)}orders`]) {
    const refused = await send(baseUrl, 'POST', `/v1/mcp${query}`)
    assert.equal(refused.headers.get('www-authenticate'), `Bearer resource_metadata="${wellKnown}"`, query)
    assert.equal((await send('', 'GET', wellKnown + query)).body.resource, `${baseUrl}/v1/mcp`)
  }
  const { signIn } = service.manifest.partners.primary!
  const resource = `${baseUrl}/v1/mcp?toolsets=orders&readonly`
  const code = await freshCode(baseUrl, signIn!, { resource })
  const granted = await askToken(baseUrl, { ...code, resource })
  assert.equal(granted.status, 200, JSON.stringify(granted.body))
  const client = await mcpClient({ baseUrl, token: granted.body.access_token }, 'auto', {
    query: '?toolsets=orders&readonly',
  })
  const { tools } = await client.listTools()
  assert.ok(tools.length > 2 && tools.every(({ annotations }) => annotations?.readOnlyHint))
  await client.close()
})
