import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { makeCertificate } from '../../test/world/certificates.ts'
import { readSettings } from '../settings.ts'
import { SettingRefused } from '../vocabulary/setting-refused.ts'
import { fileServerCertificate, selfMadeServerCertificate } from './server-certificate.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const masterKeys = [Buffer.alloc(32, 'server-certificate-tests')] as const
let folder: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'server-certificate-'))
})
after(() => rm(folder, { recursive: true, force: true }))

const refused = (sentence: RegExp) => (error: unknown) =>
  error instanceof SettingRefused && sentence.test(error.message)

test('the generated certificate is for this machine, and clients find its authority in the data folder', async () => {
  const source = await selfMadeServerCertificate({ masterKeys, dataDir: folder, now })
  const { cert } = await source.read()
  const [server, authority] = [new X509Certificate(cert), new X509Certificate(await readFile(source.caFile))]
  assert.ok(server.checkIssued(authority) && server.verify(authority.publicKey))
  assert.equal(server.checkHost('localhost'), 'localhost')
  for (const address of ['127.0.0.1', '::1']) assert.equal(server.checkIP(address), address)
  assert.ok(server.validFromDate < now)
  assert.deepEqual(await readdir(join(folder, 'tls')), ['ca.pem'])
  assert.equal((await stat(source.caFile)).mode & 0o777, 0o644)
})

test('the authority stays the same after every restart, and is another one with another key', async () => {
  const first = await selfMadeServerCertificate({ masterKeys, dataDir: folder, now })
  const handedOut = new X509Certificate(await readFile(first.caFile))
  const later = new Date(now.getTime() + 300 * 86_400_000)
  const again = await selfMadeServerCertificate({ masterKeys, dataDir: folder, now: later })
  const server = new X509Certificate((await again.read()).cert)
  assert.ok(server.checkIssued(handedOut) && server.verify(handedOut.publicKey))
  const other = await selfMadeServerCertificate({ masterKeys: [Buffer.alloc(32, 'other')], dataDir: folder, now })
  assert.ok(!new X509Certificate((await other.read()).cert).verify(handedOut.publicKey))
})

test("the operator's files are read again each time, and refused at start when they cannot be used", async () => {
  const [certFile, keyFile] = [join(folder, 'server.pem'), join(folder, 'server.key')]
  const [one, other] = [
    await makeCertificate({ subject: 'localhost' }),
    await makeCertificate({ subject: 'localhost' }),
  ]
  const missing = { certFile: join(folder, 'nowhere.pem'), keyFile }
  await assert.rejects(fileServerCertificate(missing), refused(/^MTLS_CERT_FILE .*nowhere\.pem .* cannot be used/))
  await writeFile(certFile, one.pem)
  await writeFile(keyFile, other.keyPem)
  await assert.rejects(fileServerCertificate({ certFile, keyFile }), refused(/MTLS_KEY_FILE .* cannot be used/))
  for (const [cert, key] of [
    [one.pem, ''],
    ['', one.keyPem],
    ['', ''],
  ] as const) {
    await writeFile(certFile, cert)
    await writeFile(keyFile, key)
    await assert.rejects(fileServerCertificate({ certFile, keyFile }), refused(/MTLS_KEY_FILE .* cannot be used/))
  }
  await writeFile(certFile, one.pem)
  await writeFile(keyFile, one.keyPem)
  const source = await fileServerCertificate({ certFile, keyFile })
  assert.deepEqual(await source.read(), { cert: one.pem, key: one.keyPem })
  await writeFile(certFile, other.pem)
  await writeFile(keyFile, other.keyPem)
  assert.deepEqual(await source.read(), { cert: other.pem, key: other.keyPem })
})

test('the settings of mutual TLS say who terminates it, and a wrong value names its variable', () => {
  const set = (variables: Record<string, string>) => readSettings(variables).mutualTls
  assert.deepEqual(set({}), { by: 'self-made' })
  assert.deepEqual(set({ MTLS_CERT_FILE: '/a.pem', MTLS_KEY_FILE: '/a.key' }), {
    by: 'files',
    certFile: '/a.pem',
    keyFile: '/a.key',
  })
  assert.deepEqual(set({ MTLS_PROXY_ADDRESSES: '10.0.0.1, 10.1.0.0/16' }), {
    by: 'proxy',
    addresses: ['10.0.0.1', '10.1.0.0/16'],
    header: 'x-client-cert',
  })
  const wrong: [Record<string, string>, RegExp][] = [
    [{ MTLS_CERT_FILE: '/a.pem' }, /^MTLS_KEY_FILE must be set too/],
    [{ MTLS_KEY_FILE: '/a.key' }, /^MTLS_CERT_FILE must be set too/],
    [{ MTLS_PROXY_ADDRESSES: 'proxy.example' }, /^MTLS_PROXY_ADDRESSES must list/],
    [{ MTLS_PROXY_ADDRESSES: '10.0.0.1', MTLS_PROXY_HEADER: 'a b' }, /^MTLS_PROXY_HEADER must be/],
    [{ MTLS_PROXY_ADDRESSES: '10.0.0.1', MTLS_CERT_FILE: '/a.pem' }, /^MTLS_PROXY_ADDRESSES leaves TLS/],
    [{ TRUSTED_PROXIES: 'proxy.example' }, /^TRUSTED_PROXIES must list/],
  ]
  for (const [variables, sentence] of wrong) assert.throws(() => set(variables), refused(sentence))
})
