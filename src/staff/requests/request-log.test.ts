import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { current } from '../../../test/world/mcp.ts'
import { partner, send, type Answer } from '../../../test/world/partner.ts'
import { sendAs } from '../../../test/world/mutual-tls.ts'
import { staff } from '../../../test/world/staff.ts'
import { testService } from '../../../test/world/service.ts'
import { until } from '../../../test/world/webhooks.ts'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')
const { fixtures, sites, partners } = service.manifest
const build = orderBuilder(service.manifest)
const base = service.hosts.baseUrl

type Logged = Record<string, unknown>
const idOf = (answer: { headers: Headers }) => answer.headers.get('request-id')!
const list = async (query: string, environment = 'production'): Promise<{ requests: Logged[]; nextCursor: string }> =>
  (await admin.get(`/staff/v1/${environment}/requests?${query}`)).body

/** What the log has of a request, without its time. */
async function logOf(answer: { headers: Headers }, environment = 'production'): Promise<Logged[]> {
  let calls: Logged[] = []
  await until(async () => {
    const found = await admin.get(`/staff/v1/${environment}/requests/${idOf(answer)}`)
    if (found.status === 200) calls = found.body.calls
    return calls.length > 0
  })
  return calls.map(({ recordedOn, milliseconds, requestId, codeMeans, ...rest }) => {
    assert.ok(codeMeans === null || rest.code !== null)
    assert.ok(Math.abs(Date.parse(recordedOn as string) - Date.now()) < 60_000)
    assert.ok((milliseconds as number) > 0)
    assert.equal(requestId, idOf(answer))
    return rest
  })
}

const clientOf = (key: 'primary' | 'sandbox') => partners[key]!.clients![0]!.clientId
const call = {
  toolCall: false,
  method: 'GET',
  status: 200,
  code: null,
  authMethod: 'IDP_M2M',
  credential: clientOf('primary'),
  partnerId: partners.primary!.partnerId,
  siteId: null,
  sourceAddress: '127.0.0.1',
}

test('a call is in the log with operation, status, code, credential, partner, site and address', async () => {
  const order = `/v1/orders/${fixtures.orders.approved.orderNumber}`
  assert.deepEqual(await logOf(await primary.get(order)), [{ ...call, operation: 'getOrder', path: order }])
  const products = await primary.get(`/v1/products?siteId=${sites.main}&limit=1`)
  assert.deepEqual(await logOf(products), [
    { ...call, operation: 'listProducts', path: '/v1/products', siteId: sites.main },
  ])
  const submitted = await primary.post('/v1/orders', build.order())
  const written = { ...call, operation: 'submitOrder', method: 'POST', path: '/v1/orders' }
  assert.deepEqual(await logOf(submitted), [{ ...written, status: 201, siteId: sites.main }])
  const refused = await primary.post('/v1/orders', { siteId: sites.foreign })
  assert.deepEqual(await logOf(refused), [{ ...written, status: 400, code: 'invalid_request' }])
  const { calls } = (await admin.get(`/staff/v1/production/requests/${idOf(refused)}`)).body
  assert.match(calls[0].codeMeans, /^[A-Z].+\.$/)
})

test('a call that reaches no operation or has no valid credential is in the log too', async () => {
  const missed = await primary.get('/v1/orders/first/of/many')
  assert.deepEqual(await logOf(missed), [
    { ...call, operation: null, path: '/v1/orders/first/of/many', status: 404, code: 'route_not_found' },
  ])
  const stranger = await primary.call('GET', '/v1/me', undefined, { authorization: 'Bearer nobody' })
  const unknown = { ...call, authMethod: null, credential: null, partnerId: null }
  assert.deepEqual(await logOf(stranger), [
    { ...unknown, operation: 'getMe', path: '/v1/me', status: 401, code: 'invalid_token' },
  ])
})

