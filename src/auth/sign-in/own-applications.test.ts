import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withToken } from '../../../test/world/partner.ts'
import { staffChange } from '../../../test/world/partner-builder.ts'
import { testService } from '../../../test/world/service.ts'
import {
  askToken,
  authorizeUrl,
  newBrowser,
  newVerifier,
  signInOf,
  signedInTokens,
  submit,
  type Application,
  type Browser,
  type Page,
} from '../../../test/world/sign-in.ts'
import { registerSignInClient } from '../../partners/sign-in-clients.ts'
import { publishedScope, scopes } from '../../vocabulary/scopes.ts'

const service = await testService()
const { baseUrl, sandboxBaseUrl, developerUrl } = service.hosts
const portal: Application = {
  clientId: 'partner-commerce-portal',
  redirectUri: `${developerUrl}/portal/signed-in`,
}
const commandLine: Application = { clientId: 'partner-commerce-cli', redirectUri: 'http://127.0.0.1:54321/signed-in' }
const scope = [...scopes.map(publishedScope), 'offline_access'].join(' ')

const asks = (base: string, application: Application, challenge: string, changes = {}) =>
  authorizeUrl(base, application, challenge, { scope, resource: base, ...changes })

/** Where the person is after the application's request and, where it is asked for, the password. */
async function signIn(
  base: string,
  browser: Browser,
  application: Application,
): Promise<{ page: Page; verifier: string }> {
  const { verifier, challenge } = newVerifier()
  const { username, password } = signInOf(service, base === baseUrl ? 'primary' : 'sandbox')
  let page = await browser.follow(asks(base, application, challenge))
  if (/name="password"/.test(page.text)) page = await submit(browser, page, { action: 'sign-in', username, password })
  return { page, verifier }
}

async function redeem(base: string, application: Application, back: string, verifier: string) {
  const url = new URL(back)
  assert.equal(url.searchParams.get('state'), 'a-state')
  assert.equal(url.searchParams.get('iss'), base)
  const { status, body } = await askToken(base, {
    grant_type: 'authorization_code',
    code: url.searchParams.get('code')!,
    redirect_uri: application.redirectUri,
    client_id: application.clientId,
    code_verifier: verifier,
  })
  assert.equal(status, 200, JSON.stringify(body))
  return body as { access_token: string; refresh_token: string; scope: string }
}

for (const base of [baseUrl, sandboxBaseUrl]) {
  const world = base === baseUrl ? 'production' : 'the sandbox'
  test(`SIGN-01 the portal signs a person in to ${world} without a page of consent, and its token opens the developer API`, async () => {
    const browser = newBrowser(base)
    const { page, verifier } = await signIn(base, browser, portal)
    assert.ok(page.url.startsWith(`${portal.redirectUri}?`), page.url)
    const tokens = await redeem(base, portal, page.url, verifier)
    const person = withToken(base, tokens.access_token)
    assert.equal((await person.get('/v1/me')).body.clientId, portal.clientId)
    assert.equal((await person.get('/developer/limits')).status, 200)

    const renewed = await askToken(base, {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
      client_id: portal.clientId,
    })
    assert.equal(renewed.status, 200)
    assert.notEqual(renewed.body.refresh_token, tokens.refresh_token)
    assert.equal((await withToken(base, renewed.body.access_token).get('/developer/limits')).status, 200)
    // The session goes on: another visit asks for nothing.
    assert.ok((await signIn(base, browser, portal)).page.url.startsWith(`${portal.redirectUri}?`))
  })
}

test('SIGN-01 the command line asks once, by its name, and its redirect may have any port', async () => {
  const browser = newBrowser(baseUrl)
  await signIn(baseUrl, browser, portal)
  for (const port of [1_025, 54_321]) {
    const application = { ...commandLine, redirectUri: `http://127.0.0.1:${port}/signed-in` }
    const { page } = await signIn(baseUrl, browser, application)
    assert.ok(page.url.startsWith(`${baseUrl}/oauth2/login/`), page.url)
    assert.match(page.text, /Sign in to Partner Commerce command line\?/)
    assert.match(page.text, /Continue only if you just started this yourself/)
    assert.doesNotMatch(page.text, /type="checkbox"/)
    const cancelled = await submit(browser, page, { action: 'cancel' })
    assert.equal(new URL(cancelled.url).searchParams.get('error'), 'access_denied')
    const again = await signIn(baseUrl, browser, application)
    const back = await submit(browser, again.page, { action: 'allow' })
    assert.ok(back.url.startsWith(`${application.redirectUri}?`), back.url)
    const { access_token: token } = await redeem(baseUrl, application, back.url, again.verifier)
    assert.equal((await withToken(baseUrl, token).get('/developer/credentials')).status, 200)
  }
})

