import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { partner as machine, withToken } from '../../../test/world/partner.ts'
import { staffChange } from '../../../test/world/partner-builder.ts'
import { lockWait } from '../../../test/world/lock-waits.ts'
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
  type Page,
} from '../../../test/world/sign-in.ts'
import { sql } from '../../database/sql.ts'
import { setPersonEnabled } from '../../partners/people.ts'
import { setCapabilities, setGrantedSites, setPartnerEnabled } from '../../partners/partners.ts'
import { registerSignInClient, removeSignInClient } from '../../partners/sign-in-clients.ts'
import { publishedScope, scopes } from '../../vocabulary/scopes.ts'

const who = (): ReturnType<typeof signInOf> => signInOf(service, 'primary')
const change = staffChange(new Date())

const service = await testService()
const base = service.hosts.baseUrl

async function me(token: string) {
  return withToken(base, token).get('/v1/me')
}

async function personId(): Promise<string> {
  const { username } = who()
  const row = await service.production.database.reads.row<{ personId: string }>(
    sql`select person_id from partner_person where username = ${username}`,
  )
  return row!.personId
}

test('SIGN-01 SIGN-02 AUTH-03 VER-02 oauth4webapi signs a person in: discovery, code, token, refresh, revocation', async () => {
  const insecure = { [oauth.allowInsecureRequests]: true } as const
  const issuer = new URL(base)
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' }),
  )
  const application: oauth.Client = { client_id: who().clientId }
  const verifier = oauth.generateRandomCodeVerifier()
  const challenge = await oauth.calculatePKCECodeChallenge(verifier)
  const asked = new URL(authorizeUrl(base, who(), challenge))
  assert.equal(asked.origin + asked.pathname, server.authorization_endpoint)
  const back = await signInAndAllow(newBrowser(base), asked.href, who())
  // checks `iss` and `state`
  const parameters = oauth.validateAuthResponse(server, application, back, 'a-state')
  const answer = await oauth.authorizationCodeGrantRequest(
    server,
    application,
    oauth.None(),
    parameters,
    who().redirectUri,
    verifier,
    insecure,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(server, application, answer)
  assert.equal(tokens.expires_in, 3600)
  const { status, body } = await me(tokens.access_token)
  assert.equal(status, 200)
  assert.equal(body.authMethod, 'IDP_USER')
  assert.deepEqual(body.user, { userName: who().username, email: who().username })
  assert.equal(body.clientId, who().clientId)
  assert.equal(body.partnerId, service.manifest.partners.primary.partnerId)

  const refreshed = await oauth.processRefreshTokenResponse(
    server,
    application,
    await oauth.refreshTokenGrantRequest(server, application, oauth.None(), tokens.refresh_token!, insecure),
  )
  assert.notEqual(refreshed.refresh_token, tokens.refresh_token)
  assert.equal((await me(refreshed.access_token)).status, 200)
  const revoked = await oauth.revocationRequest(server, application, oauth.None(), refreshed.refresh_token!, insecure)
  await oauth.processRevocationResponse(revoked)
  assert.equal((await me(refreshed.access_token)).body.code, 'invalid_token')
  assert.equal((await me(tokens.access_token)).body.code, 'invalid_token')
})

test('SIGN-01 openid-client signs a person in with OpenID Connect, and its signature check finds the published key', async () => {
  const configuration = await client.discovery(new URL(base), who().clientId, undefined, client.None(), {
    execute: [client.allowInsecureRequests],
  })
  client.enableNonRepudiationChecks(configuration)
  const verifier = client.randomPKCECodeVerifier()
  const asked = client.buildAuthorizationUrl(configuration, {
    redirect_uri: who().redirectUri,
    scope: `openid ${publishedScope('orders:read')}`,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    nonce: 'a-nonce',
    state: 'a-state',
  })
  const back = await signInAndAllow(newBrowser(base), asked.href, who())
  const tokens = await client.authorizationCodeGrant(configuration, back, {
    pkceCodeVerifier: verifier,
    expectedNonce: 'a-nonce',
    expectedState: 'a-state',
  })
  assert.equal(tokens.claims()!.sub, await personId())
  assert.deepEqual((await me(tokens.access_token)).body.scopes, [publishedScope('orders:read')])
  const refreshed = await client.refreshTokenGrant(configuration, tokens.refresh_token!)
  assert.equal((await me(refreshed.access_token)).status, 200)
  await client.tokenRevocation(configuration, refreshed.access_token)
  assert.equal((await me(refreshed.access_token)).body.code, 'invalid_token')
})

