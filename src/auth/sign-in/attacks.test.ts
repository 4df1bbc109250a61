import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partner, withToken } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import {
  askToken,
  authorizeUrl,
  freshCode,
  newBrowser,
  newVerifier,
  signedInTokens,
  signInAndAllow,
  signInOf,
  submit,
} from '../../../test/world/sign-in.ts'
import { sql } from '../../database/sql.ts'
import { registerSignInClient } from '../../partners/sign-in-clients.ts'
import { staffChange } from '../../../test/world/partner-builder.ts'
import { publishedScope } from '../../vocabulary/scopes.ts'

const who = (): ReturnType<typeof signInOf> => signInOf(service, 'primary')
const other = { clientId: 'another-app', redirectUri: 'https://another.example/callback' }

const service = await testService()
const base = service.hosts.baseUrl
const client = { clientId: other.clientId, name: 'Another', redirectUris: [other.redirectUri], isNative: false }
await service.production.database.change((tx) => registerSignInClient(tx, staffChange(new Date()), client))

/** Expects the page that refuses the request: no redirect, whatever it asked for. */
async function isRefusedHere(changes: Record<string, string | undefined>, application = who()): Promise<void> {
  const page = await newBrowser(base).open(authorizeUrl(base, application, newVerifier().challenge, changes))
  assert.equal(page.status, 400, JSON.stringify(changes))
  assert.equal(page.headers.get('location'), null)
  assert.match(page.headers.get('content-security-policy')!, /frame-ancestors 'none'/)
}

/** The error that the application gets at its own address. */
async function refusedAtTheApplication(changes: Record<string, string | undefined>): Promise<string> {
  const page = await newBrowser(base).open(authorizeUrl(base, who(), newVerifier().challenge, changes))
  assert.equal(page.status, 303, page.text)
  const back = new URL(page.headers.get('location')!)
  assert.equal(back.origin + back.pathname, who().redirectUri)
  // A request for an answer in the fragment is refused in the fragment too.
  const parameters = back.hash === '' ? back.searchParams : new URLSearchParams(back.hash.slice(1))
  assert.equal(parameters.get('iss'), base)
  assert.equal(parameters.get('code'), null)
  return parameters.get('error')!
}

test('SIGN-01 a redirect goes only to addresses that the application registered', async () => {
  const { redirectUri } = who()
  for (const changed of [
    'https://evil.example/callback',
    `${redirectUri}/`,
    `${redirectUri}?next=https://evil.example`,
    `${redirectUri}#fragment`,
    redirectUri.replace('127.0.0.1', 'localhost'),
    redirectUri.replace('127.0.0.1', '127.0.0.1.evil.example'),
    redirectUri.replace('http://', 'http://user@'),
    redirectUri.replace('http:', 'https:'),
    'javascript:alert(1)',
  ]) {
    await isRefusedHere({ redirect_uri: changed })
  }
  await isRefusedHere({ client_id: 'nobody' })
  await isRefusedHere({ client_id: undefined })
  await isRefusedHere({ client_id: 'x'.repeat(300) })
  await isRefusedHere({ redirect_uri: undefined })
  // Only loopback redirects may use any port.
  await isRefusedHere({ redirect_uri: 'https://another.example:8443/callback' }, { ...who(), ...other })
})

test('SIGN-01 a request without PKCE, or with the plain method, is refused', async () => {
  assert.equal(
    await refusedAtTheApplication({ code_challenge: undefined, code_challenge_method: undefined }),
    'invalid_request',
  )
  assert.equal(await refusedAtTheApplication({ code_challenge_method: 'plain' }), 'invalid_request')
  assert.equal(await refusedAtTheApplication({ code_challenge_method: undefined }), 'invalid_request')
  assert.equal(await refusedAtTheApplication({ code_challenge: 'short' }), 'invalid_request')
})

test('SIGN-01 only the code flow with a query response is offered, and only for this service', async () => {
  for (const resource of ['https://elsewhere.example/v1/mcp', `${base}/v1/orders`, service.hosts.sandboxBaseUrl]) {
    assert.equal(await refusedAtTheApplication({ resource }), 'invalid_target')
  }
  assert.equal(await refusedAtTheApplication({ response_type: 'token' }), 'unsupported_response_type')
  assert.equal(await refusedAtTheApplication({ response_type: 'id_token' }), 'unsupported_response_type')
  assert.equal(await refusedAtTheApplication({ prompt: 'none' }), 'login_required')
  assert.equal(await refusedAtTheApplication({ request: 'eyJ' }), 'request_not_supported')
  for (const mode of ['form_post', 'fragment', 'web_message']) await isRefusedHere({ response_mode: mode })
})

