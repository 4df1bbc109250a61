import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopes, publishedScope } from '../../vocabulary/scopes.ts'
import type { Json } from '../../../test/world/order-builder.ts'
import { partner, send, token, withToken, type Partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'

const service = await testService()
const primary = await partner(service, 'primary')

async function me(by: Partner): Promise<Json & { limits: Json }> {
  const answer = await by.get('/v1/me')
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

test('GEN-17 GEN-01 ping answers without a credential, ignores any Authorization header, and must not be stored', async () => {
  for (const baseUrl of [service.hosts.baseUrl, service.hosts.sandboxBaseUrl]) {
    for (const authorization of [undefined, 'Bearer nonsense', 'Basic xyz', `Bearer ${primary.token}`]) {
      const answer = await send(baseUrl, 'GET', '/v1/ping', undefined, authorization ? { authorization } : {})
      assert.equal(answer.status, 200)
      assert.deepEqual(Object.keys(answer.body), ['status', 'time'])
      assert.equal(answer.body.status, 'OK')
      assert.ok(Math.abs(Date.parse(answer.body.time) - Date.now()) < 60_000)
      assert.equal(answer.headers.get('cache-control'), 'no-store')
    }
  }
})

test('ERR-20 ping and me accept no query parameters', async () => {
  for (const path of ['/v1/ping', '/v1/me']) {
    const answer = await primary.get(`${path}?verbose=1`)
    assert.equal(answer.body.code, 'unknown_query_parameter')
    assert.equal((await primary.get(`${path}?updatedSince=1`)).body.code, 'unknown_query_parameter')
  }
})

test('GEN-18 GEN-12 SITE-02 me shows the caller’s partner, granted sites, effective scopes and limits', async () => {
  const entry = service.manifest.partners.primary!
  const answer = await me(primary)
  const { limits, ...rest } = answer
  const tokenExpiresOn = rest.tokenExpiresOn as string
  assert.ok(Date.parse(tokenExpiresOn) > Date.now())
  assert.deepEqual(rest, {
    partnerId: entry.partnerId,
    partnerName: entry.name,
    authMethod: 'IDP_M2M',
    environment: 'PRODUCTION',
    grantedSiteIds: entry.siteIds.toSorted((a, b) => a - b),
    scopes: scopes.map(publishedScope).toSorted(),
    clientId: entry.clients![0]!.clientId,
    tokenExpiresOn,
    certificate: null,
    user: null,
  })
  const { dailyResetsOn, ...figures } = limits
  assert.deepEqual(figures, {
    tier: 'ENTERPRISE',
    sustainedPerSecond: 50,
    burst: 100,
    dailyQuota: 1_000_000,
    dailyRemaining: 1_000_000,
  })
  assert.match(dailyResetsOn as string, /T00:00:00\.000Z$/)
})

test("GEN-18 me shows the scopes of the token, not all of the partner's, and requires no scope", async () => {
  const narrow = await partner(service, 'primary', `${publishedScope('sites:read')} ${publishedScope('orders:read')}`)
  assert.deepEqual((await me(narrow)).scopes, [publishedScope('orders:read'), publishedScope('sites:read')])
  const readonly = await me(await partner(service, 'readonly'))
  assert.ok((readonly.scopes as string[]).every((scope) => scope.endsWith(':read')))
  assert.deepEqual(readonly.grantedSiteIds, service.manifest.partners.readonly!.siteIds)
})

test('SITE-02 a partner without sites:read still reads its granted site ids from me', async () => {
  const without = await partner(service, 'primary', publishedScope('orders:read'))
  assert.equal((await without.get('/v1/sites')).body.code, 'insufficient_scope')
  assert.deepEqual((await me(without)).grantedSiteIds, service.manifest.partners.primary!.siteIds)
})

test('GEN-05 AUTH-15 AUTH-16 two clients of one partner are one partner with one grant', async () => {
  const [first, second] = service.manifest.partners.primary!.clients!
  const [one, other] = await Promise.all(
    [first!, second!].map(async (client) =>
      me(withToken(service.hosts.baseUrl, await token(service.hosts.baseUrl, client))),
    ),
  )
  assert.notEqual(one!.clientId, other!.clientId)
  for (const key of ['partnerId', 'grantedSiteIds', 'scopes']) assert.deepEqual(one![key], other![key])
})

test('GEN-02 GEN-04 the sandbox host serves the same API to its own partners, and rejects production tokens', async () => {
  const sandbox = await partner(service, 'sandbox')
  assert.equal(sandbox.baseUrl, service.hosts.sandboxBaseUrl)
  const answer = await me(sandbox)
  assert.deepEqual([answer.environment, answer.partnerName], ['SANDBOX', 'Northwind Marketing (sandbox)'])
  assert.equal((await withToken(service.hosts.sandboxBaseUrl, primary.token).get('/v1/me')).body.code, 'invalid_token')
  assert.equal((await withToken(service.hosts.baseUrl, sandbox.token).get('/v1/me')).body.code, 'invalid_token')
  const orders = await sandbox.get('/v1/orders')
  assert.equal(orders.status, 200)
  assert.ok(orders.body.orders.length > 0)
})

test('ERR-41 AUTH-22 me without a credential is 401', async () => {
  const answer = await send(service.hosts.baseUrl, 'GET', '/v1/me')
  assert.equal(answer.body.code, 'invalid_token')
  assert.match(answer.headers.get('www-authenticate')!, /^Bearer/)
})