test('VER-02 the metadata equals what the library would answer, under each of its paths', async () => {
  const paths = ['oauth-authorization-server', 'oauth-authorization-server/v1/mcp', 'openid-configuration']
  const documents = await Promise.all(
    paths.map(async (path) => (await fetch(`${base}/.well-known/${path}`)).json() as Promise<Record<string, unknown>>),
  )
  for (const document of documents) assert.deepEqual(document, documents[0])
  const [said] = documents
  assert.equal(said!.issuer, base)
  for (const name of ['authorization', 'token', 'revocation']) {
    assert.match(String(said![`${name}_endpoint`]), new RegExp(`^${base}/oauth2/`))
  }
  assert.equal(said!.registration_endpoint, undefined)
  assert.deepEqual(said!.code_challenge_methods_supported, ['S256'])
  const keys = (await (await fetch(String(said!.jwks_uri))).json()) as { keys: object[] }
  assert.equal(keys.keys.length, 3)
  for (const key of keys.keys) assert.ok(!('d' in key))
})

test('SIGN-03 SCOPE-14 a token has only scopes that were asked for and that the partner had then and has now', async () => {
  const { partnerId } = service.manifest.partners.primary
  const { database } = service.production
  const grantPartner = (capabilities: Parameters<typeof setCapabilities>[3]) =>
    database.change((tx) => setCapabilities(tx, change, partnerId, capabilities))
  await grantPartner(['orders:read', 'orders:write', 'sites:read'])
  try {
    const wish = [publishedScope('orders:read'), publishedScope('users:read'), 'partner-api/never:seen'].join(' ')
    const tokens = await signedInTokens(base, who(), { scope: wish })
    assert.equal(tokens.scope, publishedScope('orders:read'))
    assert.deepEqual((await me(tokens.access_token)).body.scopes, [publishedScope('orders:read')])
    const refused = await withToken(base, tokens.access_token).get('/v1/users')
    assert.equal(refused.body.code, 'insufficient_scope')
    // Scopes without consent stay out, although the partner has them now.
    await grantPartner(scopes)
    assert.deepEqual((await me(tokens.access_token)).body.scopes, [publishedScope('orders:read')])
    await grantPartner(['sites:read'])
    assert.equal((await me(tokens.access_token)).body.code, 'invalid_token')
  } finally {
    await grantPartner(scopes)
  }
})