test('SIGN-01 a code is valid once, and only for its application, redirect, verifier and resource', async () => {
  const wrongs: [string, Record<string, string>][] = [
    ['invalid_grant', { code_verifier: newVerifier().verifier }],
    ['invalid_grant', { redirect_uri: 'http://127.0.0.1:1/callback' }],
    ['invalid_grant', { client_id: other.clientId }],
    ['invalid_target', { resource: 'https://elsewhere.example/' }],
    ['invalid_grant', { code: 'x'.repeat(43) }],
  ]
  for (const [error, change] of wrongs) {
    const answer = await askToken(base, { ...(await freshCode(base, who())), ...change })
    assert.deepEqual([answer.status, answer.body.error], [400, error], JSON.stringify(change))
    assert.match(answer.body.error_description, /^[A-Z].*[a-z]\.$/)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
  }
  const { client_id: _unsaid, ...noClient } = await freshCode(base, who())
  const unnamed = await askToken(base, noClient)
  assert.deepEqual([unnamed.status, unnamed.body.error], [401, 'invalid_client'])
  const nobody = await askToken(base, { ...(await freshCode(base, who())), client_id: 'nobody' })
  assert.deepEqual([nobody.status, nobody.body.error], [401, 'invalid_client'])
  const { code_verifier: _without, ...noVerifier } = await freshCode(base, who())
  assert.equal((await askToken(base, noVerifier)).body.error, 'invalid_grant')
  // RFC 6749 §4.1.3: the token request must repeat the redirect URI of the authorization request.
  const { redirect_uri: _unnamed, ...noRedirect } = await freshCode(base, who())
  assert.equal((await askToken(base, noRedirect)).body.error, 'invalid_request')

  const code = await freshCode(base, who())
  const first = await askToken(base, code)
  assert.equal(first.status, 200)
  const again = await askToken(base, code)
  assert.equal(again.body.error, 'invalid_grant')
  assert.equal(
    again.body.error_description,
    'The code or refresh token is not good for this request, or no longer good.',
  )
  assert.equal((await withToken(base, first.body.access_token).get('/v1/me')).body.code, 'invalid_token')
})

