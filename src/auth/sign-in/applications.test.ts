import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client'
import { openDocumentHost } from '../../../test/world/client-document.ts'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { withToken } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import {
  askToken,
  authorizeUrl,
  freshCode,
  newBrowser,
  newVerifier,
  signInAndAllow,
  signInOf,
  submit,
} from '../../../test/world/sign-in.ts'

const host = await openDocumentHost()
const service = await testService({
  variables: { SIGN_IN_CLIENT_HOSTS: 'localhost' },
  clientDocumentAuthorities: [host.authority],
})
after(() => host.close())
const base = service.hosts.baseUrl

/** Publishes a document under a name; a key that is undefined in `changes` is left out. */
function publish(name: string, changes: Record<string, unknown> = {}): string {
  const document = {
    client_id: host.url(name),
    client_name: 'Desk Assistant',
    redirect_uris: ['http://127.0.0.1/callback', 'https://desk.example/callback'],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    ...changes,
  }
  host.documents.set(name, { body: JSON.stringify(document) })
  return host.url(name)
}

/** The store that an application gives the official MCP client. */
function applicationStore(known: { clientMetadataUrl?: string; clientId?: string }, redirectUrl: string) {
  let sentTo: URL | undefined
  let verifier = ''
  let tokens: Awaited<ReturnType<OAuthClientProvider['tokens']>>
  let information = known.clientId === undefined ? undefined : { client_id: known.clientId }
  const provider: OAuthClientProvider = {
    redirectUrl,
    ...(known.clientMetadataUrl !== undefined && { clientMetadataUrl: known.clientMetadataUrl }),
    clientMetadata: { redirect_uris: [redirectUrl], client_name: 'Desk Assistant', token_endpoint_auth_method: 'none' },
    clientInformation: () => information,
    saveClientInformation: (saved) => void (information = saved as typeof information),
    tokens: () => tokens,
    saveTokens: (saved) => void (tokens = saved),
    redirectToAuthorization: (url) => void (sentTo = url),
    saveCodeVerifier: (saved) => void (verifier = saved),
    codeVerifier: () => verifier,
  }
  return { provider, sentTo: () => sentTo!, tokens: () => tokens! }
}

const kinds = { 'a published document': 'CIMD', 'a registration': 'registered' } as const

