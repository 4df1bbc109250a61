import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { loggedCall, tracesOf } from '../../test/world/developer.ts'
import { newPartner } from '../../test/world/limited.ts'
import { sendAs } from '../../test/world/mutual-tls.ts'
import { orderBuilder } from '../../test/world/order-builder.ts'
import { partner, type Partner } from '../../test/world/partner.ts'
import { staffChange } from '../../test/world/partner-builder.ts'
import { startReceiver } from '../../test/world/receiver.ts'
import { sandboxPartner } from '../../test/world/sandbox.ts'
import { testService } from '../../test/world/service.ts'
import { staff } from '../../test/world/staff.ts'
import { settled, until } from '../../test/world/webhooks.ts'
import { oauthErrors } from '../contract/oauth-errors.ts'
import { problemMeaning } from '../contract/problems.ts'
import { sql } from '../database/sql.ts'
import { readRequestLog } from '../gateway/request-log/read-request-log.ts'
import { setGrantedSites } from '../partners/partners.ts'
import { credentialsOf } from './credentials.ts'
import { listDeliveriesOfPartner } from '../webhooks/deliveries.ts'

const service = await testService()
const admin = await staff(service)
const { database } = service.production
const { sites } = service.manifest
const files = service.manifest.partners.certificate.certificate!
const [cert, key, ca] = await Promise.all(
  [files.certFile, files.keyFile, files.caFile].map((file) => readFile(file, 'utf8')),
)
const holder: Pick<Partner, 'get'> = {
  get: (path) => sendAs({ cert, key, ca }, service.hosts.mtlsBaseUrl, path),
}