test('SIGN-01 nothing but their own addresses gets an answer of theirs', async () => {
  const { challenge } = newVerifier()
  const { host, port } = new URL(developerUrl)
  for (const redirectUri of [
    `${developerUrl}/portal/signed-in/`,
    `${developerUrl}/portal/signed-in?x=1`,
    `${developerUrl}/portal`,
    `http://localhost:${port}/portal/signed-in`,
    `https://${host}/portal/signed-in`,
    'http://127.0.0.1:1/portal/signed-in',
    'https://evil.example/portal/signed-in',
    commandLine.redirectUri,
  ]) {
    const page = await newBrowser(baseUrl).open(asks(baseUrl, { ...portal, redirectUri }, challenge))
    assert.deepEqual([page.status, page.headers.get('location')], [400, null], redirectUri)
  }
  for (const redirectUri of [
    'http://127.0.0.1:54321/',
    'http://127.0.0.1:54321/signed-in/',
    'http://127.0.0.1:54321/signed-in?x=1',
    'https://127.0.0.1:54321/signed-in',
    'http://localhost:54321/signed-in',
    'http://[::1]:54321/signed-in',
    'http://127.0.0.1.evil.example:54321/signed-in',
    'http://evil.example/signed-in',
    portal.redirectUri,
  ]) {
    const page = await newBrowser(baseUrl).open(asks(baseUrl, { ...commandLine, redirectUri }, challenge))
    assert.deepEqual([page.status, page.headers.get('location')], [400, null], redirectUri)
  }
})

test('SIGN-01 without PKCE by S256, or without a state, they get no code', async () => {
  const { challenge } = newVerifier()
  for (const application of [portal, commandLine]) {
    for (const changes of [
      { code_challenge: undefined, code_challenge_method: undefined },
      { code_challenge_method: 'plain' },
    ]) {
      const page = await newBrowser(baseUrl).follow(asks(baseUrl, application, challenge, changes))
      assert.equal(new URL(page.url).searchParams.get('error'), 'invalid_request', page.url)
    }
    for (const state of [undefined, '']) {
      const page = await newBrowser(baseUrl).open(asks(baseUrl, application, challenge, { state }))
      assert.deepEqual([page.status, page.headers.get('location')], [400, null])
      assert.match(page.text, /state is required/)
    }
  }
})

test('a person sees them among the connected applications, and ends what they do', async () => {
  const browser = newBrowser(baseUrl)
  const { page, verifier } = await signIn(baseUrl, browser, portal)
  const { access_token: token } = await redeem(baseUrl, portal, page.url, verifier)
  const shown = await browser.follow(`${baseUrl}/oauth2/applications`)
  assert.match(shown.text, /Developer portal/)
  const ended = await submit(browser, shown, { action: 'disconnect', application: portal.clientId })
  assert.match(ended.text, /Developer portal is disconnected/)
  assert.equal((await withToken(baseUrl, token).get('/developer/limits')).status, 401)
})

test('SIGN-02 a person’s token of another application is refused where only own applications may go', async () => {
  for (const key of ['primary', 'sandbox'] as const) {
    const base = key === 'primary' ? baseUrl : sandboxBaseUrl
    const { access_token: token } = await signedInTokens(base, signInOf(service, key))
    const agent = withToken(base, token)
    assert.equal((await agent.get('/v1/me')).status, 200)
    for (const path of ['requests', 'webhook-endpoints', 'webhook-deliveries', 'credentials', 'limits']) {
      const refused = await agent.get(`/developer/${path}`)
      assert.deepEqual([refused.status, refused.body.code], [403, 'application_not_allowed'], path)
      assert.match(refused.body.detail, /developer portal or the command line/)
    }
    // Before anything is looked up.
    const some = '0199a0a0-0000-7000-8000-000000000000'
    assert.equal((await agent.get(`/developer/requests/${some}`)).status, 403)
  }
})

test('nobody registers an application under their ids', async () => {
  for (const { clientId } of [portal, commandLine]) {
    const taken = await service.production.database.change((tx) =>
      registerSignInClient(tx, staffChange(new Date()), {
        clientId,
        name: 'Another',
        redirectUris: ['https://evil.example/'],
        isNative: false,
      }),
    )
    assert.deepEqual(taken, { refused: 'client_id_taken' })
  }
})
