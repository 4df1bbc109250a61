import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as oauth from 'oauth4webapi'
import { testDatabase } from '../../../test/world/database.ts'
import {
  bearerPartner,
  clientSecretKeys,
  insertSites,
  silent,
  staffChange,
  type TestPartner,
} from '../../../test/world/partner-builder.ts'
import { openDatabase } from '../../database/database.ts'
import { revokeAppClient, setPartnerEnabled } from '../../partners/partners.ts'
import { Outage } from '../../vocabulary/outage.ts'
import { publishedScope, scopes } from '../../vocabulary/scopes.ts'
import { accessTokens } from '../bearer/access-token.ts'
import { machineClients } from './machine-clients.ts'
import type { TokenAnswer } from './token-answers.ts'
import { tokenEndpoint, type OtherGrants, type TokenEndpoint } from './token-endpoint.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const tokens = accessTokens([Buffer.alloc(32, 'access')], { environment: 'PRODUCTION', audience: 'partner-api' })

const { database } = await testDatabase()
await insertSites(database, [101], now)
const partner = await bearerPartner(database, now, { siteIds: [101], capabilities: ['orders:read', 'sites:read'] })
const endpoint = newEndpoint('off')

function newEndpoint(limits: 'on' | 'off', otherGrants?: OtherGrants, reads = database.reads): TokenEndpoint {
  const clients = machineClients({ database: { reads, statements: database.statements }, clientSecretKeys, limits })
  return tokenEndpoint({ clients, tokens, ...(otherGrants && { otherGrants }) })
}

type Wish = {
  to?: TokenEndpoint
  body?: string
  authorization?: string | undefined
  headers?: Record<string, string>
  address?: string
  at?: Date
}

async function ask(
  form: Record<string, string>,
  wish: Wish = {},
): Promise<TokenAnswer & { json: Record<string, unknown> }> {
  const answer = await (wish.to ?? endpoint)({
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(wish.authorization === undefined ? {} : { authorization: wish.authorization }),
      ...wish.headers,
    },
    body: Buffer.from(wish.body ?? new URLSearchParams(form).toString()),
    sourceAddress: wish.address ?? '203.0.113.1',
    now: wish.at ?? now,
  })
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.equal(answer.headers.pragma, 'no-cache')
  assert.equal(answer.headers['content-type'], 'application/json')
  return { ...answer, json: JSON.parse(answer.body) as Record<string, unknown> }
}

function byPost({ clientId, secret }: TestPartner, more: Record<string, string> = {}): Record<string, string> {
  return { grant_type: 'client_credentials', client_id: clientId, client_secret: secret, ...more }
}

function basic(clientId: string, secret: string): string {
  return `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`
}

test('AUTH-05 AUTH-07 AUTH-08 the client credentials grant answers an access token, its lifetime and scope, and no refresh token', async () => {
  const { status, json } = await ask(byPost(partner, { scope: 'partner-api/orders:read' }))
  assert.equal(status, 200)
  const { access_token: token, ...rest } = json
  assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 3600, scope: 'partner-api/orders:read' })
  const { tokenId, ...claims } = tokens.read(String(token), now)!
  assert.ok(tokenId)
  assert.deepEqual(claims, {
    kind: 'client',
    subject: partner.clientId,
    scopes: ['orders:read'],
    issuedOn: now,
    expiresOn: new Date(now.getTime() + 3_600_000),
  })
})

test('AUTH-06 the client may use Basic credentials, form-encoded or not', async () => {
  const form = { grant_type: 'client_credentials' }
  const authorization = basic(partner.clientId, partner.secret)
  assert.equal((await ask(form, { authorization })).status, 200)
  assert.equal((await ask(form, { authorization: authorization.replace('Basic', 'bAsIc') })).status, 200)
  const encoded = basic(partner.clientId.replaceAll('_', '%5F'), partner.secret.replaceAll('_', '%5f'))
  assert.equal((await ask(form, { authorization: encoded })).status, 200)
  assert.equal((await ask({ ...form, client_id: partner.clientId }, { authorization })).status, 200)
})

