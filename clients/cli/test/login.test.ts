import assert from 'node:assert/strict'
import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { newBrowser, signInOf, submit, type Browser } from '../../../test/world/sign-in.ts'
import { openSession } from '../src/session.ts'
import { openTerminal } from '../src/terminal/terminal.ts'
import type { World } from '../src/world.ts'
import { givenPseudoTerminal, homeOf, json, newHome, run, start, startInTerminal, type Home } from './world/program.ts'

const service = await testService()
const { hosts, manifest } = service
const { skip } = givenPseudoTerminal()
const [client, second] = manifest.partners.primary.clients!

/** Does in a browser what the sign-in asks for, and comes back to the program. */
async function signIn(browser: Browser, url: string, key: 'primary' | 'sandbox'): Promise<string> {
  const { username, password } = signInOf(service, key)
  let page = await browser.follow(url)
  if (/name="password"/.test(page.text)) page = await submit(browser, page, { action: 'sign-in', username, password })
  if (/value="allow"/.test(page.text)) page = await submit(browser, page, { action: 'allow' })
  return page.url
}

const credentialsFile = ({ folder }: Home): string => join(folder, '.config/partner-commerce/credentials.json')
const worldOf = (home: Home): World => ({
  terminal: openTerminal(process.stdout, process.stderr, {}),
  environment: {},
  stdin: process.stdin,
  stop: new AbortController().signal,
  credentialsFile: credentialsFile(home),
  now: () => new Date(),
})
const kept = async (home: Home) => JSON.parse(await readFile(credentialsFile(home), 'utf8'))

test(
  'a person signs in by the page whose address is printed, and the credential is kept for them alone',
  { skip },
  async (t) => {
    const home = await newHome()
    const terminal = startInTerminal(t, home, ['login', '--url', hosts.sandboxBaseUrl], 200)
    const [url] = await terminal.shows(/http:\/\/\S+\/oauth2\/authorize\S+/)
    const asked = new URL(url).searchParams
    assert.equal(asked.get('code_challenge_method'), 'S256')
    assert.equal(asked.get('resource'), hosts.sandboxBaseUrl)
    const back = await signIn(newBrowser(hosts.sandboxBaseUrl), url, 'sandbox')
    assert.match(back, /^http:\/\/127\.0\.0\.1:\d+\/signed-in\?/)

    // Others on the machine may knock at the port: without the state they are turned away, and the wait goes on.
    const forged = new URL(back)
    forged.searchParams.set('state', 'another')
    assert.equal((await fetch(forged)).status, 400)
    assert.equal((await fetch(new URL('/', back))).status, 404)

    const page = await fetch(back)
    assert.match(await page.text(), /You are signed in/)
    assert.equal((await terminal.ended).code, 0, terminal.shown())
    assert.match(terminal.shown(), /Signed in to SANDBOX as \S+ of Northwind Marketing \(sandbox\)/)

    const { mode } = await stat(credentialsFile(home))
    assert.equal(mode & 0o777, 0o600)
    assert.equal((await stat(join(home.folder, '.config/partner-commerce'))).mode & 0o777, 0o700)
    const { current, profiles } = await kept(home)
    assert.equal(current, 'sandbox')
    assert.equal(profiles.sandbox.credential.kind, 'person')
    assert.ok(!terminal.raw().includes(profiles.sandbox.credential.accessToken))

    const me = json(await run(home, ['whoami', '--json']))
    assert.equal(me.authMethod, 'IDP_USER')
    assert.equal(me.clientId, 'partner-commerce-cli')
  },
)

