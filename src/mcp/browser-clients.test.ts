import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { givenChromium } from '../../test/world/chromium.ts'
import { testService } from '../../test/world/service.ts'

const { launch, skip } = givenChromium()
const service = await testService()
const base = service.hosts.baseUrl

const open = {
  '/v1/mcp': 'POST',
  '/oauth2/token': 'POST',
  '/oauth2/revoke': 'POST',
  '/oauth2/jwks': 'GET',
  '/.well-known/oauth-protected-resource': 'GET',
  '/.well-known/oauth-protected-resource/v1/mcp': 'GET',
  '/.well-known/oauth-authorization-server': 'GET',
  '/.well-known/oauth-authorization-server/v1/mcp': 'GET',
  '/.well-known/openid-configuration': 'GET',
}

function asks(path: string, method: string, origin: string): Promise<Response> {
  const headers = { origin, 'access-control-request-method': method, 'access-control-request-headers': 'authorization' }
  return fetch(base + path, { method: 'OPTIONS', headers })
}

function corsOf({ headers }: Response): string[] {
  return [...headers.keys()].filter((name) => name.startsWith('access-control-'))
}

test('SIGN-01 a page that may call the endpoint may also read the documents that lead to it', async () => {
  const origin = 'http://localhost:6274'
  for (const [path, method] of Object.entries(open)) {
    const asked = await asks(path, method, origin)
    assert.equal(asked.status, 200, path)
    assert.equal(asked.headers.get('access-control-allow-origin'), origin)
    assert.equal(asked.headers.get('access-control-allow-methods'), method)
    assert.match(asked.headers.get('access-control-allow-headers')!, /authorization.*mcp-protocol-version/)
    assert.equal(asked.headers.get('access-control-allow-credentials'), null)
    assert.equal(asked.headers.get('vary'), 'origin')
    const answer = await fetch(base + path, { method, headers: { origin } })
    assert.ok(![404, 405].includes(answer.status), path)
    assert.equal(answer.headers.get('access-control-allow-origin'), origin, path)
    assert.match(answer.headers.get('access-control-expose-headers')!, /www-authenticate/)
  }
})

test('pages of other origins may call nothing, and no page may call the rest of the API', async () => {
  for (const origin of [
    'https://evil.test',
    'http://localhost.evil.test',
    'http://evil.localhost',
    'null',
    'file://',
  ]) {
    for (const [path, method] of Object.entries(open)) {
      const asked = await asks(path, method, origin)
      assert.ok([401, 405].includes(asked.status), path)
      assert.deepEqual(corsOf(asked), [])
      assert.deepEqual(corsOf(await fetch(base + path, { method, headers: { origin } })), [], path)
    }
  }
  for (const [path, method] of [
    ['/v1/me', 'GET'],
    ['/v1/orders', 'POST'],
    ['/v1/mcp', 'DELETE'],
    ['/v1/mcp/', 'POST'],
    ['/oauth2/authorize', 'GET'],
    ['/oauth2/logout', 'POST'],
    ['/constructor', 'GET'],
  ] as const) {
    const asked = await asks(path, method, base)
    assert.equal(asked.status, 401, path)
    // A page that sends another method to an open path may read the refusal.
    if (path !== '/v1/mcp') assert.deepEqual(corsOf(asked), [], path)
  }
  const plain = await fetch(`${base}/v1/mcp`, { method: 'OPTIONS', headers: { origin: base } })
  assert.equal(plain.status, 401)
})

test('SIGN-01 MCP-01 a client in a web page finds its way to a token and calls a tool', { skip }, async () => {
  const elsewhere = createServer((_request, response) => response.end('a client')).listen(0, '127.0.0.1')
  await once(elsewhere, 'listening')
  const chromium = await launch!()
  try {
    const page = await chromium.newPage()
    const { port } = elsewhere.address() as AddressInfo
    const { clientId, clientSecret } = service.manifest.partners.primary.clients![0]!
    const client = { base, credentials: { client_id: clientId, client_secret: clientSecret } }
    const callFromPage = async (at: string) => {
      await page.goto(at)
      return page.evaluate(async (known) => {
        const revision = { 'mcp-protocol-version': '2025-11-25' }
        const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_me', arguments: {} } }
        const read = async (answer: Response): Promise<any> => answer.json() // eslint-disable-line typescript/no-explicit-any
        const call = (headers: Record<string, string>) =>
          fetch(`${known.base}/v1/mcp`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...revision, ...headers },
            body: JSON.stringify(message),
          })
        const refused = await call({}).catch(() => undefined)
        if (!refused) return 'kept out'
        const led = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate')!)![1]!
        const resource = await read(await fetch(led, { headers: revision }))
        const server = `${resource.authorization_servers[0]}/.well-known/oauth-authorization-server`
        const metadata = await read(await fetch(server, { headers: revision }))
        const body = new URLSearchParams({ grant_type: 'client_credentials', ...known.credentials })
        const { access_token: token } = await read(await fetch(metadata.token_endpoint, { method: 'POST', body }))
        const answered = await read(await call({ authorization: `Bearer ${token}` }))
        return answered.result.structuredContent.partnerId
      }, client)
    }
    assert.equal(await callFromPage(`http://127.0.0.1:${port}/`), service.manifest.partners.primary.partnerId)
    assert.equal(await callFromPage(`http://evil.localhost:${port}/`), 'kept out')
  } finally {
    await chromium.close()
    elsewhere.close()
  }
})
