import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { promisify } from 'node:util'
import { test } from 'node:test'
import {
  makeCertificate,
  makeChain,
  type CertificateWish,
  type MadeCertificate,
} from '../../test/world/certificates.ts'
import { done } from '../../test/world/done.ts'
import { holderOf, sendAs, tlsErrorOf, trusted, type Holder } from '../../test/world/mutual-tls.ts'
import { mutualTlsPartner, staffChange } from '../../test/world/partner-builder.ts'
import { partner, send } from '../../test/world/partner.ts'
import { startTestService, testService } from '../../test/world/service.ts'
import { registerCertificate, revokeCertificate } from '../partners/certificates.ts'
import { setGrantedSites, setPartnerEnabled } from '../partners/partners.ts'

const service = await testService()
const url = service.hosts.mtlsBaseUrl
const siteIds = [service.manifest.sites.main]
const files = service.manifest.partners.certificate.certificate!
const ca = await readFile(files.caFile, 'utf8')
const demo: Holder = { ca, cert: await readFile(files.certFile, 'utf8'), key: await readFile(files.keyFile, 'utf8') }
/** registered, each with the whole chain up to its root */
const chain = await makeChain(4, { subject: 'chained.example' })
await register(chain.map(({ pem }) => pem).join(''))
/** issued by the same authority, but not registered */
const sibling = holderOf(
  ca,
  await makeCertificate({ subject: 'sibling.example', issuer: chain[1]! }),
  ...chain.slice(1),
)
await trusted(holderOf(ca, chain[0]!), url)

const change = () => staffChange(new Date())

function register(pem: string) {
  return mutualTlsPartner(service.production.database, new Date(), { siteIds, pem })
}

/** A partner of its own, with a self-signed certificate that the listener already admits. */
async function letIn(wish: Partial<CertificateWish> = {}) {
  const made = await makeCertificate({ subject: 'let-in.example', ...wish })
  const holder = holderOf(ca, made)
  const registered = await register(made.pem)
  await trusted(holder, url)
  return { ...registered, made, holder }
}

/** The errors by which a client notices that the listener ended the connection. */
const closed = /^(ECONNRESET|EPIPE)$/
/** The same, or the alert of a listener that misses a certificate, in TLS 1.2 and 1.3. */
const refused = /^(ECONNRESET|EPIPE|EPROTO|ERR_SSL_.*ALERT_(HANDSHAKE_FAILURE|CERTIFICATE_REQUIRED))$/

/** What the handshake ends in, for a client that sends nothing of its own: the alert that came, or how it was closed. */
function endOfHandshake(holder: Holder): Promise<string> {
  return new Promise((resolve) => {
    const { port } = new URL(url)
    const socket = connect({ ...holder, host: '127.0.0.1', port: Number(port), servername: 'localhost' })
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    socket.on('end', () => resolve('close_notify')).resume()
  })
}

test('MTLS-03 a client without a certificate gets the alert that says so, in each version of TLS', async () => {
  assert.match(await endOfHandshake({ ca, maxVersion: 'TLSv1.2' }), /^ERR_SSL_.*ALERT_HANDSHAKE_FAILURE$/)
  assert.match(await endOfHandshake({ ca, minVersion: 'TLSv1.3' }), /^ERR_SSL_.*ALERT_CERTIFICATE_REQUIRED$/)
})

test('MTLS-03 MTLS-04 a client whose certificate nobody trusts is told by close_notify, before any HTTP', async () => {
  const stranger = holderOf(ca, await makeCertificate({ subject: 'stranger.example' }))
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const)
    assert.equal(await endOfHandshake({ ...stranger, maxVersion }), 'close_notify')
})

const database = () => service.production.database

function revoke(partnerId: string, certificateId: string) {
  return database().transaction((tx) => revokeCertificate(tx, change(), partnerId, certificateId))
}