test('SIGN-02 SIGN-03 AUTH-20 AUTH-27 AUTH-28 AUTH-29 every withdrawal takes effect on the very next request, with the same 401', async () => {
  const { database } = service.production
  const { partnerId, siteIds } = service.manifest.partners.primary
  const tokens = await signedInTokens(base, who())
  const person = await personId()
  const unknown = await me('pcat_nonsense')
  const refusedAs401 = async (): Promise<void> => {
    const answer = await me(tokens.access_token)
    assert.deepEqual({ ...answer.body, requestId: '' }, { ...unknown.body, requestId: '' })
    assert.equal(answer.headers.get('www-authenticate'), unknown.headers.get('www-authenticate'))
  }
  const isGood = async (): Promise<void> => assert.equal((await me(tokens.access_token)).status, 200)
  await isGood()
  await database.change((tx) => setPartnerEnabled(tx, change, partnerId, false))
  await refusedAs401()
  assert.equal((await askToken(base, refresh(tokens.refresh_token))).body.error, 'invalid_grant')
  await database.change((tx) => setPartnerEnabled(tx, change, partnerId, true))
  await isGood()
  await database.change((tx) => setGrantedSites(tx, change, partnerId, []))
  await refusedAs401()
  await database.change((tx) => setGrantedSites(tx, change, partnerId, siteIds))
  await isGood()
  const disabledOn = (instant: Date | null) =>
    database.statements.rows(sql`update partner_person set disabled_on = ${instant} where person_id = ${person}`)
  await disabledOn(new Date())
  await refusedAs401()
  await disabledOn(null)
  await isGood()
  await database.change((tx) => setPersonEnabled(tx, change, person, false))
  await refusedAs401()
  // The sign-in is ended, not only suspended.
  await database.change((tx) => setPersonEnabled(tx, change, person, true))
  await refusedAs401()
  assert.equal((await askToken(base, refresh(tokens.refresh_token))).body.error, 'invalid_grant')
})

test('SIGN-01 an application that staff remove is signed out at once, and cannot be used to sign in', async () => {
  const { database } = service.production
  const application = { clientId: 'other-app', redirectUri: 'https://app.example/callback' }
  await database.change((tx) =>
    registerSignInClient(tx, change, {
      clientId: application.clientId,
      name: 'Other <b>app</b>',
      redirectUris: [application.redirectUri],
      isNative: false,
    }),
  )
  const tokens = await signedInTokens(base, { ...who(), ...application })
  assert.equal((await me(tokens.access_token)).body.clientId, 'other-app')
  await database.change((tx) => removeSignInClient(tx, change, 'other-app'))
  assert.equal((await me(tokens.access_token)).body.code, 'invalid_token')
  const page = await newBrowser(base).open(authorizeUrl(base, application, newVerifier().challenge))
  assert.equal(page.status, 400)
  assert.match(page.text, /invalid_client/)
})

function refresh(token: string): Record<string, string> {
  return { grant_type: 'refresh_token', refresh_token: token, client_id: who().clientId }
}

test('SIGN-01 a refresh token works once; a second use ends the sign-in for both users of the token', async () => {
  const tokens = await signedInTokens(base, who())
  const second = await askToken(base, refresh(tokens.refresh_token))
  assert.equal(second.status, 200)
  const again = await askToken(base, refresh(tokens.refresh_token))
  assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant'])
  assert.equal((await me(second.body.access_token)).body.code, 'invalid_token')
  assert.equal((await askToken(base, refresh(second.body.refresh_token))).body.error, 'invalid_grant')
})

test('SIGN-01 when a code or refresh token is presented many times at once, at most one use succeeds, and its tokens end', async () => {
  const code = await freshCode(base, who())
  const answers = await Promise.all(Array.from({ length: 6 }, () => askToken(base, code)))
  const redeemed = answers.filter(({ status }) => status === 200)
  assert.ok(redeemed.length <= 1)
  for (const { body, status } of answers) if (status !== 200) assert.equal(body.error, 'invalid_grant')
  for (const { body } of redeemed) assert.equal((await me(body.access_token)).body.code, 'invalid_token')

  const tokens = await signedInTokens(base, who())
  const turns = await Promise.all(Array.from({ length: 6 }, () => askToken(base, refresh(tokens.refresh_token))))
  const rotated = turns.filter(({ status }) => status === 200)
  assert.ok(rotated.length <= 1)
  for (const { body } of [...rotated, { body: tokens }]) {
    assert.equal((await me(body.access_token)).body.code, 'invalid_token')
  }
})