test('AUTH-07 an OAuth client library accepts both ways and reads the refusal', async () => {
  const server: oauth.AuthorizationServer = {
    issuer: 'https://api.example',
    token_endpoint: 'https://api.example/oauth2/token',
  }
  const client: oauth.Client = { client_id: partner.clientId }
  const request = async (auth: oauth.ClientAuth) => {
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      auth,
      { scope: 'partner-api/sites:read' },
      {
        [oauth.customFetch]: async (_url: string, options: oauth.CustomFetchOptions<'POST', URLSearchParams>) => {
          const { status, headers, body } = await endpoint({
            headers: options.headers,
            body: Buffer.from(options.body.toString()),
            sourceAddress: '203.0.113.1',
            now,
          })
          return new Response(body, { status, headers })
        },
      },
    )
    return oauth.processClientCredentialsResponse(server, client, response)
  }
  for (const auth of [oauth.ClientSecretPost(partner.secret), oauth.ClientSecretBasic(partner.secret)]) {
    const answer = await request(auth)
    assert.equal(answer.scope, 'partner-api/sites:read')
    assert.equal(answer.expires_in, 3600)
  }
  await assert.rejects(request(oauth.ClientSecretPost('wrong')), { error: 'invalid_client' })
  await assert.rejects(request(oauth.ClientSecretBasic('wrong')), oauth.WWWAuthenticateChallengeError)
})

test('SCOPE-15 scopes that are unknown or that the partner lacks are left out, and the request succeeds', async () => {
  const scopeOf = async (scope?: string) =>
    (await ask(byPost(partner, scope === undefined ? {} : { scope }))).json.scope
  assert.equal(await scopeOf('partner-api/orders:read partner-api/orders:write unknown'), 'partner-api/orders:read')
  assert.equal(await scopeOf(), 'partner-api/orders:read partner-api/sites:read')
  assert.equal(await scopeOf(''), 'partner-api/orders:read partner-api/sites:read')
  assert.equal(await scopeOf('orders:read'), '')
  assert.equal(await scopeOf('partner-api/users:read'), '')
  const whole = await bearerPartner(database, now)
  assert.equal((await ask(byPost(whole))).json.scope, scopes.map(publishedScope).join(' '))
})

test('AUTH-05 a malformed scope is refused as RFC 6749 says', async () => {
  const good = 'partner-api/orders:read'
  for (const scope of [' ', ` ${good}`, `${good} `, `${good}  ${good}`, `${good}\t`, '"x"', 'a\\b', 'é', `${good}\n`]) {
    const { status, json } = await ask(byPost(partner, { scope }))
    assert.deepEqual([status, json.error], [400, 'invalid_scope'], JSON.stringify(scope))
  }
})

test('AUTH-17 an unknown client, a wrong secret and a revoked client get the same 401', async () => {
  const revoked = await bearerPartner(database, now)
  assert.equal((await ask(byPost(revoked))).status, 200)
  await database.change((tx) => revokeAppClient(tx, staffChange(now), revoked.partnerId, revoked.clientId))
  const answers = await Promise.all([
    ask(byPost({ ...partner, secret: 'wrong' })),
    ask(byPost({ ...partner, clientId: 'pc_unknown' })),
    ask(byPost({ ...partner, clientId: '\u{1F600}' })),
    ask(byPost(revoked)),
    ask({ grant_type: 'client_credentials' }),
    ask({ grant_type: 'client_credentials', client_id: partner.clientId }),
    ask(byPost({ ...partner, secret: '' })),
  ])
  for (const { status, headers, json } of answers) {
    assert.equal(status, 401)
    assert.equal(json.error, 'invalid_client')
    assert.deepEqual({ headers, json }, { headers: answers[0]!.headers, json: answers[0]!.json })
    assert.equal(headers['www-authenticate'], undefined)
  }
})

