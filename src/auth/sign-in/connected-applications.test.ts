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
  submit,
  type Application,
  type Browser,
  type Page,
} from '../../../test/world/sign-in.ts'
import { sql } from '../../database/sql.ts'
import { setCapabilities } from '../../partners/partners.ts'
import { registerSignInClient } from '../../partners/sign-in-clients.ts'
import { publishedScope, scopes, type Scope } from '../../vocabulary/scopes.ts'

const service = await testService()
const base = service.hosts.baseUrl
const who = signInOf(service, 'primary')
const { username, password } = who
const { database } = service.production
const change = staffChange(new Date())
const desk: Application = { clientId: 'desk', redirectUri: 'https://desk.example/callback' }
await database.change((tx) =>
  registerSignInClient(tx, change, {
    clientId: desk.clientId,
    name: 'Desk <b>bold</b>',
    redirectUris: [desk.redirectUri],
    isNative: false,
  }),
)

/** The page that asks for consent, in a browser in which the person signs in where needed. */
async function asked(browser: Browser, application: Application, scope?: string) {
  const { verifier, challenge } = newVerifier()
  let page = await browser.follow(authorizeUrl(base, application, challenge, { scope }))
  if (/name="password"/.test(page.text)) page = await submit(browser, page, { action: 'sign-in', username, password })
  return { page, verifier, application }
}

async function redeem(back: Page, { verifier, application }: { verifier: string; application: Application }) {
  const { status, body } = await askToken(base, {
    grant_type: 'authorization_code',
    code: new URL(back.url).searchParams.get('code')!,
    redirect_uri: application.redirectUri,
    client_id: application.clientId,
    code_verifier: verifier,
  })
  assert.equal(status, 200, JSON.stringify(body))
  return body as { access_token: string; refresh_token: string; scope: string }
}

function boxes({ text }: Page): Record<string, boolean> {
  const found = [...text.matchAll(/<input\s+type="checkbox"[^>]*name="allow\.([^"]+)"[^>]*>/g)]
  return Object.fromEntries(found.map(([box, scope]) => [scope!, /\schecked/.test(box)]))
}

/** Allows only these scopes. */
async function allowOnly(browser: Browser, page: Page, only: readonly Scope[]): Promise<Page> {
  const proof = /name="proof"\s+value="([^"]+)"/.exec(page.text)![1]!
  const chosen = Object.fromEntries(only.map((scope) => [`allow.${scope}`, 'yes']))
  return browser.follow(page.url, { form: { proof, action: 'allow', ...chosen } })
}

async function meStatus(token: string): Promise<number> {
  return (await withToken(base, token).get('/v1/me')).status
}

test('SIGN-03 a person allows fewer scopes than asked for, never more, and the choice is remembered per application', async () => {
  const browser = newBrowser(base)
  const capabilities: Scope[] = ['orders:read', 'orders:write', 'sites:read']
  const { partnerId } = service.manifest.partners.primary
  await database.change((tx) => setCapabilities(tx, change, partnerId, capabilities))
  try {
    const first = await asked(browser, who)
    // What the partner lacks is not offered.
    assert.deepEqual(boxes(first.page), { 'orders:write': true, 'orders:read': true, 'sites:read': true })
    const none = await allowOnly(browser, first.page, [])
    assert.deepEqual([none.status, /Nothing is chosen/.test(none.text)], [400, true])
    // The page keeps what was sent.
    assert.deepEqual(boxes(none), { 'orders:write': false, 'orders:read': false, 'sites:read': false })
    const tokens = await redeem(await allowOnly(browser, first.page, ['orders:read', 'users:read']), first)
    assert.equal(tokens.scope, publishedScope('orders:read'))
    const by = withToken(base, tokens.access_token)
    assert.deepEqual((await by.get('/v1/me')).body.scopes, [publishedScope('orders:read')])
    assert.equal((await by.get('/v1/sites')).body.code, 'insufficient_scope')
    const refreshed = await askToken(base, {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
      client_id: who.clientId,
    })
    assert.equal(refreshed.body.scope, publishedScope('orders:read'))

    const again = await asked(newBrowser(base), who)
    assert.deepEqual(boxes(again.page), { 'orders:write': false, 'orders:read': true, 'sites:read': false })
    const other = await asked(newBrowser(base), desk)
    assert.deepEqual(boxes(other.page), { 'orders:write': true, 'orders:read': true, 'sites:read': true })
  } finally {
    await database.change((tx) => setCapabilities(tx, change, partnerId, scopes))
  }
})