test('SIGN-01 no value that a browser or an application presents is stored in the database', async () => {
  const browser = newBrowser(base)
  const { verifier, challenge } = newVerifier()
  const back = await signInAndAllow(browser, authorizeUrl(base, who(), challenge), who())
  const code = back.searchParams.get('code')!
  const { body: tokens } = await askToken(base, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: who().redirectUri,
    client_id: who().clientId,
    code_verifier: verifier,
  })
  const rows = await service.production.database.reads.rows<{ text: string }>(
    sql`select row_to_json(sign_in_record)::text || encode(payload, 'escape') as text from sign_in_record`,
  )
  assert.ok(rows.length > 0)
  const secrets = [code, tokens.access_token, tokens.refresh_token, who().username, challenge]
  for (const { value } of browser.cookies.values()) secrets.push(value)
  for (const { text } of rows) for (const secret of secrets) assert.ok(!text.includes(secret))
  for (const line of service.logLines) for (const secret of secrets) assert.ok(!line.includes(secret))
})

test('SIGN-01 when a person denies consent, or the partner lacks the scopes, the application gets an error', async () => {
  const browser = newBrowser(base)
  const { challenge } = newVerifier()
  const asked = authorizeUrl(base, who(), challenge)
  const hinted = await browser.follow(authorizeUrl(base, who(), challenge, { login_hint: 'da"na' }))
  assert.match(hinted.text, /value="da&quot;na"/)
  const consent = await submit(browser, await browser.follow(asked), { action: 'sign-in', ...credentials() })
  const back = new URL((await submit(browser, consent, { action: 'cancel' })).url)
  assert.deepEqual(
    [back.searchParams.get('error'), back.searchParams.get('state'), back.searchParams.get('iss')],
    ['access_denied', 'a-state', base],
  )
  const nothing = await browser.follow(authorizeUrl(base, who(), challenge, { scope: 'partner-api/never:seen' }))
  assert.match(nothing.text, /cannot do anything here/)
})

function credentials(): { username: string; password: string } {
  const { username, password } = who()
  return { username, password }
}

test('SIGN-01 a browser stays signed in for the next application, can switch persons, and can sign out', async () => {
  const browser = newBrowser(base)
  const { challenge } = newVerifier()
  const asked = authorizeUrl(base, who(), challenge)
  await signInAndAllow(browser, asked, who())
  const consent = await browser.follow(asked)
  assert.match(consent.text, /Signed in as/)
  const anew = await submit(browser, consent, { action: 'switch' })
  assert.match(anew.text, /name="password"/)
  const tokens = await signedInTokens(base, who())
  await submit(browser, anew, { action: 'sign-in', ...credentials() })
  const leaving = await browser.follow('/oauth2/logout')
  assert.match(leaving.text, /Sign out\?/)
  assert.match((await submit(browser, leaving, { action: 'browser' })).text, /You are signed out/)
  assert.match((await browser.follow(asked)).text, /name="password"/)
  assert.equal((await me(tokens.access_token)).status, 200)
  // This ends all sign-ins, also those of other browsers.
  const other = newBrowser(base)
  await signInAndAllow(other, asked, who())
  await submit(other, await other.follow('/oauth2/logout'), { action: 'everything' })
  assert.equal((await me(tokens.access_token)).body.code, 'invalid_token')
})

test('SIGN-01 the audit log records who signed in and what they allowed which application', async () => {
  await signedInTokens(base, who(), { scope: publishedScope('orders:read') })
  const { partnerId } = service.manifest.partners.primary
  const rows = await service.production.database.reads.rows<{ action: string; detail: object }>(sql`
    select action, detail from audit_record where subject_id = ${partnerId} order by audit_id desc limit 2`)
  const personIs = { personId: await personId(), clientId: who().clientId }
  assert.deepEqual(rows, [
    { action: 'person.application_allowed', detail: { ...personIs, scopes: ['orders:read'] } },
    { action: 'person.signed_in', detail: personIs },
  ])
})

test('SIGN-01 when a person allows twice at once, the application gets one code and the other page says that the sign-in has ended', async () => {
  const { browser, allow } = await atConsent()
  const [first, second] = [await allow(), await allow()]
  assert.deepEqual([first.status, second.status], [303, 303])
  const back = await browser.follow(first.headers.get('location')!)
  assert.ok(new URL(back.url).searchParams.get('code'), back.text)
  hasEnded(await browser.follow(second.headers.get('location')!))
  hasEnded(await allow())
})

