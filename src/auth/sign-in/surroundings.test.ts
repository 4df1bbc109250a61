import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silent } from '../../../test/world/partner-builder.ts'
import { withToken } from '../../../test/world/partner.ts'
import { startTestService } from '../../../test/world/service.ts'
import {
  askToken,
  authorizeUrl,
  newBrowser,
  newVerifier,
  signedInTokens,
  signInAndAllow,
  signInOf,
} from '../../../test/world/sign-in.ts'
import { chooseFreePort } from '../../database/embedded/postmaster.ts'
import { openDatabase } from '../../database/database.ts'
import { createEgress } from '../../outside/egress/guarded-request.ts'
import { Outage } from '../../vocabulary/outage.ts'
import { accessTokens } from '../bearer/access-token.ts'
import { openSignIn, type SignIn } from './sign-in.ts'

test('SIGN-01 with a proxy in front every address is the public one, including its path, and cookies need https', async () => {
  const publicBase = 'https://api.example/partner'
  const port = await chooseFreePort()
  const service = await startTestService({ variables: { PUBLIC_BASE_URL: publicBase, PORT: String(port) } })
  const local = `http://127.0.0.1:${port}`
  try {
    const who = signInOf(service, 'primary')
    const browser = newBrowser(publicBase, local)
    const { verifier, challenge } = newVerifier()
    const first = await browser.open(authorizeUrl(publicBase, who, challenge))
    assert.match(first.headers.get('location')!, /^\/partner\/oauth2\/login\//)
    for (const line of first.headers.getSetCookie()) {
      assert.match(line, /^__Secure-pc_production_.*path=\/partner\/oauth2\/.*; secure; httponly/i)
    }
    const back = await signInAndAllow(browser, authorizeUrl(publicBase, who, challenge), who)
    assert.equal(back.searchParams.get('iss'), publicBase)
    const tokens = await askToken(local, {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code')!,
      redirect_uri: who.redirectUri,
      client_id: who.clientId,
      code_verifier: verifier,
    })
    assert.equal((await withToken(local, tokens.body.access_token).get('/v1/me')).body.authMethod, 'IDP_USER')
  } finally {
    await service.close()
  }
})

test('AUTH-14 the limits of the token endpoint apply to sign-in too, and count a public client by network', async () => {
  const service = await startTestService({ limits: 'on' })
  const base = service.hosts.baseUrl
  try {
    const who = signInOf(service, 'primary')
    let { refresh_token: token } = await signedInTokens(base, who)
    const refresh = () => askToken(base, { grant_type: 'refresh_token', refresh_token: token, client_id: who.clientId })
    for (let turn = 0; turn < 19; turn++) {
      const { status, body } = await refresh()
      assert.equal(status, 200)
      token = body.refresh_token
    }
    const limited = await refresh()
    assert.deepEqual([limited.status, limited.body.error], [429, 'temporarily_unavailable'])
    assert.ok(Number(limited.headers.get('retry-after')) > 0)
  } finally {
    await service.close()
  }
})

test('ERR-72 with the database unreachable people get a page that says so, and applications 503', async () => {
  const database = openDatabase('postgres://nobody@127.0.0.1:9/none', { log: silent })
  const signIn = signInOn(database)
  const base = 'http://127.0.0.1:8080'
  const { pathname, search } = new URL(authorizeUrl(base, { clientId: 'demo-mcp-client', redirectUri: base }, 'x'))
  try {
    const page = await answerOf(signIn, 'GET', pathname, search.slice(1))
    assert.equal(page.status, 503)
    assert.match(page.body, /Please try again shortly/)
    const form = 'grant_type=refresh_token&client_id=demo-mcp-client&refresh_token=x'
    const request = { ...asked('/oauth2/token'), body: Buffer.from(form) }
    await assert.rejects(signIn.grants.answer(new Map(), request), Outage)
    const revocation = { ...asked('/oauth2/revoke'), body: Buffer.from('client_id=demo-mcp-client&token=x') }
    await assert.rejects(signIn.revoke(revocation), Outage)
    // Paths that need no database answer.
    for (const path of ['/oauth2/jwks', '/.well-known/oauth-authorization-server', '/oauth2/style.css']) {
      assert.equal((await answerOf(signIn, 'GET', path)).status, 200)
    }
  } finally {
    await database.close()
  }
})

function signInOn(database: ReturnType<typeof openDatabase>): SignIn {
  const keys = [Buffer.alloc(32, 'key')] as const
  return openSignIn({
    environment: 'PRODUCTION',
    developerUrl: () => 'https://developers.test',
    baseUrl: () => 'http://127.0.0.1:8080',
    database,
    tokens: accessTokens(keys, { environment: 'PRODUCTION', audience: 'partner-commerce' }),
    keys: { session: keys, link: keys, storedSecret: keys, signature: keys },
    egress: createEgress({ allowedHosts: () => false }),
    clock: () => new Date(),
    log: silent,
  })
}

function asked(path: string) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return {
    path,
    headers,
    query: '',
    body: Buffer.alloc(0),
    sourceAddress: '127.0.0.1',
    now: new Date(),
    requestId: 'r',
  }
}

function answerOf(signIn: SignIn, method: 'GET' | 'POST', path: string, query = '', form = '') {
  const route = signIn.routes.find((each) => each.method === method && each.path === path)!
  const request = method === 'GET' ? { ...asked(path), headers: {} } : asked(path)
  return route.answer({ ...request, query, body: Buffer.from(form) })
}