for (const [what, kind] of Object.entries(kinds)) {
  test(`SIGN-01 MCP-02 the official MCP client, knowing only the address, signs a person in by ${what} and orders`, async () => {
    const redirectUri = 'http://127.0.0.1:50123/callback'
    const store = applicationStore(
      kind === 'CIMD'
        ? { clientMetadataUrl: publish('desk.json') }
        : { clientId: signInOf(service, 'primary').clientId },
      redirectUri,
    )
    const url = new URL(`${base}/v1/mcp`)
    const first = new StreamableHTTPClientTransport(url, { authProvider: store.provider })
    await assert.rejects(new Client({ name: 'desk', version: '1' }).connect(first), UnauthorizedError)
    assert.equal(store.sentTo().searchParams.get('resource'), `${base}/v1/mcp`)
    const back = await signInAndAllow(newBrowser(base), store.sentTo().href, signInOf(service, 'primary'))
    assert.equal(back.origin + back.pathname, redirectUri)
    await first.finishAuth(back.searchParams)

    const client = new Client({ name: 'desk', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(url, { authProvider: store.provider }))
    const { tools } = await client.listTools()
    assert.ok(tools.length > 20)
    const order = await client.callTool({ name: 'submit_order', arguments: orderBuilder(service.manifest).order() })
    assert.equal((order.structuredContent as { status: string }).status, 'completed')
    const me = await client.callTool({ name: 'get_me', arguments: {} })
    assert.equal((me.structuredContent as { authMethod: string }).authMethod, 'IDP_USER')
    await client.close()
  })
}

test('SIGN-01 a document is cached for a while, and the page shows its host and its texts only as text', async () => {
  const clientId = publish('loud.json', { client_name: '<script>alert(1)</script> Official\u202e Bank' })
  const fetched = host.fetched.length
  const browser = newBrowser(base)
  const { challenge } = newVerifier()
  const asked = authorizeUrl(base, { clientId, redirectUri: 'https://desk.example/callback' }, challenge)
  const page = await browser.follow(asked)
  assert.equal(page.status, 200)
  assert.ok(!page.text.includes('<script'))
  assert.ok(!page.text.includes('\u202e'))
  assert.match(page.text, /&lt;script&gt;alert\(1\)&lt;\/script&gt; Official Bank/)
  assert.match(page.text, /\(localhost\)/)
  await browser.follow(asked)
  assert.equal(host.fetched.length - fetched, 1)
  const tokens = await askToken(
    base,
    await freshCode(base, {
      ...signInOf(service, 'primary'),
      clientId,
      redirectUri: 'https://desk.example/callback',
    }),
  )
  assert.equal((await withToken(base, tokens.body.access_token).get('/v1/me')).body.clientId, clientId)
})

test('SIGN-01 an invalid document ends the sign-in, without a redirect', async () => {
  const wrong: Record<string, Record<string, unknown>> = {
    'foreign-id.json': { client_id: 'https://localhost/other.json' },
    'secret.json': { client_secret: 'x', token_endpoint_auth_method: 'client_secret_post' },
    'no-redirects.json': { redirect_uris: [] },
    'plain-http.json': { redirect_uris: ['http://desk.example/callback'] },
    'script.json': { redirect_uris: ['javascript:alert(1)'] },
    'too-large.json': { client_name: 'x'.repeat(20_000) },
  }
  for (const [name, changes] of Object.entries(wrong)) publish(name, changes)
  host.documents.set('moved.json', { status: 302, headers: { location: publish('desk.json') }, body: '' })
  host.documents.set('not-json.json', { body: '<html>' })
  const redirectUri = 'http://127.0.0.1/callback'
  for (const name of [...Object.keys(wrong), 'moved.json', 'not-json.json', 'missing.json']) {
    const page = await newBrowser(base).open(
      authorizeUrl(base, { clientId: host.url(name), redirectUri }, newVerifier().challenge),
    )
    assert.equal(page.status, 400, name)
    assert.equal(page.headers.get('location'), null)
    assert.match(page.text, /request does not work/)
  }
})

test('SIGN-01 an error on its way to an address that only a document vouches for is shown on a page first', async () => {
  const clientId = publish('bounce.json', { redirect_uris: ['https://phish.example/callback'] })
  const application = { clientId, redirectUri: 'https://phish.example/callback' }
  const { challenge } = newVerifier()
  for (const changes of [
    { code_challenge_method: 'plain' },
    { prompt: 'none' },
    { resource: 'https://elsewhere.example/' },
    { response_type: 'token' },
    { response_type: 'id_token' },
  ]) {
    const page = await newBrowser(base).open(authorizeUrl(base, application, challenge, changes))
    assert.deepEqual([page.status, page.headers.get('location')], [400, null], JSON.stringify(changes))
    assert.match(page.text, /wants you back at <strong>phish\.example<\/strong>/)
    const target = new URL(/<a class="button second" href="([^"]+)"/.exec(page.text)![1]!.replaceAll('&amp;', '&'))
    assert.equal(target.origin, 'https://phish.example')
    assert.match(target.href, /error=/)
  }
  // Staff vouch for the addresses of registered applications, and a person who declines saw where they go.
  const registered = await newBrowser(base).open(
    authorizeUrl(base, signInOf(service, 'primary'), challenge, { prompt: 'none' }),
  )
  assert.equal(registered.status, 303)
  const browser = newBrowser(base)
  const first = await browser.follow(authorizeUrl(base, application, challenge))
  const back = new URL((await submit(browser, first, { action: 'cancel' })).url)
  assert.deepEqual([back.origin, back.searchParams.get('error')], ['https://phish.example', 'access_denied'])
})

test('SIGN-01 documents are fetched only from public addresses, unless a setting names the host', async () => {
  const { port } = new URL(host.url(''))
  const fetched = host.fetched.length
  for (const clientId of [
    `https://127.0.0.1:${port}/desk.json`,
    `https://[::1]:${port}/desk.json`,
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/client.json',
    'http://localhost/client.json',
  ]) {
    const redirectUri = 'http://127.0.0.1/callback'
    const page = await newBrowser(base).open(authorizeUrl(base, { clientId, redirectUri }, newVerifier().challenge))
    assert.equal(page.status, 400, clientId)
    // The text tells whoever chose the address nothing about our network.
    assert.ok(!/address|public|refused|ECONN/i.test(page.text), page.text)
  }
  assert.equal(host.fetched.length, fetched)
})
