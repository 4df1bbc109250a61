import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PNG } from 'pngjs'
import { newPartner } from '../../test/world/limited.ts'
import { callTool, current, mcpClient, post } from '../../test/world/mcp.ts'
import { orderBuilder } from '../../test/world/order-builder.ts'
import { partner, type Partner } from '../../test/world/partner.ts'
import { testService } from '../../test/world/service.ts'
import type { ReadOperation } from './read-operation.ts'
import { listResources } from './resources.ts'

const service = await testService()
const primary = await partner(service, 'primary')
const { approved, pendingReview } = service.manifest.fixtures.orders
const { pod } = service.manifest.fixtures.products
const { foreign } = service.manifest.fixtures
const scheme = 'partner-commerce://'

async function read(who: Partner, uri: string): Promise<any> {
  return (await current(who, { method: 'resources/read', params: { uri } })).body
}

async function names(who: Partner, method: string, plural: string): Promise<string[]> {
  return (await current(who, { method })).body.result[plural].map(({ name }: { name: string }) => name)
}

/** All pages of the list. */
async function listed(who: Partner): Promise<any[][]> {
  const pages: any[][] = []
  let cursor: string | undefined
  do {
    const { result } = (await current(who, { method: 'resources/list', params: { cursor } })).body
    pages.push(result.resources)
    cursor = result.nextCursor
  } while (cursor !== undefined)
  return pages
}

test('a resource is what its operation answers over HTTP', async () => {
  const { orderNumber, itemNumber } = pendingReview
  for (const [at, path] of [
    [`orders/${orderNumber}`, `/v1/orders/${orderNumber}`],
    [`orders/${orderNumber}/items`, `/v1/orders/${orderNumber}/items?limit=25`],
    [`orders/${orderNumber}/shipments`, `/v1/orders/${orderNumber}/shipments?limit=25`],
    [`products/${pod}`, `/v1/products/${pod}`],
  ] as const) {
    const { result } = await read(primary, scheme + at)
    const [contents] = result.contents
    assert.deepEqual([contents.uri, contents.mimeType], [scheme + at, 'application/json'])
    assert.deepEqual(JSON.parse(contents.text), (await primary.get(path)).body)
  }
  const { result } = await read(primary, `${scheme}orders/${orderNumber}/items/${itemNumber}/proof`)
  assert.equal(JSON.parse(result.contents[0].text).proofStatus, 'PENDING_REVIEW')
})

test('PRF-09 the picture of a proof is a picture that an agent can look at, the one behind visualUrl', async () => {
  const { orderNumber, itemNumber } = pendingReview
  const uri = `${scheme}orders/${orderNumber}/items/${itemNumber}/proof/picture`
  const [contents] = (await read(primary, uri)).result.contents
  assert.deepEqual([contents.uri, contents.mimeType], [uri, 'image/png'])
  const bytes = Buffer.from(contents.blob, 'base64')
  const { width, height } = PNG.sync.read(bytes, { checkCRC: true })
  assert.equal(Math.max(width, height), 1_200)
  const { visualUrl } = (await primary.get(`/v1/orders/${orderNumber}/items/${itemNumber}/proof`)).body
  assert.deepEqual(bytes, Buffer.from(await (await fetch(visualUrl)).arrayBuffer()))

  const { body: placed } = await primary.post('/v1/orders', orderBuilder(service.manifest).order())
  const { items } = (await primary.get(`/v1/orders/${placed.order.orderNumber}/items`)).body
  const without = `${scheme}orders/${placed.order.orderNumber}/items/${items[0].itemNumber}/proof/picture`
  const { error } = await read(primary, without)
  assert.deepEqual([error.code, error.data], [-32602, { uri: without }])
  assert.equal(error.message, 'There is no picture of this proof now.')
})

test('TEN-01 a resource of a foreign partner, a missing one and one that cannot be are not found alike', async () => {
  const unlike = async (uri: string): Promise<unknown> => {
    const { error } = await read(primary, uri)
    return { ...error, data: { ...error.data, uri: error.data.uri === uri } }
  }
  for (const [theirs, missing] of [
    [`orders/${foreign.orderNumber}`, 'orders/999999999'],
    [`orders/${foreign.orderNumber}/items`, 'orders/999999999/items'],
    [
      `orders/${foreign.orderNumber}/items/${foreign.itemNumber}/proof/picture`,
      'orders/999999999/items/999999999/proof/picture',
    ],
    [`products/${foreign.productId}`, 'products/SLO_999999999'],
  ] as const) {
    const answer = await unlike(scheme + theirs)
    assert.deepEqual(answer, await unlike(scheme + missing))
    assert.equal((answer as { code: number }).code, -32602)
  }
  for (const uri of ['orders/abc', 'orders/', 'orders', 'orders/%zz', 'orders/1?x=1', 'nothing/1', 'products/../me']) {
    const { error } = await read(primary, scheme + uri)
    assert.deepEqual([error.code, error.data], [-32602, { uri: scheme + uri }], uri)
  }
  const { error } = await read(primary, `https://example.com/orders/${approved.orderNumber}`)
  assert.equal(error.code, -32602)
})