test('a client that fails by Basic is told to use Basic', async () => {
  const headers = [
    basic(partner.clientId, 'wrong'),
    basic('pc_unknown', partner.secret),
    basic(partner.clientId, '%zz'),
    `Basic ${Buffer.from('no-colon').toString('base64')}`,
    'Basic',
    'Basic *',
    `Bearer ${partner.secret}`,
  ]
  for (const authorization of headers) {
    const answer = await ask({ grant_type: 'client_credentials' }, { authorization })
    assert.equal(answer.status, 401, authorization)
    assert.equal(answer.json.error, 'invalid_client')
    assert.match(answer.headers['www-authenticate']!, /^Basic realm="/)
  }
})

test('AUTH-06 client credentials sent both ways at once are refused', async () => {
  const authorization = basic(partner.clientId, partner.secret)
  const twice = await ask(byPost(partner), { authorization })
  assert.equal(twice.status, 400)
  assert.equal(twice.json.error, 'invalid_request')
  const two = await ask({ grant_type: 'client_credentials', client_id: 'pc_other' }, { authorization })
  assert.equal(two.json.error, 'invalid_request')
})

test('AUTH-05 a malformed token request is refused as RFC 6749 says, before any credential is checked', async () => {
  const good = new URLSearchParams(byPost(partner)).toString()
  const cases: [why: string, error: string, wish: Wish][] = [
    ['no content type', 'invalid_request', { headers: { 'content-type': '' } }],
    [
      'JSON',
      'invalid_request',
      { headers: { 'content-type': 'application/json' }, body: JSON.stringify(byPost(partner)) },
    ],
    ['a longer media type', 'invalid_request', { headers: { 'content-type': 'application/x-www-form-urlencodedx' } }],
    ['a compressed body', 'invalid_request', { headers: { 'content-encoding': 'gzip' } }],
    ['an empty body', 'invalid_request', { body: '' }],
    ['no grant type', 'invalid_request', { body: good.replace('grant_type', 'grant') }],
    ['an empty grant type', 'invalid_request', { body: good.replace('=client_credentials', '=') }],
    ['a repeated parameter', 'invalid_request', { body: `${good}&scope=a&scope=b` }],
    ['the same parameter twice', 'invalid_request', { body: `${good}&client_id=${partner.clientId}` }],
    ['a broken escape', 'invalid_request', { body: `${good}&scope=%zz` }],
    ['bytes that are no text', 'invalid_request', { body: `${good}&scope=%ff` }],
    ['password', 'unsupported_grant_type', { body: good.replace('client_credentials', 'password') }],
    ['refresh_token', 'unsupported_grant_type', { body: good.replace('client_credentials', 'refresh_token') }],
  ]
  for (const [why, error, wish] of cases) {
    const answer = await ask({}, { body: good, ...wish })
    assert.equal(answer.status, 400, why)
    assert.equal(answer.json.error, error, why)
    assert.equal(typeof answer.json.error_description, 'string', why)
  }
  const tolerated = { 'content-type': 'Application/X-WWW-Form-URLencoded; charset=UTF-8' }
  assert.equal((await ask({}, { body: `${good}&unknown=1&empty=`, headers: tolerated })).status, 200)
})

test('a partner without any rights still gets its token, which is refused on use', async () => {
  const [disabled, siteless, scopeless] = [
    await bearerPartner(database, now, { siteIds: [101] }),
    await bearerPartner(database, now),
    await bearerPartner(database, now, { siteIds: [101], capabilities: [] }),
  ]
  await database.change((tx) => setPartnerEnabled(tx, staffChange(now), disabled.partnerId, false))
  for (const one of [disabled, siteless, scopeless]) assert.equal((await ask(byPost(one))).status, 200)
  assert.equal((await ask(byPost(scopeless))).json.scope, '')
})

test('AUTH-14 a client gets twenty tokens a minute, whatever address it uses', async () => {
  const to = newEndpoint('on')
  const other = await bearerPartner(database, now)
  const at = (seconds: number) => new Date(now.getTime() + seconds * 1000)
  for (let turn = 0; turn < 20; turn++) {
    assert.equal((await ask(byPost(partner), { to, at: at(turn), address: `203.0.113.${turn}` })).status, 200)
  }
  const refused = await ask(byPost(partner), { to, at: at(20), address: '203.0.113.99' })
  assert.equal(refused.status, 429)
  assert.equal(refused.headers['retry-after'], '40')
  assert.equal(typeof refused.json.error, 'string')
  assert.equal((await ask(byPost(other), { to, at: at(20) })).status, 200)
  assert.equal((await ask(byPost(partner), { to, at: at(60) })).status, 200)
})

test('AUTH-14 failures count too, at their network: knowing a client id is not enough to use up the limit of its partner', async () => {
  const to = newEndpoint('on')
  const wrong = byPost({ ...partner, secret: 'wrong' })
  for (let turn = 0; turn < 20; turn++) assert.equal((await ask(wrong, { to })).status, 401)
  const refused = await ask(wrong, { to })
  assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '60'])
  assert.equal((await ask(byPost(partner), { to })).status, 429)
  assert.equal((await ask(byPost(partner), { to, address: '203.0.113.2' })).status, 200)
})