test('MTLS-01 MTLS-16 AUTH-03 a registered certificate is enough: 200, with authMethod MTLS and facts of the certificate', async () => {
  const answer = await sendAs(demo, url, '/v1/me')
  assert.equal(answer.status, 200)
  const { partnerId, name } = service.manifest.partners.certificate
  const { authMethod, environment, clientId, tokenExpiresOn, certificate, user, grantedSiteIds } = answer.body
  assert.deepEqual([answer.body.partnerId, answer.body.partnerName], [partnerId, name])
  assert.deepEqual([authMethod, environment, clientId, tokenExpiresOn, user], ['MTLS', 'PRODUCTION', null, null, null])
  assert.deepEqual(grantedSiteIds, siteIds)
  assert.equal(certificate.subjectDn, 'CN=ironclad-print-procurement')
  assert.match(certificate.serialNumber, /^[0-9A-F]{32}$/)
})

test('MTLS-03 without a certificate every path ends with the handshake, ping too, in each version of TLS', async () => {
  const answered = () => service.logLines.filter((line) => line.includes('"msg":"answered"')).length
  const earlier = answered()
  assert.ok(earlier > 0)
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const)
    for (const path of ['/v1/ping', '/v1/me', '/oauth2/token', '/nowhere'])
      assert.match(await tlsErrorOf({ ca, maxVersion }, url, path), refused)
  assert.equal(answered(), earlier)
})

test('MTLS-02 there is no token endpoint and nothing else of sign-in on this host', async () => {
  for (const [method, path] of [
    ['POST', '/oauth2/token'],
    ['GET', '/oauth2/authorize'],
    ['GET', '/.well-known/oauth-protected-resource'],
  ] as const) {
    const known = await sendAs(demo, url, path, { method })
    assert.deepEqual([known.status, known.body.code], [404, 'route_not_found'], path)
    const unknown = await sendAs(sibling, url, path, { method })
    assert.deepEqual([unknown.status, unknown.body.code], [401, 'invalid_token'], path)
  }
})

test('MTLS-04 MTLS-06 a certificate that chains to a trusted root but is not registered gets 401 on every path, ping too', async () => {
  for (const path of [
    '/v1/ping',
    '/v1/me',
    '/v1/orders?nonsense',
    '/v1/products/malformed',
    '/developer/limits',
    '/.well-known/api-catalog',
    '/nowhere',
  ]) {
    const { status, body } = await sendAs(sibling, url, path)
    assert.deepEqual([status, body.code], [401, 'invalid_token'], path)
  }
  const root = chain.at(-1)!
  const issuer = await makeCertificate({ subject: 'an authority of its own', authority: true, issuer: root })
  const made = await makeCertificate({ subject: 'sibling.example', issuer })
  assert.equal((await sendAs(holderOf(ca, made, issuer), url, '/v1/ping')).status, 401)
  assert.match(await tlsErrorOf(holderOf(ca, made), url), closed)
})

test('MTLS-04 a certificate that does not chain to a trusted root does not get as far as HTTP', async () => {
  const stranger = holderOf(ca, await makeCertificate({ subject: 'stranger.example' }))
  const underStranger = await makeChain(2, { subject: 'stranger.example' })
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
    assert.match(await tlsErrorOf({ ...stranger, maxVersion }, url), closed)
    assert.match(await tlsErrorOf({ ...holderOf(ca, underStranger[0]!, underStranger[1]!), maxVersion }, url), closed)
  }
})

test('AUTH-20 the 401 of this host equals that of the bearer host, byte for byte except for the requestId', async () => {
  const bearer = await send(service.hosts.baseUrl, 'GET', '/v1/me')
  const certificate = await sendAs(sibling, url, '/v1/me')
  assert.equal(certificate.status, bearer.status)
  assert.deepEqual({ ...certificate.body, requestId: '' }, { ...bearer.body, requestId: '' })
  assert.equal(certificate.headers.get('www-authenticate'), bearer.headers.get('www-authenticate'))
  const cause = service.logLines.find((line) => line.includes(certificate.body.requestId))
  const { cause: why, certificate: known, sourceAddress } = JSON.parse(cause!)
  assert.deepEqual([why, sourceAddress], ['credential_unknown', '127.0.0.1'])
  assert.equal(known, new X509Certificate(String(sibling.cert)).fingerprint256.replaceAll(':', '').toLowerCase())
})