test('SIGN-02 a person sees the applications that act for them and disconnects one, whose tokens end at once', async () => {
  const browser = newBrowser(base)
  const [one, other] = [await asked(browser, who), await asked(browser, desk, publishedScope('orders:read'))]
  const tokens = await redeem(await submit(browser, one.page, { action: 'allow' }), one)
  const deskTokens = await redeem(await submit(browser, other.page, { action: 'allow' }), other)
  const elsewhere = newBrowser(base)
  const second = await asked(elsewhere, desk)
  const secondTokens = await redeem(await allowOnly(elsewhere, second.page, ['orders:read']), second)

  const page = await browser.follow('/oauth2/applications')
  assert.match(page.text, /Your connected applications/)
  assert.match(page.text, /Desk &lt;b&gt;bold&lt;\/b&gt;/)
  assert.match(page.text, /Demo MCP client/)
  assert.match(
    page.headers.get('content-security-policy')!,
    /^default-src 'none'; style-src 'self'; form-action 'self';/,
  )
  const form = { action: 'disconnect', application: desk.clientId }
  const forged = [
    await browser.open(page.url, { form: { ...form, proof: 'x'.repeat(43) } }),
    await submit(newBrowser(base), page, form),
  ]
  assert.deepEqual(
    forged.map(({ status: answered }) => answered),
    [403, 200],
  )
  const unknown = await submit(browser, page, { ...form, application: 'nobody' })
  assert.doesNotMatch(unknown.text, /is disconnected/)
  assert.deepEqual(await Promise.all([deskTokens, secondTokens].map((each) => meStatus(each.access_token))), [200, 200])

  const after = await submit(browser, page, form)
  assert.match(after.text, /Desk &lt;b&gt;bold&lt;\/b&gt; is disconnected\./)
  assert.doesNotMatch(after.text, /value="desk"/)
  const all = [deskTokens, secondTokens, tokens].map((each) => meStatus(each.access_token))
  assert.deepEqual(await Promise.all(all), [401, 401, 200])
  const refreshed = { grant_type: 'refresh_token', refresh_token: deskTokens.refresh_token, client_id: desk.clientId }
  assert.equal((await askToken(base, refreshed)).body.error, 'invalid_grant')
  // The choice is forgotten too, and the browser stays signed in.
  const anew = await asked(browser, desk)
  assert.ok(Object.values(boxes(anew.page)).every(Boolean))
  const rows = await database.reads.rows<{ clientId: string }>(sql`
    select detail->>'clientId' as client_id from audit_record where action = 'person.application_disconnected'`)
  assert.deepEqual(rows, [{ clientId: desk.clientId }])
})

test('SIGN-01 who is not signed in signs in to see their applications, and needs no consent for that', async () => {
  const browser = newBrowser(base)
  const first = await browser.follow('/oauth2/applications')
  assert.match(first.text, /name="password"/)
  const page = await submit(browser, first, { action: 'sign-in', username, password })
  assert.deepEqual(
    [page.status, new URL(page.url).pathname, new URL(page.url).search],
    [200, '/oauth2/applications', ''],
  )
  assert.match(page.text, /Your connected applications/)
  const stranger = newBrowser(base)
  const cancelled = await submit(stranger, await stranger.follow('/oauth2/applications'), { action: 'cancel' })
  assert.match(cancelled.text, /You are signed out/)
  // The page's own client leads nowhere else, and gets no scope.
  const bent = await browser.open(
    authorizeUrl(base, { clientId: '_applications', redirectUri: 'https://evil.example/' }, newVerifier().challenge),
  )
  assert.deepEqual([bent.status, bent.headers.get('location')], [400, null])
})