test('AUTH-14 an address, or an IPv6 /64, gets a hundred requests a minute, answered or refused', async () => {
  const to = newEndpoint('on')
  const statuses = new Set<number>()
  for (let turn = 0; turn < 100; turn++) {
    const address = `2001:db8::${turn.toString(16)}`
    statuses.add((await ask({ grant_type: 'none' }, { to, address })).status)
  }
  assert.deepEqual(statuses, new Set([400]))
  const refused = await ask(byPost(partner), { to, address: '2001:db8::ffff' })
  assert.equal(refused.status, 429)
  assert.equal(refused.headers['retry-after'], '60')
  assert.equal((await ask(byPost(partner), { to, address: '2001:db8:0:1::1' })).status, 200)
})

test('AUTH-14 the limits can be turned off', async () => {
  for (let turn = 0; turn < 120; turn++) assert.equal((await ask(byPost(partner))).status, 200)
})

test('ERR-72 with the database unreachable the token request is an outage, not a refusal', async () => {
  const unreachable = openDatabase('postgres://nobody@127.0.0.1:9/none', { log: silent })
  const to = newEndpoint('on', undefined, unreachable.reads)
  await assert.rejects(ask(byPost(partner), { to }), Outage)
  await unreachable.close()
})

test('a grant other than client credentials is answered by the module that offers it', async () => {
  const to = newEndpoint('on', {
    types: ['refresh_token'],
    answer: async (form) => ({
      status: 200,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store', pragma: 'no-cache' },
      body: JSON.stringify({ seen: form.get('refresh_token') }),
    }),
  })
  const refresh = { grant_type: 'refresh_token', refresh_token: 'r1' }
  assert.equal((await ask({ ...refresh, client_id: 'application' }, { to })).json.seen, 'r1')
  const unnamed = await ask(refresh, { to })
  assert.deepEqual([unnamed.status, unnamed.json.error], [401, 'invalid_client'])
  assert.equal((await ask({ grant_type: 'password' }, { to })).json.error, 'unsupported_grant_type')
  // An app client has client credentials and no other grant, but must prove itself to be told so.
  const machine = { ...byPost(partner), grant_type: 'refresh_token', refresh_token: 'r1' }
  const unauthorized = await ask(machine, { to })
  assert.deepEqual([unauthorized.status, unauthorized.json.error], [400, 'unauthorized_client'])
  const stranger = await ask({ ...machine, client_secret: 'wrong' }, { to })
  assert.deepEqual([stranger.status, stranger.json.error], [401, 'invalid_client'])
})