test('SIGN-01 a refresh token works only for its own application, and cannot widen the scope', async () => {
  const tokens = await signedInTokens(base, who(), { scope: publishedScope('orders:read') })
  const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
  const stranger = await askToken(base, { ...form, client_id: other.clientId })
  assert.equal(stranger.body.error, 'invalid_grant')
  const wider = await askToken(base, { ...form, client_id: who().clientId, scope: publishedScope('users:read') })
  assert.equal(wider.body.error, 'invalid_scope')
  const revocation = await fetch(`${base}/oauth2/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ token: tokens.access_token, client_id: other.clientId }),
  })
  assert.equal(revocation.status, 200)
  const nobody = new URLSearchParams({ token: 'x\0', client_id: 'no\0body' })
  assert.equal((await fetch(`${base}/oauth2/revoke`, { method: 'POST', body: nobody })).status, 400)
  assert.equal((await withToken(base, tokens.access_token).get('/v1/me')).status, 200)
})

test('AUTH-26 codes, tokens, people and cookies of one environment are not valid in the other', async () => {
  const { sandboxBaseUrl } = service.hosts
  const sandboxPerson = signInOf(service, 'sandbox')
  const tokens = await signedInTokens(sandboxBaseUrl, sandboxPerson)
  const inSandbox = await withToken(sandboxBaseUrl, tokens.access_token).get('/v1/me')
  assert.deepEqual([inSandbox.body.authMethod, inSandbox.body.environment], ['IDP_USER', 'SANDBOX'])
  assert.equal((await withToken(base, tokens.access_token).get('/v1/me')).body.code, 'invalid_token')
  const refreshed = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: who().clientId }
  assert.equal((await askToken(base, refreshed)).body.error, 'invalid_grant')
  const sandboxCode = await freshCode(sandboxBaseUrl, sandboxPerson)
  assert.equal((await askToken(base, sandboxCode)).body.error, 'invalid_grant')
  assert.equal((await askToken(sandboxBaseUrl, sandboxCode)).status, 200)
  const browser = newBrowser(base)
  const page = await browser.follow(authorizeUrl(base, who(), newVerifier().challenge))
  const { username, password } = sandboxPerson
  assert.equal((await submit(browser, page, { action: 'sign-in', username, password })).status, 401)
  assert.notDeepEqual(
    await (await fetch(`${base}/oauth2/jwks`)).json(),
    await (await fetch(`${sandboxBaseUrl}/oauth2/jwks`)).json(),
  )
})

test('SIGN-01 a step belongs to the browser that began it, and its form to the page that showed it', async () => {
  const browser = newBrowser(base)
  const page = await browser.follow(authorizeUrl(base, who(), newVerifier().challenge))
  const { username, password } = who()
  const form = { action: 'sign-in', username, password }
  assert.equal((await newBrowser(base).open(page.url)).status, 400)
  assert.equal((await browser.open(page.url, { form })).status, 403)
  assert.equal((await browser.open(page.url, { form: { ...form, proof: 'x'.repeat(43) } })).status, 403)
  const proof = /name="proof"\s+value="([^"]+)"/.exec(page.text)![1]!
  for (const origin of ['https://evil.example', 'null', service.hosts.sandboxBaseUrl]) {
    const answer = await browser.open(page.url, { form: { ...form, proof }, headers: { origin } })
    assert.equal(answer.status, 403, origin)
  }
  assert.equal(
    (await browser.open(page.url, { form: { ...form, proof }, headers: { 'content-type': 'text/plain' } })).status,
    403,
  )
  // A changed cookie, and the step of one browser with the cookie of another.
  const second = newBrowser(base)
  const secondPage = await second.follow(authorizeUrl(base, who(), newVerifier().challenge))
  const isStep = ([, { name }]: [string, { name: string }]): boolean => name.includes('step')
  const [steps, secondSteps] = [[...browser.cookies].filter(isStep), [...second.cookies].filter(isStep)]
  for (const [key, cookie] of secondSteps) {
    const moved = steps.find(([, { name }]) => name === cookie.name)![1]
    second.cookies.set(key, { ...moved, path: cookie.path })
  }
  for (const [key, cookie] of steps.filter(([, { name }]) => !name.endsWith('.sig'))) {
    browser.cookies.set(key, {
      ...cookie,
      value: `${cookie.value.slice(0, -1)}${cookie.value.endsWith('A') ? 'B' : 'A'}`,
    })
  }
  assert.equal((await second.open(secondPage.url)).status, 400)
  assert.equal((await browser.open(page.url)).status, 400)
})

test('SIGN-01 pages cannot be framed, sniffed, cached or scripted', async () => {
  const browser = newBrowser(base)
  const first = await browser.open(authorizeUrl(base, who(), newVerifier().challenge))
  for (const line of first.headers.getSetCookie()) assert.match(line, /; samesite=lax; httponly$/i)
  const pages = [
    await browser.open(first.headers.get('location')!),
    await browser.open('/oauth2/logout'),
    await browser.open('/oauth2/login'),
  ]
  for (const { headers, text } of pages) {
    assert.match(headers.get('content-security-policy')!, /^default-src 'none'; style-src 'self'; form-action 'self'/)
    assert.match(headers.get('content-security-policy')!, /base-uri 'none'; frame-ancestors 'none'$/)
    assert.equal(headers.get('x-frame-options'), 'DENY')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('access-control-allow-origin'), null)
    assert.ok(!/<script|style=| on[a-z]+=/i.test(text))
  }
})

test('AUTH-19 a path that takes a form takes no other body, and other methods are refused as everywhere', async () => {
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']) {
    for (const path of ['/oauth2/revoke', '/oauth2/token']) {
      assert.equal((await fetch(base + path, { method })).status, 401, `${method} ${path}`)
    }
  }
  assert.equal((await fetch(`${base}/oauth2/authorize`, { method: 'POST' })).status, 401)
  const json = await fetch(`${base}/oauth2/revoke`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  assert.deepEqual([json.status, ((await json.json()) as { error: string }).error], [400, 'invalid_request'])
})

test('SIGN-01 a foreign Host header changes no address in any answer', async () => {
  const { request } = await import('node:http')
  const url = new URL(authorizeUrl(base, who(), newVerifier().challenge))
  const answer = await new Promise<{ headers: NodeJS.Dict<string | string[]> }>((resolve) => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    request(url, { headers }, resolve).end()
  })
  assert.match(String(answer.headers.location), /^\/oauth2\/login\//)
  assert.ok(!JSON.stringify(answer.headers).includes('evil.example'))
})

test('SIGN-01 guessing is slowed down, by name and by network, whether or not the name exists', async () => {
  const { username, password } = who()
  for (const name of ['nobody@nowhere.example', username]) {
    const browser = newBrowser(base)
    const page = await browser.follow(authorizeUrl(base, who(), newVerifier().challenge))
    const texts = new Set<string>()
    for (let turn = 0; turn < 10; turn++) {
      const answer = await submit(browser, page, { action: 'sign-in', username: name, password: `guess ${turn}` })
      assert.equal(answer.status, 401)
      texts.add(/role="alert"[^>]*>([^<]+)/.exec(answer.text)![1]!)
    }
    assert.equal(texts.size, 1)
    const delayed = await submit(browser, page, { action: 'sign-in', username: name.toUpperCase(), password })
    assert.equal(delayed.status, 429)
    assert.ok(Number(delayed.headers.get('retry-after')) > 60)
  }
  // A quarter of an hour later the person is let in.
  await service.production.database.statements.rows(
    sql`update sign_in_attempts set since = since - interval '16 minutes'`,
  )
  await signInAndAllow(newBrowser(base), authorizeUrl(base, who(), newVerifier().challenge), who())
})

test('SIGN-01 twelve hours after the sign-in its last refresh token expires, however often it was rotated', async () => {
  const tokens = await signedInTokens(base, who())
  const { database } = service.production
  const expiries = () =>
    database.reads.rows<{ expiresOn: string }>(
      sql`select expires_on from sign_in_record where kind = 'RefreshToken' order by expires_on desc limit 1`,
    )
  const [first] = await expiries()
  assert.ok(Math.abs(Date.parse(first!.expiresOn) - Date.now() - 12 * 3_600_000) < 60_000)
  await database.statements.rows(
    sql`update sign_in_record set expires_on = expires_on - interval '12 hours' where kind = 'RefreshToken'`,
  )
  const late = await askToken(base, {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token,
    client_id: who().clientId,
  })
  assert.equal(late.body.error, 'invalid_grant')
})

test('SIGN-01 no token outlives the sign-in, whatever was issued near its end', async (t) => {
  const start = Math.floor(Date.now() / 1000) * 1000
  const minutes = (count: number): number => start + count * 60_000
  t.mock.timers.enable({ apis: ['Date'], now: start })
  const browser = newBrowser(base)
  const { verifier, challenge } = newVerifier()
  const redeem = async (back: URL) =>
    (
      await askToken(base, {
        grant_type: 'authorization_code',
        code: back.searchParams.get('code')!,
        redirect_uri: who().redirectUri,
        client_id: who().clientId,
        code_verifier: verifier,
      })
    ).body
  const asked = authorizeUrl(base, who(), challenge)
  const first = await redeem(await signInAndAllow(browser, asked, who()))
  assert.equal(first.expires_in, 3600)
  t.mock.timers.setTime(minutes(690))
  // The browser is still signed in, so another application gets what is left.
  const second = await redeem(await signInAndAllow(browser, asked, who()))
  const refreshed = await askToken(base, {
    grant_type: 'refresh_token',
    refresh_token: first.refresh_token,
    client_id: who().clientId,
  })
  for (const { expires_in: seconds, access_token: token } of [second, refreshed.body]) {
    assert.equal(seconds, 1800)
    const me = await withToken(base, token).get('/v1/me')
    assert.equal(me.body.tokenExpiresOn, new Date(minutes(720)).toISOString())
  }
  t.mock.timers.setTime(minutes(720))
  for (const token of [second.access_token, refreshed.body.access_token]) {
    assert.equal((await withToken(base, token).get('/v1/me')).body.code, 'invalid_token')
  }
  for (const token of [second.refresh_token, refreshed.body.refresh_token]) {
    const late = await askToken(base, { grant_type: 'refresh_token', refresh_token: token, client_id: who().clientId })
    assert.equal(late.body.error, 'invalid_grant')
  }
  assert.match((await browser.follow(asked)).text, /name="password"/)
})

test('SIGN-02 a machine token and a signed-in token of one partner are valid side by side', async () => {
  const machine = await partner(service, 'primary')
  const tokens = await signedInTokens(base, who())
  const [one, two] = [await machine.get('/v1/me'), await withToken(base, tokens.access_token).get('/v1/me')]
  assert.equal(one.body.partnerId, two.body.partnerId)
  assert.deepEqual([one.body.authMethod, one.body.user], ['IDP_M2M', null])
  assert.equal((await withToken(base, tokens.access_token).get('/v1/orders?limit=1')).status, 200)
})
