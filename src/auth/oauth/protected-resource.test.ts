import assert from 'node:assert/strict'
import { test } from 'node:test'
import { send, token } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { publishedScope, scopes } from '../../vocabulary/scopes.ts'

const service = await testService()

const wellKnown = '/.well-known/oauth-protected-resource'

test('SIGN-01 a client without a token is led to the metadata of the MCP endpoint of the host it called', async () => {
  for (const baseUrl of [service.hosts.baseUrl, service.hosts.sandboxBaseUrl]) {
    const refused = await send(baseUrl, 'POST', '/v1/mcp')
    assert.equal(refused.status, 401)
    const led = /^Bearer resource_metadata="([^"]+)"$/.exec(refused.headers.get('www-authenticate')!)?.[1]
    assert.equal(led, `${baseUrl}${wellKnown}/v1/mcp`)
    const metadata = await send('', 'GET', led!)
    assert.equal(metadata.status, 200)
    assert.equal(metadata.headers.get('content-type'), 'application/json')
    assert.deepEqual(metadata.body, {
      resource: `${baseUrl}/v1/mcp`,
      authorization_servers: [baseUrl],
      scopes_supported: scopes.map(publishedScope),
      bearer_methods_supported: ['header'],
      resource_name: 'Partner Commerce API',
    })
  }
})

test('SIGN-01 the host as a whole also has metadata, under its own name', async () => {
  const { baseUrl } = service.hosts
  const { body } = await send(baseUrl, 'GET', wellKnown)
  assert.equal(body.resource, baseUrl)
  assert.deepEqual(body.authorization_servers, [baseUrl])
})

test('AUTH-20 AUTH-22 AUTH-23 AUTH-25 AUTH-27 every 401 of a host carries the same challenge, whatever the path, the method or the cause', async () => {
  const { baseUrl } = service.hosts
  const { partners } = service.manifest
  const disabled = await token(baseUrl, partners.disabled!.clients![0]!)
  const answers = await Promise.all([
    send(baseUrl, 'GET', '/v1/me'),
    send(baseUrl, 'GET', '/v1/nowhere'),
    send(baseUrl, 'DELETE', '/v1/orders'),
    send(baseUrl, 'POST', '/v1/mcp', '{"jsonrpc":"2.0","id":1,"method":"ping"}'),
    send(baseUrl, 'GET', '/v1/mcp'),
    send(baseUrl, 'POST', '/v1/mcp', {}, { origin: 'https://evil.test' }),
    ...['Basic eDp5', 'Bearer', 'Bearer none', `Bearer ${disabled}`].map((authorization) =>
      send(baseUrl, 'POST', '/v1/mcp', {}, { authorization }),
    ),
  ])
  // The path alone decides whether pages of other origins may read the answer, and so what it varies with.
  const ofRequest = ['date', 'request-id', 'vary']
  const seen = answers.map(({ status, headers, body }) => {
    const shown = Object.fromEntries([...headers].filter(([name]) => !ofRequest.includes(name)))
    return JSON.stringify([status, shown, { ...body, requestId: '' }])
  })
  assert.equal(new Set(seen).size, 1, [...new Set(seen)].join('\n'))
  assert.equal(answers[0]!.status, 401)
})
