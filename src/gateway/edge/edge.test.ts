import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partner, send } from '../../../test/world/partner.ts'
import { startTestService, testService } from '../../../test/world/service.ts'

/**
 * The edge firewall over HTTP. The header of a trusted proxy names the source, so that a test can send from any
 * address.
 */
let elapsed = 0

const service = await testService({
  limits: 'on',
  monotonic: () => elapsed,
  variables: { TRUSTED_PROXIES: '127.0.0.1' },
})
const primary = await partner(service, 'primary')

type Bare = { status: number; headers: Headers; text: string }

async function from(source: string, path: string, init: RequestInit = {}): Promise<Bare> {
  const answer = await fetch(service.hosts.baseUrl + path, {
    ...init,
    headers: { 'x-forwarded-for': source, ...(init.headers as Record<string, string>) },
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** @returns how many of the requests got each status */
async function many(count: number, request: () => Promise<Bare>): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {}
  for (let left = count; left > 0; left -= 50) {
    const answers = await Promise.all(Array.from({ length: Math.min(50, left) }, request))
    for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1
  }
  return statuses
}

/** ERR-06: no problem document, and no header about scopes or limits. */
function assertBare({ status, headers, text }: Bare): void {
  assert.deepEqual([status, text], [403, ''])
  for (const name of ['content-type', 'www-authenticate', 'retry-after', 'ratelimit']) {
    assert.equal(headers.get(name), null, name)
  }
}

const asPrimary = () => ({ headers: { authorization: `Bearer ${primary.token}` } })

test('LIM-08 ERR-06 the 2,001st request of an address within five minutes is a bare 403, on every path', async () => {
  assert.deepEqual(await many(2_000, () => from('198.51.100.1', '/v1/ping')), { 200: 2_000 })
  assertBare(await from('198.51.100.1', '/v1/ping'))
  assertBare(await from('198.51.100.1', '/v1/me', asPrimary()))
  assertBare(await from('198.51.100.1', '/v1/no-such-route'))
  assertBare(await from('198.51.100.1', '/oauth2/token', { method: 'POST', body: 'grant_type=client_credentials' }))
  assertBare(await from('198.51.100.1', '/v1/mcp', { method: 'POST', ...asPrimary() }))
  assert.equal((await from('198.51.100.2', '/v1/me', asPrimary())).status, 200)
  elapsed += 299_000
  assertBare(await from('198.51.100.1', '/v1/ping'))
  elapsed += 300_000
  assert.equal((await from('198.51.100.1', '/v1/ping')).status, 200)
})

test('LIM-09 an address is counted over all partners that use it, and calls without a credential count too', async () => {
  const [neighbour, source] = [await partner(service, 'neighbour'), '198.51.100.7']
  const byNeighbour = { headers: { authorization: `Bearer ${neighbour.token}` } }
  const counts = [
    await many(700, () => from(source, '/v1/ping')),
    await many(500, () => from(source, '/v1/me')),
    await many(400, () => from(source, '/v1/sites', asPrimary())),
    await many(398, () => from(source, '/v1/sites', byNeighbour)),
  ]
  assert.deepEqual(counts[0], { 200: 700 })
  assert.deepEqual(counts[1], { 401: 500 })
  // The partners' own limits apply too, and requests they refuse also count at the edge.
  for (const count of counts.slice(2)) assert.deepEqual(Object.keys(count), ['200', '429'])
  assert.equal((await from(source, '/v1/ping')).status, 200)
  assert.equal((await from(source, '/v1/no-such-route')).status, 401)
  assertBare(await from(source, '/v1/ping'))
  assertBare(await from(source, '/v1/sites', byNeighbour))
  assert.notEqual((await from('198.51.100.8', '/v1/sites', byNeighbour)).status, 403)
})

test('LIM-10 ERR-06 what attack tools send is a bare 403, credential or not, and what partners send passes', async () => {
  for (const path of [
    '/v1/products?q=%3Cscript%3Ealert(1)%3C/script%3E',
    "/v1/products?q=1'+UNION+SELECT+null,null--",
    '/v1/orders/..%2f..%2fetc%2fpasswd',
    '/v1/me?x=$%7Bjndi:ldap://x/a%7D',
    '/.env',
  ]) {
    assertBare(await from('198.51.100.20', path))
    assertBare(await from('198.51.100.20', path, asPrimary()))
  }
  assertBare(await from('198.51.100.20', '/v1/ping', { headers: { 'user-agent': "' or 1=1 --" } }))
  elapsed += 60_000
  const { main } = service.manifest.sites
  for (const path of [
    `/v1/products?siteId=${main}&q=men's+and+women's+shirts`,
    `/v1/products?siteId=${main}&q=select`,
  ]) {
    assert.equal((await from('198.51.100.20', path, asPrimary())).status, 200)
  }
})

test('LIM-10 turning the limits off turns off the rate rule and keeps the managed rules', async () => {
  const lifted = await startTestService({ databases: service.databases, monotonic: () => 0 })
  try {
    const { baseUrl } = lifted.hosts
    assert.equal((await fetch(`${baseUrl}/v1/products?q=%3Cscript%3E`)).status, 403)
    for (let turn = 0; turn < 42; turn++) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => send(baseUrl, 'GET', '/v1/ping')))
      assert.ok(answers.every(({ status }) => status === 200))
    }
  } finally {
    await lifted.close()
  }
})