test('AUTH-02 a bearer token counts for nothing on this host, and a certificate in a header on neither', async () => {
  const { token, baseUrl } = await partner(service, 'primary')
  const authorization = { authorization: `Bearer ${token}` }
  const me = await sendAs(demo, url, '/v1/me', { headers: authorization })
  assert.equal(me.body.partnerId, service.manifest.partners.certificate.partnerId)
  assert.equal((await sendAs(demo, url, '/v1/me', { headers: { authorization: 'Bearer nonsense' } })).status, 200)
  assert.equal((await sendAs(sibling, url, '/v1/me', { headers: authorization })).status, 401)
  const claimed = { 'x-client-cert': encodeURIComponent(String(demo.cert)) }
  assert.equal((await sendAs(sibling, url, '/v1/me', { headers: claimed })).status, 401)
  assert.equal((await send(baseUrl, 'GET', '/v1/me', undefined, claimed)).status, 401)
})

test('GEN-05 this host has the routes and answers of the bearer host', async () => {
  const bearer = await partner(service, 'trial')
  for (const path of [
    '/v1/sites',
    '/v1/products?limit=3',
    '/v1/segments',
    '/v1/products?nonsense=1',
    '/v1/orders/1',
    '/v1/users/0',
    '/nowhere',
  ]) {
    const [one, other] = [await bearer.get(path), await sendAs(demo, url, path)]
    assert.equal(other.status, one.status, path)
    const comparable = (body: object) => ({ ...body, requestId: null, nextCursor: null })
    assert.deepEqual(comparable(other.body), comparable(one.body), path)
  }
  const wrongMethod = await sendAs(demo, url, '/v1/sites', { method: 'DELETE' })
  assert.deepEqual([wrongMethod.status, wrongMethod.headers.get('allow')], [405, 'GET, HEAD'])
})

test("MTLS-05 a registered certificate cannot be used to sign a forgery of another partner's", async () => {
  const victim = await letIn({ subject: 'victim.example', serial: '0cab' })
  const forger = await letIn({ subject: 'forger.example', authority: true })
  const forged = await makeCertificate({ subject: 'victim.example', serial: '0cab', issuer: forger.made })
  const { status, body } = await sendAs(holderOf(ca, forged, forger.made), url, '/v1/me')
  assert.deepEqual([status, body.code], [401, 'invalid_token'])
  assert.match(
    service.logLines.find((line) => line.includes(body.requestId))!,
    /"cause":"certificate_forged"/,
  )
  assert.equal((await sendAs(victim.holder, url, '/v1/me')).body.partnerId, victim.partnerId)
})

test('MTLS-07 a chained certificate is admitted with its chain or alone, since the truststore has the rest', async () => {
  const [made, ...above] = chain as [MadeCertificate, ...MadeCertificate[]]
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const)
    for (const sent of [above, above.slice(0, 2), []])
      assert.equal((await sendAs({ ...holderOf(ca, made, ...sent), maxVersion }, url, '/v1/me')).status, 200)
})

test('MTLS-08 a chain of five does not get as far as HTTP although its root is trusted', async () => {
  const [, lowest, ...above] = chain as [MadeCertificate, MadeCertificate, ...MadeCertificate[]]
  const issuer = await makeCertificate({ subject: 'one too many', authority: true, issuer: lowest })
  const made = await makeCertificate({ subject: 'far.example', issuer })
  assert.match(await tlsErrorOf(holderOf(ca, made, issuer, lowest, ...above), url), closed)
  assert.match(await tlsErrorOf(holderOf(ca, made, issuer), url), closed)
})