test('a token request is in the log of the client it names, whether or not the secret is right', async () => {
  const { clientId, clientSecret } = partners.primary!.clients![0]!
  const ask = (body: Record<string, string>) =>
    fetch(`${base}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', ...body }),
    })
  const expected = { ...call, operation: 'token', method: 'POST', path: '/oauth2/token', authMethod: null }
  const granted = await ask({ client_id: clientId, client_secret: clientSecret })
  assert.deepEqual(await logOf(granted), [expected])
  const refused = { ...expected, status: 401, code: 'invalid_client' }
  assert.deepEqual(await logOf(await ask({ client_id: clientId, client_secret: 'wrong' })), [refused])
  // Someone may send the secret in the place of the id.
  const mixedUp = await ask({ client_id: clientSecret, client_secret: clientId })
  assert.deepEqual(await logOf(mixedUp), [{ ...refused, credential: null, partnerId: null }])
})

test('a tool call is in the log as the operation that it calls, and other messages to the MCP endpoint as that', async () => {
  const told = await current(primary, {
    method: 'tools/call',
    params: { name: 'list_products', arguments: { siteId: sites.main, limit: 1 } },
  })
  const mcp = { ...call, method: 'POST', path: '/v1/mcp' }
  assert.deepEqual(await logOf(told), [{ ...mcp, operation: 'listProducts', toolCall: true, siteId: sites.main }])
  const refused = await current(primary, {
    method: 'tools/call',
    params: { name: 'get_order', arguments: { orderNumber: 1 } },
  })
  assert.deepEqual(await logOf(refused), [
    { ...mcp, operation: 'getOrder', toolCall: true, status: 404, code: 'order_not_found' },
  ])
  assert.deepEqual(await logOf(await current(primary, { method: 'tools/list' })), [{ ...mcp, operation: 'mcp' }])
})

test('a call with a certificate is in the log with its serial number, and one in the sandbox in the log of the sandbox', async () => {
  const { certFile, keyFile, caFile } = partners.certificate!.certificate!
  const read = (file: string) => readFileSync(file, 'utf8')
  const holder = { ca: read(caFile), cert: read(certFile), key: read(keyFile) }
  const certificate = await sendAs(holder, service.hosts.mtlsBaseUrl, '/v1/me')
  assert.deepEqual(await logOf(certificate as unknown as Answer), [
    {
      ...call,
      operation: 'getMe',
      path: '/v1/me',
      authMethod: 'MTLS',
      credential: certificate.body.certificate.serialNumber,
      partnerId: partners.certificate!.partnerId,
      siteId: sites.main,
    },
  ])
  const inSandbox = await (await partner(service, 'sandbox')).get('/v1/me')
  const [logged] = await logOf(inSandbox, 'sandbox')
  assert.deepEqual([logged!.partnerId, logged!.credential], [partners.sandbox!.partnerId, clientOf('sandbox')])
  assert.equal((await admin.get(`/staff/v1/production/requests/${idOf(inSandbox)}`)).status, 404)
})

test('nothing personal or secret gets from a path or a query into the log', async () => {
  const secret = await primary.get('/v1/users/jane@example.com?email=jane%40example.com')
  const [logged] = await logOf(secret)
  assert.deepEqual([logged!.path, logged!.code], ['/v1/users/…', 'invalid_user_id'])
  const token = await primary.get(`/v1/${primary.token}`)
  assert.deepEqual((await logOf(token))[0]!.path, '/v1/…')
  const everything = await service.production.database.statements.rows<{ row: string }>({
    text: 'select request_log::text as row from request_log',
    name: 'whole_log',
    values: [],
  })
  for (const { row } of everything) assert.doesNotMatch(row, /jane|pcs_|eyJ/)
})

test('a liveness check without a credential and a page for browsers are in no log', async () => {
  const pinged = await send(base, 'GET', '/v1/ping')
  const metadata = await fetch(`${base}/.well-known/oauth-protected-resource`)
  const after = await primary.get('/v1/me')
  await logOf(after)
  for (const answer of [pinged, metadata]) {
    assert.equal((await admin.get(`/staff/v1/production/requests/${idOf(answer)}`)).status, 404)
  }
})

test('the list is filtered by partner, site, operation, status, code, credential, slowness and time', async () => {
  const neighbour = await partner(service, 'neighbour')
  const read = await neighbour.get(`/v1/divisions?siteId=${sites.second}`)
  const missed = await neighbour.get('/v1/orders/999999999')
  await logOf(missed)
  const { recordedOn, ...entry } = (await list(`operation=listDivisions&siteId=${sites.second}`)).requests[0]!
  assert.equal(entry.requestId, idOf(read))
  const mine = `partnerId=${partners.neighbour!.partnerId}`
  const ids = async (query: string) => (await list(query)).requests.map(({ requestId }) => requestId)
  for (const query of [
    `${mine}&statusClass=4xx`,
    `${mine}&status=404`,
    `${mine}&code=order_not_found`,
    `${mine}&statusClass=4xx&from=${recordedOn as string}`,
  ]) {
    assert.deepEqual(await ids(query), [idOf(missed)], query)
  }
  assert.ok((await ids(`credential=${entry.credential as string}`)).includes(idOf(read)))
  assert.deepEqual(await ids(`${mine}&slowerThan=600000`), [])
  assert.deepEqual(await ids(`${mine}&to=2020-01-01`), [])
  assert.ok((await ids(`${mine}&slowerThan=1&to=2999-01-01`)).length <= (await ids(mine)).length)
  for (const wrong of ['statusClass=4', 'status=0', 'slowerThan=-1', 'from=yesterday', 'partnerId=7']) {
    assert.equal((await admin.get(`/staff/v1/production/requests?${wrong}`)).body.code, 'invalid_request', wrong)
  }
})

test('pages go back through the log without gaps', async () => {
  for (let turn = 0; turn < 4; turn++) await logOf(await primary.get('/v1/segments?limit=1'))
  const query = `operation=listSegments&partnerId=${partners.primary!.partnerId}`
  const all = (await list(query)).requests
  const paged: Logged[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof list>> = await list(
      `${query}&limit=1${cursor === null ? '' : `&cursor=${cursor}`}`,
    )
    paged.push(...page.requests)
    cursor = page.nextCursor
  } while (cursor !== null)
  assert.ok(all.length >= 4)
  assert.deepEqual(paged, all)
  const times = all.map(({ recordedOn }) => recordedOn as string)
  assert.deepEqual(times, times.toSorted().toReversed())
})