test('TEN-01 the list holds only the orders and products of the granted sites, newest orders first', async () => {
  const pages = await listed(primary)
  for (const page of pages) assert.ok(page.length <= 25)
  const all = pages.flat()
  assert.equal(new Set(all.map(({ uri }) => uri)).size, all.length)
  const orders = all.filter(({ uri }) => uri.startsWith(`${scheme}orders/`))
  const { body } = await primary.get('/v1/orders?limit=100')
  assert.deepEqual(
    orders.map(({ uri }) => Number(uri.slice(`${scheme}orders/`.length))),
    body.orders.map(({ orderNumber }: { orderNumber: number }) => orderNumber).slice(0, orders.length),
  )
  assert.ok(orders.length === 100 || body.nextCursor === null)
  assert.match(orders[0].description, /^[A-Z_]+, placed on \d{4}-\d\d-\d\d, \d+ lines?/)
  const product = all.find(({ uri }) => uri.startsWith(`${scheme}products/`))
  const { body: shown } = await primary.get(product.uri.slice('partner-commerce:/'.length).replace(/^/, '/v1'))
  assert.equal(product.title, shown.name)

  const outsider = (await listed(await partner(service, 'outsider'))).flat().map(({ uri }) => uri)
  assert.ok(outsider.length > 0)
  assert.deepEqual(
    outsider.filter((uri) => all.some((own) => own.uri === uri)),
    [],
  )
})

