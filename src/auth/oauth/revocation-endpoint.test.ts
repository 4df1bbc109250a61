import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as oauth from 'oauth4webapi'
import { withToken } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { askToken, signedInTokens, signInOf } from '../../../test/world/sign-in.ts'
import { staffWith } from '../../../test/world/staff.ts'

const service = await testService()
const base = service.hosts.baseUrl
const { partnerId, clients } = service.manifest.partners.primary
const client = clients![0]!
const credentials = { client_id: client.clientId, client_secret: client.clientSecret }

async function newToken(by: Record<string, string> = credentials): Promise<string> {
  const { status, body } = await askToken(base, { grant_type: 'client_credentials', ...by })
  assert.equal(status, 200, JSON.stringify(body))
  return body.access_token
}

async function revoke(form: Record<string, string>, headers: Record<string, string> = {}) {
  const answer = await fetch(`${base}/oauth2/revoke`, { method: 'POST', headers, body: new URLSearchParams(form) })
  const text = await answer.text()
  return {
    status: answer.status,
    headers: answer.headers,
    error: text && (JSON.parse(text) as { error: string }).error,
    says: text && (JSON.parse(text) as { error_description: string }).error_description,
  }
}

async function meStatus(token: string, at = base): Promise<number> {
  return (await withToken(at, token).get('/v1/me')).status
}

test('AUTH-20 SIGN-02 a machine revokes one of its tokens, which is refused at once by every process, and no other', async () => {
  const other = await testService({ databases: service.databases })
  const tokens = await Promise.all(Array.from({ length: 4 }, () => newToken()))
  assert.equal(new Set(tokens).size, 4, 'no two tokens are alike, even of one moment')
  const [one, two, kept, three] = tokens as [string, string, string, string]
  for (const token of tokens) assert.equal(await meStatus(token, other.hosts.baseUrl), 200)

  const server: oauth.AuthorizationServer = { issuer: base, revocation_endpoint: `${base}/oauth2/revoke` }
  const machine: oauth.Client = { client_id: client.clientId }
  for (const [token, auth] of [
    [one, oauth.ClientSecretPost(client.clientSecret)],
    [two, oauth.ClientSecretBasic(client.clientSecret)],
  ] as const) {
    const answer = await oauth.revocationRequest(server, machine, auth, token, { [oauth.allowInsecureRequests]: true })
    await oauth.processRevocationResponse(answer)
  }
  // A hint that fits nothing changes nothing, and neither does asking twice.
  for (let turn = 0; turn < 2; turn++) {
    const { status, headers } = await revoke({ ...credentials, token: three, token_type_hint: 'refresh_token' })
    assert.deepEqual([status, headers.get('cache-control')], [200, 'no-store'])
  }
  const never = await withToken(base, 'pcat_nonsense').get('/v1/me')
  for (const token of [one, two, three]) {
    for (const at of [base, other.hosts.baseUrl]) {
      const { status, body } = await withToken(at, token).get('/v1/me')
      assert.deepEqual([status, { ...body, requestId: '' }], [401, { ...never.body, requestId: '' }])
    }
  }
  assert.equal(await meStatus(kept, other.hosts.baseUrl), 200)
})

test('AUTH-15 a client revokes only tokens of its own, not those of its partner’s other client or people', async () => {
  const manager = await staffWith(service, ['PARTNER_MANAGER'])
  for (const extra of clients!.slice(1)) {
    await manager.post(`/staff/v1/production/partners/${partnerId}/clients/${extra.clientId}/revoke`)
  }
  const issued = await manager.post(`/staff/v1/production/partners/${partnerId}/clients`, {})
  assert.equal(issued.status, 201, JSON.stringify(issued.body))
  const { clientId, clientSecret } = issued.body
  const token = await newToken({ client_id: clientId, client_secret: clientSecret })
  const signedIn = await signedInTokens(base, signInOf(service, 'primary'))
  for (const foreign of [token, signedIn.access_token, signedIn.refresh_token, 'nonsense']) {
    assert.equal((await revoke({ ...credentials, token: foreign })).status, 200)
  }
  assert.deepEqual([await meStatus(token), await meStatus(signedIn.access_token)], [200, 200])
})

test('AUTH-17 revocation needs the secret of the client, and a token', async () => {
  const token = await newToken()
  const basic = { authorization: `Basic ${Buffer.from(`${client.clientId}:wrong`).toString('base64')}` }
  const wrong = [
    await revoke({ ...credentials, client_secret: 'wrong', token }),
    await revoke({ client_id: client.clientId, token }),
    await revoke({ token }, basic),
    await revoke({ token }),
    await revoke({ token, client_id: '' }),
    await revoke({}),
  ]
  for (const { status, error, says } of wrong) {
    const all = 'The client credentials are missing or not valid.'
    assert.deepEqual([status, error, says], [401, 'invalid_client', all])
  }
  for (const tokenless of [credentials, { client_id: signInOf(service, 'primary').clientId }]) {
    const { status, error, says } = await revoke(tokenless)
    assert.deepEqual([status, error, says], [400, 'invalid_request', 'token is missing.'])
  }
  assert.equal(await meStatus(token), 200)
})

test('AUTH-14 the limits of the token endpoint apply to revocation too', async () => {
  const limited = await testService({ limits: 'on', databases: service.databases })
  const ask = (path: string) =>
    fetch(limited.hosts.baseUrl + path, {
      method: 'POST',
      body: new URLSearchParams({
        ...credentials,
        client_secret: 'wrong',
        grant_type: 'client_credentials',
        token: 'x',
      }),
    })
  for (let turn = 0; turn < 10; turn++) {
    assert.deepEqual([(await ask('/oauth2/revoke')).status, (await ask('/oauth2/token')).status], [401, 401])
  }
  for (const path of ['/oauth2/revoke', '/oauth2/token']) {
    const refused = await ask(path)
    assert.equal(refused.status, 429)
    const { error_description: says } = (await refused.json()) as { error_description: string }
    assert.equal(says, 'Too many requests. Wait as long as Retry-After says.')
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
  }
})