test(
  'a token that has expired is renewed once, also when several commands need it at the same time',
  { skip },
  async (t) => {
    const home = await newHome()
    const terminal = startInTerminal(t, home, ['login', '--url', hosts.sandboxBaseUrl], 200)
    const [url] = await terminal.shows(/http:\/\/\S+\/oauth2\/authorize\S+/)
    await fetch(await signIn(newBrowser(hosts.sandboxBaseUrl), url, 'sandbox'))
    assert.equal((await terminal.ended).code, 0)
    const before = await kept(home)
    before.profiles.sandbox.credential.expiresOn = new Date(0).toISOString()
    await writeFile(credentialsFile(home), JSON.stringify(before))

    // Two commands that find it expired at the same moment: the token that renews works once.
    const sessions = await Promise.all([openSession(worldOf(home), {}), openSession(worldOf(home), {})])
    for (const { environment } of await Promise.all(sessions.map((session) => session.client.getMe()))) {
      assert.equal(environment, 'SANDBOX')
    }
    const { accessToken, refreshToken } = (await kept(home)).profiles.sandbox.credential
    assert.notEqual(accessToken, before.profiles.sandbox.credential.accessToken)
    assert.notEqual(refreshToken, before.profiles.sandbox.credential.refreshToken)
    assert.equal(json(await run(home, ['whoami', '--json'])).environment, 'SANDBOX')
    assert.equal((await kept(home)).profiles.sandbox.credential.accessToken, accessToken)

    // Whoever signs out ends the sign-in at the service too.
    assert.equal((await run(home, ['logout'])).code, 0)
    assert.deepEqual(await kept(home), { current: null, profiles: {} })
    const answer = await fetch(`${hosts.sandboxBaseUrl}/v1/me`, { headers: { authorization: `Bearer ${accessToken}` } })
    assert.equal(answer.status, 401)
  },
)