test('the list ends after 100 orders and 200 products, however many there are, and each page is one read', async () => {
  const reads: string[] = []
  const endless: ReadOperation = async (tool, { query }) => {
    reads.push(`${tool} ${query!.cursor ?? ''}`)
    assert.equal(query!.limit, 25)
    const from = Number(query!.cursor ?? 0)
    const numbers = Array.from({ length: 25 }, (_, index) => from + index)
    const orders = numbers.map((orderNumber) => ({ orderNumber, status: 'OPEN', placedOn: '2026-01-31', itemCount: 1 }))
    const products = numbers.map((number) => ({ productId: `SLO_${number}`, name: 'Cards', code: 'C', active: false }))
    return { body: { orders, products, nextCursor: String(from + 25) }, picture: undefined }
  }
  const uris: string[] = []
  let cursor: string | undefined
  do {
    const page = await listResources(cursor, () => true, endless)
    uris.push(...page.resources.map(({ uri }) => uri))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  assert.equal(uris.filter((uri) => uri.startsWith(`${scheme}orders/`)).length, 100)
  assert.equal(uris.filter((uri) => uri.startsWith(`${scheme}products/`)).length, 200)
  assert.equal(reads.length, 12)
  assert.equal(new Set(reads).size, 12)
})

test('a cursor that the list did not give is refused', async () => {
  const made = (place: unknown): string => Buffer.from(JSON.stringify(place)).toString('base64url')
  for (const cursor of [
    '',
    'x',
    made(null),
    made({ part: 9, page: 1 }),
    made({ part: 0, page: 99 }),
    made({ part: 0 }),
  ]) {
    const { body } = await current(primary, { method: 'resources/list', params: { cursor } })
    assert.equal(body.error.code, -32602, cursor)
    assert.match(body.error.message, /cursor/)
  }
  const forged = made({ part: 0, page: 2, cursor: 'forged' })
  const { body } = await current(primary, { method: 'resources/list', params: { cursor: forged } })
  assert.deepEqual([body.error.code, body.error.data.code], [-32602, 'invalid_cursor'])
})

test('SCOPE-16 a token lists only the templates, resources and prompts that its scopes allow, and reads no more', async () => {
  const few = await partner(service, 'primary', 'partner-api/products:read')
  assert.deepEqual(await names(few, 'resources/templates/list', 'resourceTemplates'), ['product'])
  assert.deepEqual(await names(few, 'prompts/list', 'prompts'), [])
  assert.ok((await listed(few)).flat().every(({ uri }) => uri.startsWith(`${scheme}products/`)))
  const { error } = await read(few, `${scheme}orders/${approved.orderNumber}`)
  assert.deepEqual([error.code, error.data.code], [-32602, 'insufficient_scope'])

  const reading = await partner(service, 'primary', 'partner-api/orders:read')
  assert.deepEqual(await names(reading, 'prompts/list', 'prompts'), ['order_status'])
  const none = await partner(service, 'primary', 'partner-api/sites:read')
  assert.deepEqual(await names(none, 'resources/templates/list', 'resourceTemplates'), [])
  assert.deepEqual(await listed(none), [[]])
})

test('LIM-07 reading a resource spends one request, and beyond the limit it is refused with the wait', async () => {
  const limited = await testService({ limits: 'on', clock: () => new Date('2026-03-01T10:00:00Z'), monotonic: () => 0 })
  const trial = await newPartner(limited, 'TRIAL')
  const left = async (): Promise<number> => (await trial.get('/v1/me')).body.limits.dailyRemaining
  const before = await left()
  const uri = `${scheme}products/${pod}`
  assert.ok((await read(trial, uri)).result)
  await current(trial, { method: 'resources/templates/list' })
  await current(trial, { method: 'prompts/list' })
  assert.equal(await left(), before - 2, 'the read, and this look at what is left')
  const answers = []
  for (let turn = 0; turn < 8; turn++) answers.push(await read(trial, uri))
  const refused = answers.at(-1)
  assert.equal(refused.error.data.code, 'rate_limit_exceeded')
  assert.match(refused.error.message, /Retry-After: \d+ seconds$/)
  assert.equal((await callTool(trial, 'list_sites')).body.code, 'rate_limit_exceeded')
})

test('what may hold a signed link is never compressed, and what is offered is', async () => {
  const encodingOf = async (method: string, params: object): Promise<string | null> => {
    const answer = await fetch(`${primary.baseUrl}/v1/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${primary.token}`,
        'content-type': 'application/json',
        'accept-encoding': 'gzip',
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    assert.ok(((await answer.json()) as { result?: object }).result, method)
    return answer.headers.get('content-encoding')
  }
  const { orderNumber, itemNumber } = pendingReview
  const uri = `${scheme}orders/${orderNumber}/items/${itemNumber}/proof`
  assert.equal(await encodingOf('resources/read', { uri }), null)
  assert.equal(await encodingOf('prompts/get', { name: 'check_proofs' }), null)
  assert.equal(await encodingOf('tools/list', {}), 'gzip')
})

test('a read is in the log as the operation that it is', async () => {
  const { orderNumber } = approved
  await read(primary, `${scheme}orders/${orderNumber}`)
  assert.ok(service.logLines.some((line) => line.includes('"operation":"getOrder"') && line.includes('tool called')))
})

for (const mode of ['auto', 'legacy'] as const) {
  test(`the official client (${mode}) lists and reads resources, and completes their variables`, async () => {
    const client = await mcpClient(primary, mode)
    const { resources } = await client.listResources()
    const [first] = resources
    const { contents } = await client.readResource({ uri: first!.uri })
    assert.equal(`${scheme}orders/${JSON.parse((contents[0] as { text: string }).text).orderNumber}`, first!.uri)
    const { resourceTemplates } = await client.listResourceTemplates()
    const { uriTemplate } = resourceTemplates.find(({ name }) => name === 'proof_picture')!
    const completed = async (name: string, value: string, given?: Record<string, string>): Promise<string[]> => {
      const { completion } = await client.complete({
        ref: { type: 'ref/resource', uri: uriTemplate },
        argument: { name, value },
        ...(given && { context: { arguments: given } }),
      })
      return completion.values
    }
    const number = String(pendingReview.orderNumber)
    assert.deepEqual(await completed('orderNumber', number), [number])
    assert.deepEqual(await completed('itemNumber', ''), [])
    assert.ok((await completed('itemNumber', '', { orderNumber: number })).includes(String(pendingReview.itemNumber)))
    assert.deepEqual(await completed('itemNumber', 'x', { orderNumber: number }), [])
    await client.close()
  })
}

test('there is nothing to subscribe to', async () => {
  const params = { uri: `${scheme}orders/${approved.orderNumber}` }
  const { body } = await post(primary, { jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params })
  assert.equal(body.error.code, -32601)
})