test('MTLS-10 every kind of key that can be registered also connects, in each version of TLS', async () => {
  for (const kind of ['RSA-2048', 'P-256', 'P-384'] as const) {
    const { holder } = await letIn({ kind, subject: `${kind}.example`, extendedKeyUsage: ['1.3.6.1.5.5.7.3.2'] })
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const { status, protocol } = await sendAs({ ...holder, minVersion: version, maxVersion: version }, url, '/v1/me')
      assert.deepEqual([status, protocol], [200, version])
    }
  }
})

test('an expired certificate does not get as far as HTTP, whatever it chains to', async () => {
  const [weekAgo, yesterday] = [7, 1].map((days) => new Date(Date.now() - days * 86_400_000))
  const dates = { notBefore: weekAgo!, notAfter: yesterday! }
  const selfSigned = await makeCertificate({ subject: 'expired.example', ...dates })
  await mutualTlsPartner(database(), new Date(weekAgo!.getTime() + 1000), { siteIds, pem: selfSigned.pem })
  const chained = await makeCertificate({ subject: 'expired.example', issuer: chain[1]!, ...dates })
  await letIn({ subject: 'proof that the truststore has followed' })
  for (const made of [selfSigned, chained]) assert.match(await tlsErrorOf(holderOf(ca, made), url), closed)
})

test('only TLS 1.2 and 1.3 are accepted, with forward secrecy and authenticated encryption', async () => {
  const old = { ...demo, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
  assert.equal(await tlsErrorOf(old, url), 'EPROTO')
  const suites = {
    'ECDHE-ECDSA-AES128-GCM-SHA256': 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384': 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305': 'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES128-SHA256': undefined,
    'ECDHE-ECDSA-AES256-SHA384': undefined,
    'ECDHE-ECDSA-AES128-SHA': undefined,
    'AES128-GCM-SHA256': undefined,
    'AES256-SHA256': undefined,
  }
  for (const [ciphers, spoken] of Object.entries(suites)) {
    const holder: Holder = { ...demo, ciphers: `${ciphers}:@SECLEVEL=0`, maxVersion: 'TLSv1.2' }
    if (spoken === undefined) assert.equal(await tlsErrorOf(holder, url), 'EPROTO', ciphers)
    else assert.equal((await sendAs(holder, url, '/v1/me')).cipher, spoken)
  }
})

test('keys are exchanged over strong groups only', async () => {
  for (const ecdhCurve of ['X25519MLKEM768', 'X25519', 'P-256', 'P-384'])
    assert.equal((await sendAs({ ...demo, ecdhCurve }, url, '/v1/me')).status, 200, ecdhCurve)
  for (const ecdhCurve of ['ffdhe2048', 'P-521'])
    assert.equal(await tlsErrorOf({ ...demo, ecdhCurve }, url), 'EPROTO', ecdhCurve)
})

const scanner = '/usr/bin/sslscan'
const noScanner = !process.env.REQUIRE_SERVICES && !existsSync(scanner) && `${scanner} is not there`
test('sslscan finds nothing old, weak or known to be broken', { skip: noScanner }, async () => {
  const { stdout } = await promisify(execFile)(scanner, ['--xml=-', '--no-colour', new URL(url).host])
  const all = (tag: string): Map<string, string>[] =>
    [...stdout.matchAll(new RegExp(`<${tag} ([^>]*?)/?>`, 'g'))].map(
      ([, attributes]) =>
        new Map([...attributes!.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!])),
    )
  const spoken = all('protocol').filter((protocol) => protocol.get('enabled') === '1')
  assert.deepEqual(spoken.map((protocol) => protocol.get('version')).toSorted(), ['1.2', '1.3'])
  assert.ok(all('cipher').length >= 3, stdout)
  for (const cipher of all('cipher')) assert.match(cipher.get('cipher')!, /GCM|CHACHA20/)
  assert.ok(all('group').length >= 3, stdout)
  for (const group of all('group')) assert.ok(Number(group.get('bits')) >= 128, group.get('name') ?? stdout)
  for (const heartbleed of all('heartbleed')) assert.equal(heartbleed.get('vulnerable'), '0')
  assert.equal(all('renegotiation')[0]!.get('supported'), '0')
})

