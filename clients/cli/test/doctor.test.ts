import assert from 'node:assert/strict'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { testService } from '../../../test/world/service.ts'
import { closedAddress, homeAt, homeOf, json, newHome, run, type Ended, type Home } from './world/program.ts'

const service = await testService()

type Finding = { check: string; outcome: string; finding: string; cure: string | null }

/** What doctor found, by check. */
function found({ stdout }: Ended): Record<string, Finding> {
  const { findings } = JSON.parse(stdout) as { findings: Finding[] }
  return Object.fromEntries(findings.map((each) => [each.check, each]))
}

/** The home of somebody whose calls go through another server, which may change what is answered. */
async function through(
  t: TestContext,
  home: Home,
  change: (
    path: string,
    answer: Response,
    body: string,
  ) => { status?: number; headers?: Record<string, string>; body?: string },
): Promise<Home> {
  const target = home.environment['PARTNER_COMMERCE_URL']!
  const server = createServer(async (request, response) => {
    const { method, url = '', headers } = request
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))
    const { authorization, 'content-type': type } = headers
    const answer = await fetch(target + url, {
      method: method!,
      headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
      ...(body.length > 0 && { body }),
    })
    const text = await answer.text()
    const changed = change(url, answer, text)
    response.writeHead(changed.status ?? answer.status, {
      'content-type': answer.headers.get('content-type') ?? '',
      ...changed.headers,
    })
    response.end(changed.body ?? text)
  })
  return homeAt(t, home, server)
}

test('a sound integration passes, and what is short of that is a warning with its cure', async () => {
  const home = await homeOf(service, 'primary')
  const ended = await run(home, ['doctor', '--json'])
  assert.equal(json(ended).healthy, true)
  const findings = found(ended)
  for (const check of ['connection', 'clock', 'credential', 'scopes', 'limits']) {
    assert.equal(findings[check]?.outcome, 'ok', check)
  }
  const { main, noOrdering } = service.manifest.sites
  assert.equal(findings[`site ${main}`]!.outcome, 'ok')
  assert.equal(findings[`site ${noOrdering}`]!.outcome, 'warning')
  assert.match(findings[`site ${noOrdering}`]!.cure!, /ordering user/)

  const { code, stdout } = await run(home, ['doctor'])
  assert.equal(code, 0)
  assert.match(stdout, /^✓ connection · http:\/\/127\.0\.0\.1:\d+ answers in \d+ ms$/m)
  assert.match(stdout, /^✓ It works, with 1 warning\.$/m)
})

test('a credential that may only read is told what it cannot do', async () => {
  const { scopes } = found(await run(await homeOf(service, 'readonly'), ['doctor', '--json']))
  assert.equal(scopes!.outcome, 'warning')
  assert.match(scopes!.finding, /without orders:write/)
})

test('without a site or a scope nothing works, and doctor exits with 1', async (t) => {
  const home = await homeOf(service, 'primary')
  for (const [check, key] of [
    ['sites', 'grantedSiteIds'],
    ['scopes', 'scopes'],
  ] as const) {
    const without = await through(t, home, (path, _answer, text) =>
      path === '/v1/me' ? { body: JSON.stringify({ ...JSON.parse(text), [key]: [] }) } : {},
    )
    const ended = await run(without, ['doctor', '--json'])
    assert.equal(ended.code, 1)
    assert.equal(found(ended)[check]?.outcome, 'failed', ended.stdout)
    assert.match(found(ended)[check]!.cure!, /Ask staff/)
  }
})

test('a machine whose tokens are taken for no call is not told to sign in again', async () => {
  for (const who of ['disabled', 'siteless', 'scopeless'] as const) {
    const ended = await run(await homeOf(service, who), ['doctor', '--json'])
    const { credential } = found(ended)
    assert.equal(ended.code, 3, who)
    assert.equal(credential!.outcome, 'failed')
    assert.doesNotMatch(credential!.cure!, /login/, who)
    assert.match(credential!.cure!, /no site or no scope, or is disabled\. Ask staff\./)
  }
})

test('a service that cannot be reached, or is another, is told as such', async (t) => {
  const home = await homeOf(service, 'primary')
  const away = { ...home, environment: { ...home.environment, PARTNER_COMMERCE_URL: await closedAddress() } }
  const unreached = await run(away, ['doctor'])
  assert.equal(unreached.code, 1)
  assert.match(
    unreached.stdout,
    /✗ connection · http:\S+ cannot be reached: nothing listens at the address\n +Check the address/,
  )

  const other = await through(t, home, () => ({ status: 404, body: 'Not here' }))
  assert.match(
    found(await run(other, ['doctor', '--json']))['connection']!.finding,
    /does not answer as it should: .*404/,
  )
})

