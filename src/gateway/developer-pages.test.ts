import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partner } from '../../test/world/partner.ts'
import { testService } from '../../test/world/service.ts'

const service = await testService()
const { baseUrl, sandboxBaseUrl, developerUrl } = service.hosts
const bearer = {
  [baseUrl]: await partner(service, 'primary'),
  [sandboxBaseUrl]: await partner(service, 'sandbox'),
}

const open = [
  ['/v1/me', 'GET'],
  ['/v1/orders', 'POST'],
  ['/v1/products/SLO_1', 'PATCH'],
  ['/v1/users/1/segments', 'PUT'],
  ['/v1/nowhere', 'DELETE'],
  ['/developer/requests', 'GET'],
  ['/sandbox/receivers', 'POST'],
  ['/oauth2/token', 'POST'],
  ['/oauth2/revoke', 'POST'],
] as const

function asks(base: string, path: string, method: string, origin: string): Promise<Response> {
  const headers = { origin, 'access-control-request-method': method, 'access-control-request-headers': 'authorization' }
  return fetch(base + path, { method: 'OPTIONS', headers })
}

function corsOf({ headers }: { headers: Headers }): string[] {
  return [...headers.keys()].filter((name) => name.startsWith('access-control-'))
}

test('pages of the developer site may call every method of both bearer hosts, without cookies', async () => {
  for (const base of [baseUrl, sandboxBaseUrl]) {
    for (const [path, method] of open) {
      const asked = await asks(base, path, method, developerUrl)
      assert.equal(asked.status, 200, path)
      assert.equal(asked.headers.get('access-control-allow-origin'), developerUrl)
      assert.ok(asked.headers.get('access-control-allow-methods')!.split(', ').includes(method), path)
      for (const name of ['authorization', 'content-type', 'if-match', 'last-event-id']) {
        assert.ok(asked.headers.get('access-control-allow-headers')!.split(', ').includes(name), name)
      }
      assert.equal(asked.headers.get('access-control-allow-credentials'), null)
      assert.match(asked.headers.get('vary')!, /origin/)
    }
    const { call } = bearer[base]!
    for (const [path, status] of [
      ['/v1/me', 200],
      ['/v1/orders/987654321', 404],
    ] as const) {
      const read = await call('GET', path, undefined, { origin: developerUrl })
      assert.equal(read.status, status)
      assert.equal(read.headers.get('access-control-allow-origin'), developerUrl)
      const exposed = read.headers.get('access-control-expose-headers')!.split(', ')
      for (const name of ['etag', 'location', 'retry-after', 'ratelimit', 'ratelimit-policy', 'request-id']) {
        assert.ok(exposed.includes(name), name)
      }
      assert.match(read.headers.get('vary')!, /origin/)
    }
    // A refused credential too: the page shows why.
    const refused = await fetch(`${base}/v1/me`, { headers: { origin: developerUrl } })
    assert.deepEqual([refused.status, refused.headers.get('access-control-allow-origin')], [401, developerUrl])
  }
})

test('no page of another origin may, be it of another port, scheme or name of the same machine', async () => {
  const { hostname, port } = new URL(developerUrl)
  for (const origin of [
    `https://${hostname}:${port}`,
    `http://localhost:${port}`,
    `http://${hostname}:${Number(port) + 1}`,
    `http://${hostname}`,
    `${developerUrl}/`,
    `http://${hostname}:${port}.evil.test`,
    'https://evil.test',
    'null',
  ]) {
    for (const path of ['/v1/me', '/v1/orders', '/developer/requests']) {
      const asked = await asks(baseUrl, path, 'GET', origin)
      assert.equal(asked.status, 401, path)
      assert.deepEqual(corsOf(asked), [], `${origin} ${path}`)
      const read = await bearer[baseUrl]!.call('GET', '/v1/me', undefined, { origin })
      assert.deepEqual([read.status, corsOf(read)], [200, []], origin)
      assert.match(read.headers.get('vary')!, /origin/)
    }
  }
})

test('pages on which people sign in are read by no page, and no other method is allowed', async () => {
  for (const path of ['/oauth2/authorize', '/oauth2/login', '/oauth2/applications', '/oauth2/logout']) {
    assert.deepEqual(corsOf(await asks(baseUrl, path, 'GET', developerUrl)), [], path)
    const read = await fetch(baseUrl + path, { headers: { origin: developerUrl }, redirect: 'manual' })
    assert.deepEqual(corsOf(read), [], path)
  }
  assert.equal((await asks(baseUrl, '/v1/me', 'TRACE', developerUrl)).status, 401)
})

test('a request of a program, which has no Origin, gets no header of these', async () => {
  const read = await bearer[baseUrl]!.get('/v1/me')
  assert.deepEqual(corsOf(read), [])
  assert.doesNotMatch(read.headers.get('vary') ?? '', /origin/i)
})