test('STF-06 STF-08 revoking and disabling take effect on the very next request of an open connection', async () => {
  for (const end of ['revoke', 'disable', 'withdraw'] as const) {
    const { partnerId, certificateId, holder } = await letIn({ subject: `${end}.example` })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const onOneConnection = { ...holder, agent }
    assert.equal((await sendAs(onOneConnection, url, '/v1/me')).status, 200)
    if (end === 'revoke') await revoke(partnerId, certificateId)
    else if (end === 'disable') await database().change((tx) => setPartnerEnabled(tx, change(), partnerId, false))
    else await database().transaction((tx) => setGrantedSites(tx, change(), partnerId, []))
    const next = await sendAs(onOneConnection, url, '/v1/me')
    assert.deepEqual([next.status, next.socketReused], [401, true], end)
    agent.destroy()
  }
})

test('STF-08 a revoked certificate also gets 401 in a resumed session, in each version of TLS', async () => {
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    // Others are trusted by the same authority, so revoking this certificate leaves the truststore and the sessions as
    // they are.
    const made = await makeCertificate({ subject: `resumed ${version}`, issuer: chain[1]! })
    const pem = [made, ...chain.slice(1)].map((each) => each.pem).join('')
    const { partnerId, certificateId } = await register(pem)
    const holder: Holder = { ...holderOf(ca, made), minVersion: version, maxVersion: version }
    const session = await sessionOf(holder)
    const first = await sendAs({ ...holder, session }, url, '/v1/me')
    assert.deepEqual([first.status, first.sessionReused, first.protocol], [200, true, version])
    await revoke(partnerId, certificateId)
    const next = await sendAs({ ...holder, session: await sessionOf(holder) }, url, '/v1/me')
    assert.deepEqual([next.status, next.sessionReused], [401, true])
  }
})

/** A TLS session that a later connection of this client can resume. */
function sessionOf(holder: Holder): Promise<Buffer> {
  const { ca: trusts, cert, key, minVersion, maxVersion } = holder
  const port = Number(new URL(url).port)
  return new Promise((resolve, reject) => {
    const socket = connect({
      port,
      host: '127.0.0.1',
      servername: 'localhost',
      ca: trusts,
      cert,
      key,
      minVersion,
      maxVersion,
    })
    socket.on('error', reject)
    socket.once('session', (session) => {
      resolve(session)
      socket.destroy()
    })
  })
}

test('MTLS-14 MTLS-15 the truststore follows registration and revocation without a restart, on every instance', async () => {
  const second = await startTestService({ databases: service.databases })
  try {
    const made = await makeCertificate({ subject: 'follows.example' })
    const holder = holderOf(ca, made)
    const urls = [url, second.hosts.mtlsBaseUrl]
    for (const each of urls) assert.match(await tlsErrorOf(holder, each), closed)
    const { partnerId, certificateId } = await register(made.pem)
    for (const each of urls) await trusted(holder, each)
    for (const each of urls) assert.equal((await sendAs(holder, each, '/v1/me')).status, 200)
    await revoke(partnerId, certificateId)
    for (const each of urls) await trusted(holder, each, false)
  } finally {
    await second.close()
  }
})

test('MTLS-17 an old and a replacement certificate both work, and the old one is revoked on its own', async () => {
  const old = await letIn({ subject: 'rotating.example' })
  const replacement = await makeCertificate({ subject: 'rotating.example' })
  const { partnerId } = old
  await done(database().change((tx) => registerCertificate(tx, change(), partnerId, replacement.pem)))
  const holder = holderOf(ca, replacement)
  await trusted(holder, url)
  for (const each of [old.holder, holder]) assert.equal((await sendAs(each, url, '/v1/me')).body.partnerId, partnerId)
  await revoke(partnerId, old.certificateId)
  await trusted(old.holder, url, false)
  assert.equal((await sendAs(holder, url, '/v1/me')).body.partnerId, partnerId)
})