/** Every record of a list, page by page. */
async function all(by: Pick<Partner, 'get'>, path: string, plural: string, limit = 2): Promise<any[]> {
  const found: any[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await by.get(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor && `&cursor=${cursor}`}`)
    assert.equal(page.status, 200, JSON.stringify(page.body))
    found.push(...page.body[plural])
    cursor = page.body.nextCursor
  }
  return found
}

const idsOf = (records: { requestId: string }[]) => records.map(({ requestId }) => requestId)

test('a partner reads its own calls with what their codes mean, newest first, and filters them', async () => {
  const by = await newPartner(service)
  const other = await newPartner(service)
  const missing = await loggedCall(by, '/v1/orders/987654321012345')
  const malformed = await loggedCall(by, '/v1/orders/none')
  const fine = await loggedCall(by.byOtherClient, '/v1/sites')
  const foreign = await loggedCall(other, '/v1/orders/987654321012345')

  const requests = await all(by, '/developer/requests', 'requests')
  assert.deepEqual(idsOf(requests).slice(0, 3), [fine, malformed, missing])
  assert.ok(!idsOf(requests).includes(foreign))
  assert.ok(requests.every(({ operation }) => operation !== 'listRequests' && operation !== 'getRequest'))
  const { receivedOn, milliseconds, credential, ...told } = requests[1]
  assert.deepEqual(told, {
    requestId: malformed,
    operation: 'getOrder',
    toolCall: false,
    method: 'GET',
    // What is no word or id of the API could be anything.
    path: '/v1/orders/none',
    status: 400,
    code: 'invalid_order_number',
    meaning: problemMeaning('invalid_order_number'),
    guide: '/guides/errors/invalid_order_number/',
    authMethod: 'IDP_M2M',
    siteId: sites.main,
    sourceAddress: '127.0.0.1',
  })
  assert.ok(milliseconds > 0)
  assert.notEqual(credential, requests[0].credential)
  const { otherCalls, ...shown } = (await by.get(`/developer/requests/${malformed}`)).body
  assert.deepEqual([shown, otherCalls], [requests[1], []])
  assert.deepEqual([requests[0].code, requests[0].meaning, requests[0].guide], [null, null, null])

  for (const [query, expected] of [
    ['outcome=failed', [malformed, missing]],
    ['outcome=failed&status=404', [missing]],
    ['code=invalid_order_number', [malformed]],
    ['operation=listSites', [fine]],
    [`credential=${requests[0].credential}&outcome=succeeded&operation=listSites`, [fine]],
    [`credential=${credential}&operation=listSites`, []],
    ['outcome=succeeded&operation=getOrder', []],
    [`until=${receivedOn}&operation=getOrder`, [missing]],
    [`since=${receivedOn}&operation=getOrder`, [malformed]],
  ] as const) {
    assert.deepEqual(idsOf(await all(by, `/developer/requests?${query}`, 'requests', 1)), expected, query)
  }
  assert.ok((await all(by, '/developer/requests?operation=getRequest', 'requests', 50)).length > 0)
  // A partner knows its token requests by the client that they name.
  assert.deepEqual(
    (await all(by, '/developer/requests?operation=token', 'requests')).map(({ status }) => status),
    [200, 200],
  )
})

test('a refused token is explained in the words of its own protocol, also where a problem has the same name', async () => {
  const by = await partner(service, 'primary')
  const { clientId, clientSecret } = service.manifest.partners.primary.clients![0]!
  const refused = async (fields: Record<string, string>, endpoint = 'token'): Promise<any> => {
    const answer = await fetch(`${service.hosts.baseUrl}/oauth2/${endpoint}`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: clientId, ...fields }),
    })
    const path = `/developer/requests/${answer.headers.get('request-id')}`
    await until(async () => (await by.get(path)).status === 200)
    return (await by.get(path)).body
  }
  const explained = { guide: '/guides/sign-in/#when-a-token-is-refused' }
  assert.partialDeepStrictEqual(await refused({ grant_type: 'client_credentials', client_secret: 'wrong' }), {
    ...explained,
    code: 'invalid_client',
    meaning: oauthErrors.invalid_client,
  })
  for (const endpoint of ['token', 'revoke']) {
    assert.partialDeepStrictEqual(await refused({ client_secret: clientSecret }, endpoint), {
      ...explained,
      code: 'invalid_request',
      meaning: oauthErrors.invalid_request,
    })
  }
})

test('TEN-01 TEN-02 what is of another partner is not found, and not listed', async () => {
  const [one, other] = [await newPartner(service), await newPartner(service)]
  const traces = await tracesOf(service, one, one.partnerId)
  const missing = { requestId: '0199a0a0-0000-7000-8000-000000000000', deliveryId: '987654321012345' }
  for (const path of [
    (ids: typeof missing) => `/developer/requests/${ids.requestId}`,
    (ids: typeof missing) => `/developer/webhook-deliveries/${ids.deliveryId}`,
  ]) {
    assert.equal((await one.get(path(traces))).status, 200)
    const [foreign, none] = [await other.get(path(traces)), await other.get(path(missing))]
    assert.equal(foreign.status, 404)
    assert.deepEqual({ ...foreign.body, requestId: '' }, { ...none.body, requestId: '' })
  }
  for (const path of [
    'webhook-endpoints',
    'webhook-deliveries',
    `webhook-deliveries?endpointId=${traces.endpointId}`,
  ]) {
    const plural = path.startsWith('webhook-e') ? 'webhookEndpoints' : 'webhookDeliveries'
    assert.equal((await one.get(`/developer/${path}`)).body[plural].length, 1, path)
    assert.deepEqual((await other.get(`/developer/${path}`)).body[plural], [], path)
  }
  const credentials = [
    await all(one, '/developer/credentials', 'credentials'),
    await all(other, '/developer/credentials', 'credentials'),
  ]
  assert.deepEqual(
    credentials.map((each) => each.length),
    [2, 2],
  )
  assert.equal(new Set(credentials.flat().map(({ credentialId }) => credentialId)).size, 4)
})

test('a delivery shows the bytes and headers that were sent, what the receiver answered, and no secret', async (t) => {
  const by = await newPartner(service)
  const receiver = await startReceiver(t, (response) => response.writeHead(500).end('out of <b>paper</b>'))
  const registered = await admin.post(`/staff/v1/production/partners/${by.partnerId}/webhook-endpoints`, {
    url: receiver.url,
    allowHost: true,
    signed: true,
  })
  const { endpoint, signingSecret } = registered.body
  const ping = await admin.post(`/staff/v1/production/webhook-endpoints/${endpoint.endpointId}/test-ping`)
  const [sent] = await receiver.arrival(1)
  const path = `/developer/webhook-deliveries/${ping.body.deliveryId}`
  await until(async () => (await by.get(path)).body.outcome !== null)
  const delivery = (await by.get(path)).body
  assert.equal(delivery.body, sent!.body.toString())
  assert.deepEqual([delivery.outcome, delivery.reason, delivery.responseStatus], ['FAILED', 'status', 500])
  assert.equal(delivery.responseExcerpt, 'out of <b>paper</b>')
  assert.deepEqual(
    delivery.headers.map(({ name }: { name: string }) => name),
    ['Content-Type', 'User-Agent', 'Platform-Event-Id', 'Platform-Signature'],
  )
  for (const { name, value } of delivery.headers) {
    assert.equal(value, name === 'Platform-Signature' ? null : sent!.headers[name.toLowerCase()], name)
  }
  const endpoints = await by.get('/developer/webhook-endpoints')
  assert.deepEqual(
    endpoints.body.webhookEndpoints.map((each: any) => [each.endpointId, each.signed, each.enabled, each.failing]),
    [[endpoint.endpointId, true, true, true]],
  )
  const listed = await by.get('/developer/webhook-deliveries')
  assert.ok(!JSON.stringify([delivery, endpoints.body, listed.body]).includes(signingSecret))
})

test('deliveries of all endpoints are one list, newest first, which filters narrow', async (t) => {
  const by = await sandboxPartner(service)
  const [first, second] = [await startReceiver(t), await startReceiver(t, (response) => response.writeHead(410).end())]
  const ids: string[] = []
  for (const receiver of [first, second]) {
    const { body } = await by.post('/sandbox/receivers', { url: receiver.url })
    ids.push(body.receiverId)
    await by.post(`/sandbox/receivers/${body.receiverId}/ping`)
  }
  const { orderNumber } = (await by.post('/v1/orders', orderBuilder(service.manifest).order())).body.order
  await by.post(`/sandbox/orders/${orderNumber}/steps`, { step: 'cancel_order' })
  await settled(service.sandbox.database)
  const deliveries = await all(by, '/developer/webhook-deliveries', 'webhookDeliveries')
  assert.ok(deliveries.length >= 4)
  const sorted = deliveries.toSorted((a, b) =>
    a.createdOn === b.createdOn ? b.deliveryId - a.deliveryId : a.createdOn < b.createdOn ? 1 : -1,
  )
  assert.deepEqual(deliveries, sorted)
  assert.equal(new Set(deliveries.map(({ deliveryId }) => deliveryId)).size, deliveries.length)
  const [middle] = deliveries.slice(1)
  for (const [query, selects] of [
    ['outcome=FAILED', (each: any) => each.endpointId === ids[1]],
    [`endpointId=${ids[0]}`, (each: any) => each.endpointUrl === first.url],
    [`orderNumber=${orderNumber}`, (each: any) => !each.isTestPing],
    [`orderNumber=${orderNumber}&endpointId=${ids[0]}`, (each: any) => !each.isTestPing && each.endpointId === ids[0]],
    ['eventType=order.status_changed', (each: any) => each.type === 'order.status_changed'],
    [`since=${middle.createdOn}`, (each: any) => each.createdOn >= middle.createdOn],
    [`until=${middle.createdOn}`, (each: any) => each.createdOn < middle.createdOn],
    ['orderNumber=987654321012345', () => false],
  ] as const) {
    const found = await all(by, `/developer/webhook-deliveries?${query}`, 'webhookDeliveries', 1)
    assert.deepEqual(found, deliveries.filter(selects), query)
  }
})

test('TEN-01 deliveries about orders on sites that are not granted any more are left out', async (t) => {
  const by = await sandboxPartner(service, [sites.main, sites.second])
  const receiver = await startReceiver(t)
  await by.post('/sandbox/receivers', { url: receiver.url })
  await by.post('/v1/orders', orderBuilder(service.manifest).order())
  await until(async () => (await by.get('/developer/webhook-deliveries')).body.webhookDeliveries.length > 0)
  const [{ deliveryId }] = (await by.get('/developer/webhook-deliveries')).body.webhookDeliveries
  assert.equal((await by.get(`/developer/webhook-deliveries/${deliveryId}`)).status, 200)
  const change = staffChange(new Date())
  await service.sandbox.database.change((tx) => setGrantedSites(tx, change, by.partnerId, [sites.second]))
  assert.deepEqual((await by.get('/developer/webhook-deliveries')).body.webhookDeliveries, [])
  assert.equal((await by.get(`/developer/webhook-deliveries/${deliveryId}`)).body.code, 'delivery_not_found')
})

test('credentials tell when they were made, used and end, and nothing that opens anything', async () => {
  const by = await newPartner(service)
  await by.get('/v1/me')
  const listed = await all(by, '/developer/credentials', 'credentials', 1)
  assert.equal(listed.length, 2)
  for (const { credentialId, ...each } of listed) {
    assert.match(credentialId, /^pc_/)
    assert.deepEqual([each.kind, each.status, each.startsOn, each.expiresOn], ['APP_CLIENT', 'ACTIVE', null, null])
    assert.equal(each.madeByPartner, false)
    assert.ok(Math.abs(Date.parse(each.createdOn) - Date.now()) < 600_000)
  }
  const stored = await database.statements.rows<{ secret: string }>(sql`
    select encode(secret_hash, 'hex') as secret from app_client where partner_id = ${by.partnerId}`)
  for (const { secret } of stored) assert.ok(!JSON.stringify(listed).includes(secret))
})

test('MTLS-01 MTLS-17 over mutual TLS a partner reads the same, with the last use and the end of its certificate', async () => {
  const { headers } = await holder.get('/v1/sites')
  const requestId = headers.get('request-id')!
  await until(async () => (await holder.get(`/developer/requests/${requestId}`)).status === 200)
  const call = (await holder.get(`/developer/requests/${requestId}`)).body
  assert.deepEqual([call.operation, call.authMethod], ['listSites', 'MTLS'])
  const [certificate] = (await holder.get('/developer/credentials')).body.credentials
  const me = (await holder.get('/v1/me')).body
  assert.deepEqual(
    [certificate.kind, certificate.credentialId, certificate.name, certificate.expiresOn],
    ['CERTIFICATE', call.credential, me.certificate.subjectDn, me.certificate.expiresOn],
  )
  assert.ok(certificate.lastUsedOn >= call.receivedOn)
  assert.equal(certificate.status, 'ACTIVE')
  for (const path of ['requests', 'webhook-endpoints', 'webhook-deliveries', 'limits']) {
    assert.equal((await holder.get(`/developer/${path}`)).status, 200, path)
  }
})

test('a certificate tells that it ends soon, has ended, or is not valid yet', async () => {
  const { partnerId } = service.manifest.partners.certificate
  const dates = (notBefore: string, notAfter: string) =>
    service.owner.production.statements.rows(sql`
      update partner_certificate set not_before = now() + ${notBefore}::interval, not_after = now() + ${notAfter}::interval
      where partner_id = ${partnerId}`)
  const [before] = await service.owner.production.statements.rows<{ notBefore: string; notAfter: string }>(sql`
    select not_before, not_after from partner_certificate where partner_id = ${partnerId}`)
  const status = async () =>
    (await credentialsOf(database.longReads, { partnerId, now: new Date(), after: undefined, limit: 10 }))[0]!.status
  for (const [from, to, expected] of [
    ['-1 day', '20 days', 'EXPIRING'],
    ['-2 days', '-1 day', 'EXPIRED'],
    ['1 day', '90 days', 'NOT_YET_VALID'],
    ['-1 day', '90 days', 'ACTIVE'],
  ] as const) {
    await dates(from, to)
    assert.equal(await status(), expected)
  }
  await service.owner.production.statements.rows(sql`
    update partner_certificate set not_before = ${before!.notBefore}, not_after = ${before!.notAfter}
    where partner_id = ${partnerId}`)
})

test('LIM-07 all credentials of a partner see the same limits, and what is left of them', async () => {
  const limited = await testService({ limits: 'on', monotonic: () => 0 })
  const by = await newPartner(limited, 'TRIAL')
  const read = async (each: Partner) => (await each.get('/developer/limits')).body
  const first = await read(by)
  assert.deepEqual(
    [first.tier, first.enforced, first.burst, first.sustainedPerSecond, first.dailyQuota],
    ['TRIAL', true, 5, 2, 10_000],
  )
  // The call itself counts.
  assert.deepEqual([first.burstRemaining, first.dailyUsed, first.dailyRemaining], [4, 1, 9_999])
  const second = await read(by.byOtherClient)
  assert.deepEqual([second.burstRemaining, second.dailyUsed], [3, 2])
  const staffs = await (await staff(limited)).get(`/staff/v1/production/partners/${by.partnerId}/limits`)
  const { edge: _edge, ...same } = staffs.body
  assert.deepEqual(same, second)
})

test('the sandbox has a log, credentials and limits of its own', async () => {
  const by = await partner(service, 'sandbox')
  const requestId = await loggedCall(by, '/v1/orders/987654321012345')
  const primary = await partner(service, 'primary')
  assert.equal((await primary.get(`/developer/requests/${requestId}`)).status, 404)
  assert.equal((await by.get(`/developer/requests/${requestId}`)).body.code, 'order_not_found')
  const clients = (await by.get('/developer/credentials')).body.credentials.map((each: any) => each.credentialId)
  assert.ok(clients.includes(service.manifest.partners.sandbox.clients![0]!.clientId))
})

test('PAG-05 a read that looked at enough says where to look on, and nothing is lost or told twice', async (t) => {
  const by = await sandboxPartner(service)
  const { reads } = service.sandbox.database
  const receivers = [await startReceiver(t), await startReceiver(t)]
  for (const { url } of receivers) {
    const { receiverId } = (await by.post('/sandbox/receivers', { url })).body
    for (let turn = 0; turn < 4; turn++) await by.post(`/sandbox/receivers/${receiverId}/ping`)
  }
  const wish = { partnerId: by.partnerId, siteIds: [sites.main], limit: 3, lookAt: 3 }
  const found: number[] = []
  let after: { createdOn: string; deliveryId: number } | undefined
  for (let turn = 0; ; turn++) {
    assert.ok(turn < 20)
    const { found: some, goOn } = await listDeliveriesOfPartner(reads, { ...wish, limit: 4, after })
    found.push(...some.map(({ deliveryId }) => deliveryId))
    if (!goOn) break
    after = goOn
  }
  const whole = await listDeliveriesOfPartner(reads, { ...wish, after: undefined, limit: 100, lookAt: 100 })
  assert.equal(whole.found.length, 8)
  assert.deepEqual(
    found,
    whole.found.map(({ deliveryId }) => deliveryId),
  )
  const none = await listDeliveriesOfPartner(reads, { ...wish, eventType: 'shipment.shipped', after: undefined })
  assert.deepEqual([none.found.length, none.goOn !== undefined], [0, true])
  const { found: requests } = await readRequestLog(reads, { partnerId: by.partnerId, after: undefined, limit: 5 })
  assert.ok(requests.every(({ partnerId }) => partnerId === by.partnerId))
})