test('a clock that is off is told by how much, and fails beyond what signatures allow', async (t) => {
  const home = await homeOf(service, 'primary')
  const shifted = (seconds: number) =>
    through(t, home, () => ({ headers: { date: new Date(Date.now() + seconds * 1000).toUTCString() } }))
  const behind = await run(await shifted(7_200), ['doctor', '--json'])
  assert.equal(behind.code, 1)
  assert.match(found(behind)['clock']!.finding, /your clock is (2h|1h 59m) behind/)
  const ahead = await run(await shifted(-60), ['doctor', '--json'])
  assert.equal(ahead.code, 0)
  assert.equal(found(ahead)['clock']!.outcome, 'warning')
  assert.match(found(ahead)['clock']!.finding, /ahead/)
})

test('a quota that is used up fails, and one that is nearly so warns', async (t) => {
  const home = await homeOf(service, 'primary')
  const left = (count: number) =>
    through(t, home, (path, _answer, text) => {
      if (path !== '/v1/me') return {}
      const me = JSON.parse(text)
      return { body: JSON.stringify({ ...me, limits: { ...me.limits, dailyRemaining: count } }) }
    })
  assert.equal(found(await run(await left(0), ['doctor', '--json']))['limits']!.outcome, 'failed')
  assert.equal(found(await run(await left(1), ['doctor', '--json']))['limits']!.outcome, 'warning')
})

test('a refused credential and an absent one fail with the way to sign in', async () => {
  const home = await homeOf(service, 'primary')
  const wrong = { ...home, environment: { ...home.environment, PARTNER_COMMERCE_CLIENT_SECRET: 'another' } }
  const refused = await run(wrong, ['doctor', '--json'])
  assert.equal(refused.code, 3)
  assert.match(found(refused)['credential']!.finding, /does not accept the credential: invalid_client/)

  const nobody = await run(await newHome(), ['doctor', '--url', service.hosts.baseUrl, '--json'])
  assert.equal(nobody.code, 3)
  assert.equal(found(nobody)['connection']!.outcome, 'ok')
  assert.match(found(nobody)['credential']!.cure!, /partner-commerce login --url/)
})

test('a file of credentials that others can read fails', async () => {
  const home = await newHome()
  const { clientId, clientSecret } = service.manifest.partners.primary.clients![0]!
  const words = ['login', '--url', service.hosts.baseUrl, '--client-id', clientId, '--client-secret-stdin']
  assert.equal((await run(home, words, clientSecret)).code, 0)
  assert.equal(found(await run(home, ['doctor', '--json']))['credential file']!.outcome, 'ok')
  await chmod(join(home.folder, '.config/partner-commerce/credentials.json'), 0o640)
  const { code, stdout } = await run(home, ['doctor'])
  assert.equal(code, 1)
  assert.match(stdout, /✗ credential file · others can read .*\n +chmod 600/)
})

test('with a client certificate both certificates are looked at', async () => {
  const { certFile, keyFile, caFile } = service.manifest.partners.certificate.certificate!
  const home = await newHome()
  const words = [
    'login',
    '--url',
    service.hosts.mtlsBaseUrl,
    '--certificate',
    certFile,
    '--key',
    keyFile,
    '--ca',
    caFile,
  ]
  const login = await run(home, words)
  assert.equal(login.code, 0, login.stderr)
  const ended = await run(home, ['doctor', '--json'])
  assert.equal(ended.code, 0, ended.stderr)
  const findings = found(ended)
  for (const check of ['certificate file', 'server certificate', 'credential', 'client certificate']) {
    assert.ok(['ok', 'warning'].includes(findings[check]?.outcome ?? ''), check)
    assert.match(check === 'credential' ? '2' : findings[check]!.finding, /\d/)
  }
  await mkdir(join(home.folder, 'pem'))
  const noCertificate = join(home.folder, 'pem/none.pem')
  await writeFile(noCertificate, 'none')
  assert.notEqual(
    (await run(home, ['login', '--url', service.hosts.mtlsBaseUrl, '--certificate', noCertificate, '--key', keyFile]))
      .code,
    0,
  )
})