test('LIM-01 the partner limits also apply on this host, to ping too', async () => {
  // The clock stands still, so that the bucket does not refill.
  const limited = await startTestService({ limits: 'on', monotonic: () => 0 })
  try {
    const { pem, keyPem } = await makeCertificate({ subject: 'limited.example' })
    await mutualTlsPartner(limited.production.database, new Date(), { siteIds, pem })
    const holder = { ca, cert: pem, key: keyPem, agent: new Agent({ keepAlive: true, maxSockets: 1 }) }
    await trusted(holder, limited.hosts.mtlsBaseUrl)
    const statuses: number[] = []
    for (let turn = 0; turn < 6; turn++)
      statuses.push((await sendAs(holder, limited.hosts.mtlsBaseUrl, '/v1/ping')).status)
    assert.equal(statuses.at(-1), 429)
    holder.agent.destroy()
  } finally {
    await limited.close()
  }
})

test("with a proxy in front, its header carries the certificate and is trusted only from the proxy's addresses", async () => {
  const header = 'ssl-client-cert'
  const claimed = { [header]: encodeURIComponent(String(demo.cert)) }
  const proxied = async (addresses: string, headers: Record<string, string>) => {
    const behind = await startTestService({
      databases: service.databases,
      variables: { MTLS_PROXY_ADDRESSES: addresses, MTLS_PROXY_HEADER: 'SSL-Client-Cert' },
    })
    try {
      const base = behind.hosts.mtlsBaseUrl.replace('https:', 'http:')
      return await send(base, 'GET', '/v1/me', undefined, headers)
    } finally {
      await behind.close()
    }
  }
  const me = await proxied('127.0.0.0/8', claimed)
  assert.deepEqual([me.status, me.body.authMethod], [200, 'MTLS'])
  assert.equal((await proxied('10.0.0.0/8', claimed)).status, 401)
  // A proxy that adds its header to one from the caller sends both, and neither is trusted.
  const own = encodeURIComponent(chain[0]!.pem)
  for (const wrong of ['', '%', 'nonsense', `${claimed[header]}, ${own}`, `${own},${claimed[header]}`, own.repeat(2)])
    assert.equal((await proxied('127.0.0.1', { [header]: wrong })).status, 401, wrong)
  assert.equal((await proxied('127.0.0.1', {})).status, 401)
})

test("the operator's server certificate is presented, and renewed without a restart", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'server-certificate-'))
  const [certFile, keyFile] = [join(folder, 'server.pem'), join(folder, 'server.key')]
  const write = async ({ pem, keyPem }: MadeCertificate) => {
    await writeFile(certFile, pem)
    await writeFile(keyFile, keyPem)
  }
  const [first, renewed] = [
    await makeCertificate({ subject: 'localhost' }),
    await makeCertificate({ subject: 'localhost' }),
  ]
  await write(first)
  const shows = await startTestService({
    databases: service.databases,
    variables: { MTLS_CERT_FILE: certFile, MTLS_KEY_FILE: keyFile },
  })
  try {
    const base = shows.hosts.mtlsBaseUrl
    assert.equal((await sendAs({ ...demo, ca: first.pem }, base, '/v1/me')).status, 200)
    assert.equal(shows.manifest.partners.certificate.certificate!.caFile, certFile)
    await write(renewed)
    // Any change of the truststore makes the listener reload; otherwise it would reload within a minute.
    await letIn({ subject: 'makes it look' })
    await trusted({ ...demo, ca: renewed.pem }, base)
    assert.equal((await sendAs({ ...demo, ca: renewed.pem }, base, '/v1/me')).status, 200)
  } finally {
    await shows.close()
    await rm(folder, { recursive: true, force: true })
  }
})