test('a sign-in that ended elsewhere is told with its cure, and exits with 3', { skip }, async (t) => {
  const home = await newHome()
  const terminal = startInTerminal(t, home, ['login', '--url', hosts.sandboxBaseUrl], 200)
  const [url] = await terminal.shows(/http:\/\/\S+\/oauth2\/authorize\S+/)
  await fetch(await signIn(newBrowser(hosts.sandboxBaseUrl), url, 'sandbox'))
  assert.equal((await terminal.ended).code, 0)
  const { refreshToken } = (await kept(home)).profiles.sandbox.credential
  await fetch(`${hosts.sandboxBaseUrl}/oauth2/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ token: refreshToken, client_id: 'partner-commerce-cli' }),
  })
  const { code, stdout, stderr } = await run(home, ['whoami'])
  assert.equal(code, 3)
  assert.equal(stdout, '')
  assert.match(stderr, /The sign-in is over\.\n +Sign in again with `partner-commerce login`/)
})

test('a request that is no URL is refused, and the sign-in goes on', { skip }, async (t) => {
  const home = await newHome()
  const terminal = startInTerminal(t, home, ['login', '--url', hosts.sandboxBaseUrl], 200)
  const [url] = await terminal.shows(/http:\/\/\S+\/oauth2\/authorize\S+/)
  const { port } = new URL(new URL(url).searchParams.get('redirect_uri')!)
  for (const target of ['//', 'http://[', '*']) {
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)
    assert.match(String(await buffer(socket)), /^HTTP\/1\.1 40[04] /)
  }
  await fetch(await signIn(newBrowser(hosts.sandboxBaseUrl), url, 'sandbox'))
  assert.equal((await terminal.ended).code, 0)
})

test('Ctrl-C ends a sign-in that nobody goes on with', { skip }, async (t) => {
  const home = await newHome()
  const terminal = startInTerminal(t, home, ['login', '--url', hosts.sandboxBaseUrl])
  await terminal.shows(/Ctrl-C gives up/)
  terminal.type('\u0003')
  assert.equal((await terminal.ended).code, 130)
})

test('the secret of an app client is typed without being shown', { skip }, async (t) => {
  const home = await newHome()
  const words = ['login', '--url', hosts.baseUrl, '--client-id', client!.clientId]
  const terminal = startInTerminal(t, home, words)
  await terminal.shows(/Client secret: /)
  terminal.type(`${client!.clientSecret}\r`)
  assert.equal((await terminal.ended).code, 0, terminal.shown())
  assert.ok(!terminal.raw().includes(client!.clientSecret))
  assert.equal(json(await run(home, ['whoami', '--json'])).clientId, client!.clientId)

  const given = startInTerminal(t, home, words)
  await given.shows(/Client secret: /)
  given.type('\u0003')
  assert.equal((await given.ended).code, 130, given.shown())
})

test('a secret comes from stdin or from the environment, never from an option', async () => {
  const home = await newHome()
  const words = ['login', '--url', hosts.baseUrl, '--client-id', client!.clientId]
  const byStdin = await run(home, [...words, '--client-secret-stdin', '--json'], `${client!.clientSecret}\n`)
  assert.equal(json(byStdin).profile, 'production')
  assert.ok(!byStdin.stdout.includes(client!.clientSecret))

  home.environment['PARTNER_COMMERCE_CLIENT_SECRET'] = second!.clientSecret
  assert.equal((await run(home, ['login', '--url', hosts.baseUrl, '--client-id', second!.clientId])).code, 0)
  assert.equal((await kept(home)).profiles.production.credential.clientId, second!.clientId)
  delete home.environment['PARTNER_COMMERCE_CLIENT_SECRET']

  const nowhere = await run(home, words)
  assert.equal(nowhere.code, 2)
  assert.match(nowhere.stderr, /PARTNER_COMMERCE_CLIENT_SECRET.*--client-secret-stdin/)
  assert.equal((await run(home, [...words, '--client-secret', client!.clientSecret])).code, 2)
})

test('a secret that is not accepted is not kept, and exits with 3', async () => {
  const home = await newHome()
  const words = ['login', '--url', hosts.baseUrl, '--client-id', client!.clientId, '--client-secret-stdin']
  const { code, stderr } = await run(home, words, 'not-the-secret')
  assert.equal(code, 3)
  assert.match(stderr, /does not accept the credential: invalid_client/)
  await assert.rejects(stat(credentialsFile(home)), { code: 'ENOENT' })
})

test('profiles of both environments stand side by side, and a credential goes to no other host', async () => {
  const home = await newHome()
  const sandbox = manifest.partners.sandbox.clients![0]!
  const login = (
    url: string,
    { clientId, clientSecret }: { clientId: string; clientSecret: string },
    ...more: string[]
  ) => run(home, ['login', '--url', url, '--client-id', clientId, '--client-secret-stdin', ...more], clientSecret)
  assert.equal((await login(hosts.sandboxBaseUrl, sandbox)).code, 0)
  assert.equal((await login(hosts.baseUrl, client!)).code, 0)
  assert.equal((await login(hosts.baseUrl, second!, '--profile', 'nightly')).code, 0)
  assert.equal((await login(hosts.baseUrl, client!, '--profile', '__proto__')).code, 2)

  const clientIdOf = async (...words: string[]) => json(await run(home, ['whoami', '--json', ...words])).clientId
  assert.equal(await clientIdOf(), second!.clientId, 'the last login is the one in use')
  assert.equal(await clientIdOf('--profile', 'production'), client!.clientId)
  assert.equal(await clientIdOf('--sandbox'), sandbox.clientId)
  assert.equal(await clientIdOf('--url', hosts.sandboxBaseUrl), sandbox.clientId)
  // What exists in the sandbox only uses its profile by itself.
  assert.ok('worldNow' in json(await run(home, ['clock', '--json'])))
  assert.equal((await run(home, ['clock', '--profile', 'production'])).code, 2)

  const elsewhere = await run(home, ['whoami', '--url', 'https://127.0.0.1:1'])
  assert.equal(elsewhere.code, 3)
  assert.match(elsewhere.stderr, /You are not signed in at https:\/\/127\.0\.0\.1:1/)
  const unknown = await run(home, ['whoami', '--profile', 'weekly'])
  assert.equal(unknown.code, 3)
  assert.match(unknown.stderr, /You have sandbox, production, nightly/)
  assert.equal((await run(home, ['whoami', '--sandbox', '--production'])).code, 2)

  assert.deepEqual(json(await run(home, ['logout', '--sandbox', '--json'])), { profiles: ['sandbox'] })
  assert.deepEqual(json(await run(home, ['logout', '--all', '--json'])), { profiles: ['production', 'nightly'] })
  const nobody = await run(home, ['whoami'])
  assert.equal(nobody.code, 3)
  assert.match(nobody.stderr, /You are not signed in\.\n +Sign in with/)
})

test('what is for one environment does not reach the other, whatever credential the environment gives', async () => {
  const home = await homeOf(service, 'primary')
  const before = (await (await partner(service, 'primary')).get('/v1/orders?limit=1')).body.orders[0].orderNumber
  const file = join(home.folder, 'order.json')
  await writeFile(file, JSON.stringify(orderBuilder(manifest).order()))
  const commands = [
    ['trigger', 'order'],
    ['listen', '--print-secret'],
    ['clock', 'advance', '1d'],
    ['orders', 'submit', file, '--sandbox'],
    ['whoami', '--sandbox'],
  ]
  for (const words of commands) {
    const { code, stdout, stderr } = await run(home, words)
    assert.deepEqual([code, stdout], [2, ''], words.join(' '))
    assert.match(stderr, /the credential in PARTNER_COMMERCE_CLIENT_ID is production's, at http/)
    assert.match(stderr, /Set PARTNER_COMMERCE_URL and the credential of the sandbox/)
  }
  const after = (await (await partner(service, 'primary')).get('/v1/orders?limit=1')).body.orders[0].orderNumber
  assert.equal(after, before, 'nothing was ordered')
  assert.equal((await run(home, ['trigger', 'order', '--production'])).code, 2)
  assert.equal(json(await run(home, ['whoami', '--production', '--json'])).environment, 'PRODUCTION')

  const sandbox = await homeOf(service, 'sandbox')
  assert.equal((await run(sandbox, ['whoami', '--production'])).code, 2)
  assert.equal(json(await run(sandbox, ['whoami', '--sandbox', '--json'])).environment, 'SANDBOX')
})

test('a credential goes over plain http to this machine only', async () => {
  const home = await newHome()
  const words = ['--client-id', client!.clientId, '--client-secret-stdin']
  const { code, stderr } = await run(home, ['login', '--url', 'http://api.example.com', ...words], 'a-secret')
  assert.equal(code, 2)
  assert.match(stderr, /Use https:\/\/api\.example\.com/)
  assert.equal((await run(home, ['login', '--url', 'ftp://127.0.0.1', ...words], 'a-secret')).code, 2)
})

test('a file of credentials that others can read, or that is none, is told', async () => {
  const home = await newHome()
  const words = ['login', '--url', hosts.baseUrl, '--client-id', client!.clientId, '--client-secret-stdin']
  assert.equal((await run(home, words, client!.clientSecret)).code, 0)
  await chmod(credentialsFile(home), 0o644)
  const open = await run(home, ['whoami'])
  assert.equal(open.code, 0)
  assert.match(open.stderr, /Others on this machine can read/)
  await writeFile(credentialsFile(home), '{"profiles": {"production": {"url": "https://127.0.0.1"}}}')
  const { code, stderr } = await run(home, ['whoami'])
  assert.equal(code, 3)
  assert.match(stderr, /does not hold credentials as this program writes them/)
})

test('a sign-in that the person declines exits with 3', async (t) => {
  const home = await newHome()
  const running = start(home, ['login', '--url', hosts.sandboxBaseUrl], t)
  const [url] = await running.shows(/http:\/\/\S+\/oauth2\/authorize\S+/)
  const back = new URL(new URL(url).searchParams.get('redirect_uri')!)
  back.search = String(
    new URLSearchParams({
      error: 'access_denied',
      state: new URL(url).searchParams.get('state')!,
      iss: hosts.sandboxBaseUrl,
    }),
  )
  assert.match(await (await fetch(back)).text(), /You are not signed in/)
  const { code, stderr } = await running.ended
  assert.equal(code, 3)
  assert.match(stderr, /Nothing was allowed on the sign-in page/)
})