test('SIGN-01 a person whose sign-in is finished while a second Allow is under way learns that it has ended', async () => {
  const { browser, allow } = await atConsent()
  const first = await allow()
  const { database } = service.production
  const person = await personId()
  const { second } = await database.transaction(async (tx) => {
    await tx.rows(sql`select from partner_person where person_id = ${person} for no key update`)
    const waiting = allow()
    await lockWait(database, 'partner_person')
    const back = await browser.follow(first.headers.get('location')!)
    assert.ok(new URL(back.url).searchParams.get('code'), back.text)
    return { second: waiting }
  })
  hasEnded(await second)
})

/** A browser at the page that asks for consent. `allow` presses Allow and follows nothing. */
async function atConsent() {
  const browser = newBrowser(base)
  const asked = authorizeUrl(base, who(), newVerifier().challenge)
  const page = await submit(browser, await browser.follow(asked), { action: 'sign-in', ...credentials() })
  const proof = /name="proof"\s+value="([^"]+)"/.exec(page.text)![1]!
  const form = { proof, action: 'allow', 'allow.orders:read': 'yes' }
  return { browser, allow: () => browser.open(page.url, { form }) }
}

function hasEnded({ status, text }: Page): void {
  assert.equal(status, 400)
  assert.match(text, /<h1>This sign-in has ended<\/h1>/)
}

test('AUTH-09 AUTH-04 an app client cannot sign a person in, no grant takes a password, and sign-in has no client secret', async () => {
  const [first] = service.manifest.partners.primary.clients!
  const page = await newBrowser(base).open(
    authorizeUrl(base, { clientId: first!.clientId, redirectUri: 'https://app.example/' }, newVerifier().challenge),
  )
  assert.equal(page.status, 400)
  assert.equal(page.headers.get('location'), null)
  const password = await askToken(base, {
    grant_type: 'password',
    client_id: first!.clientId,
    client_secret: first!.clientSecret,
    ...credentials(),
  })
  assert.equal(password.body.error, 'unsupported_grant_type')
  for (const grant of ['authorization_code', 'refresh_token']) {
    const answer = await askToken(base, {
      grant_type: grant,
      code: 'x',
      refresh_token: 'x',
      redirect_uri: 'https://app.example/',
      code_verifier: newVerifier().verifier,
      client_id: first!.clientId,
      client_secret: first!.clientSecret,
    })
    assert.deepEqual([answer.status, answer.body.error], [400, 'unauthorized_client'])
    assert.equal(answer.headers.get('cache-control'), 'no-store')
  }
})

test('AUTH-05 SCOPE-15 a malformed scope is refused, and one that nobody has is left out', async () => {
  const [first] = service.manifest.partners.primary.clients!
  const machineForm = {
    grant_type: 'client_credentials',
    client_id: first!.clientId,
    client_secret: first!.clientSecret,
  }
  const malformed = await askToken(base, { ...machineForm, scope: `"${publishedScope('orders:read')}"` })
  assert.deepEqual([malformed.status, malformed.body.error], [400, 'invalid_scope'])
  // SCOPE-15 lets no token request fail for its scopes; AUTH-29 refuses the token when it is used.
  const empty = await askToken(base, { ...machineForm, scope: 'partner-api/never:seen' })
  assert.deepEqual([empty.status, empty.body.scope], [200, ''])
  assert.equal((await me(empty.body.access_token)).body.code, 'invalid_token')
})

test('AUTH-13 a machine gets a new token with the same credentials, and both tokens are valid', async () => {
  const [one, other] = [await machine(service, 'primary'), await machine(service, 'primary')]
  for (const each of [one, other]) assert.equal((await each.get('/v1/me')).status, 200)
})
