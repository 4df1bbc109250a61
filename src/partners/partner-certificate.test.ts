import assert from 'node:assert/strict'
import { createHash, X509Certificate } from 'node:crypto'
import { before, test } from 'node:test'
import {
  makeCertificate,
  makeChain,
  nameOf,
  pemOf,
  type CertificateWish,
  type MadeCertificate,
} from '../../test/world/certificates.ts'
import { derObjectIdentifier } from '../vocabulary/der.ts'
import { readPartnerCertificate } from './partner-certificate.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const notBefore = new Date('2026-01-01T00:00:00.000Z')
const notAfter = new Date('2027-01-01T00:00:00.000Z')
const make = (wish: CertificateWish) => makeCertificate({ notBefore, notAfter, ...wish })
let selfSigned: MadeCertificate
let chain: MadeCertificate[]

const read = (...texts: (string | MadeCertificate)[]) =>
  readPartnerCertificate(texts.map((text) => (typeof text === 'string' ? text : text.pem)).join(''), now)

function faultOf(...texts: Parameters<typeof read>): string | undefined {
  const result = read(...texts)
  return 'fault' in result ? result.fault : undefined
}

/** The certificate with these bytes replaced wherever they occur, which breaks its signature. */
function patched({ der }: MadeCertificate, those: Buffer, these: Buffer): string {
  assert.equal(those.length, these.length)
  const bytes = Buffer.from(der)
  let found = 0
  for (let at = bytes.indexOf(those); at !== -1; at = bytes.indexOf(those, at + 1), found++) these.copy(bytes, at)
  assert.ok(found > 0)
  return pemOf('CERTIFICATE', bytes)
}

before(async () => {
  selfSigned = await make({ subject: 'shop.example', serial: '00c0ffee' })
  chain = await makeChain(4, { subject: 'chained.example', notBefore, notAfter })
})

test('STF-07 MTLS-11 a self-signed certificate is read: subject, serial, hash and dates', async () => {
  const organization = { O: [{ utf8String: 'Acme, Söhne\nCN=other' }] }
  const subject = nameOf([{ C: ['DE'] }, organization, { CN: ['shop.example'] }])
  const { pem, der } = await make({ subject, serial: '00c0ffee' })
  const result = read(`Subject: as some tools write it above\n${pem}`)
  assert.ok(!('fault' in result))
  const { subject: subjectDer, serial, ...certificate } = result
  assert.equal(serial.toString('hex'), '020400c0ffee')
  assert.equal(subjectDer[0], 0x30)
  assert.ok(der.includes(subjectDer))
  assert.deepEqual(certificate, {
    sha256: createHash('sha256').update(der).digest(),
    subjectDn: 'CN=shop.example,O=Acme\\, Söhne\\0ACN=other,C=DE',
    serialNumber: 'C0FFEE',
    pem: new X509Certificate(pem).toString(),
    chain: [],
    notBefore,
    notAfter,
  })
})

test('MTLS-13 a text with a private key anywhere in it is refused for that reason', async () => {
  const legacy = selfSigned.keyPem.replaceAll('PRIVATE KEY', 'RSA PRIVATE KEY')
  const encrypted = selfSigned.keyPem.replaceAll('PRIVATE KEY', 'ENCRYPTED PRIVATE KEY')
  for (const key of [selfSigned.keyPem, legacy, encrypted]) {
    assert.deepEqual(read(selfSigned, key), { fault: 'private_key_given' })
    assert.deepEqual(read(key, selfSigned), { fault: 'private_key_given' })
    assert.deepEqual(read(key), { fault: 'private_key_given' })
  }
})

test('STF-07 a text that is not only PEM certificates is refused', () => {
  const request = selfSigned.pem.replaceAll('CERTIFICATE', 'CERTIFICATE REQUEST')
  const wrong = [
    '',
    'a certificate, promised',
    selfSigned.der.toString('latin1'),
    request,
    selfSigned.pem + request,
    selfSigned.pem.slice(0, -60),
    selfSigned.pem.replace('MII', 'MIJ'),
    pemOf('CERTIFICATE', selfSigned.der.subarray(0, -1)),
    pemOf('CERTIFICATE', Buffer.from('3003020101', 'hex')),
    `${selfSigned.pem}${' '.repeat(70_000)}`,
  ]
  for (const text of wrong) assert.deepEqual(read(text), { fault: 'not_a_certificate' }, text.slice(0, 80))
})

test('MTLS-05 a serial number has one encoding: leading zeros make a certificate unreadable', () => {
  const padded = Buffer.from('020400c0ffee', 'hex')
  assert.deepEqual(read(patched(selfSigned, padded, Buffer.from('02040000ffee', 'hex'))), {
    fault: 'not_a_certificate',
  })
})

test('MTLS-12 a certificate that has expired at registration is refused, one that expires a moment later is not', async () => {
  const ended = await make({ subject: 'ended.example', notAfter: now })
  assert.deepEqual(read(ended), { fault: 'certificate_expired', position: 1 })
  const ending = await make({ subject: 'ending.example', notAfter: new Date(now.getTime() + 1000) })
  assert.equal(faultOf(ending), undefined)
  const [holder, ...above] = await makeChain(2, { subject: 'holder.example', notBefore, notAfter })
  const endedRoot = await makeCertificate({ subject: 'ended root', authority: true, notBefore, notAfter: now })
  const under = await make({ subject: 'holder.example', issuer: endedRoot })
  assert.equal(faultOf(holder!, ...above), undefined)
  assert.deepEqual(read(under, endedRoot), { fault: 'certificate_expired', position: 2 })
})

test('MTLS-10 RSA keys from 2048 bits and ECDSA keys on P-256 and P-384 are accepted, all others refused', async () => {
  for (const kind of ['P-256', 'P-384', 'RSA-2048'] as const)
    assert.equal(faultOf(await make({ subject: 'good.example', kind })), undefined, kind)
  for (const kind of ['RSA-1024', 'P-521', 'Ed25519'] as const)
    assert.deepEqual(
      read(await make({ subject: 'bad.example', kind })),
      { fault: 'key_not_allowed', position: 1 },
      kind,
    )
  const weakRoot = await make({ subject: 'weak root', kind: 'RSA-1024', authority: true })
  const under = await make({ subject: 'holder.example', issuer: weakRoot })
  assert.deepEqual(read(under, weakRoot), { fault: 'key_not_allowed', position: 2 })
})

test('MTLS-09 signatures with SHA-256 or stronger are accepted, SHA-1 and MD5 refused, also inside RSASSA-PSS', async () => {
  for (const kind of ['RSA-2048', 'RSA-2048 SHA-512', 'RSA-PSS', 'P-384'] as const)
    assert.equal(faultOf(await make({ subject: 'good.example', kind })), undefined, kind)
  const refused = { fault: 'signature_not_allowed', position: 1 }
  for (const kind of ['RSA-2048 SHA-1', 'RSA-PSS SHA-1'] as const)
    assert.deepEqual(read(await make({ subject: 'bad.example', kind })), refused, kind)
  const rsa = await make({ subject: 'bad.example', kind: 'RSA-2048' })
  const md5 = patched(rsa, derObjectIdentifier('1.2.840.113549.1.1.11'), derObjectIdentifier('1.2.840.113549.1.1.4'))
  assert.deepEqual(read(md5), refused)
})

test('MTLS-07 MTLS-08 a certificate comes with its whole chain, at most four long, each issued by the next', async () => {
  const result = read(...chain)
  assert.ok(!('fault' in result))
  assert.deepEqual(
    result.chain,
    chain.slice(1).map(({ pem }) => new X509Certificate(pem).toString()),
  )
  const [holder, issuer, above, root] = chain as [MadeCertificate, MadeCertificate, MadeCertificate, MadeCertificate]
  assert.deepEqual(read(holder), { fault: 'chain_incomplete' })
  assert.deepEqual(read(holder, issuer, above), { fault: 'chain_incomplete' })
  assert.deepEqual(read(holder, above, root), { fault: 'chain_broken', position: 1 })
  assert.deepEqual(read(holder, issuer, root), { fault: 'chain_broken', position: 2 })
  assert.deepEqual(read(holder, above, issuer, root), { fault: 'chain_broken', position: 1 })
  assert.deepEqual(read(selfSigned, root), { fault: 'chain_broken', position: 1 })
  assert.deepEqual(read(...(await makeChain(5, { subject: 'far.example', notBefore, notAfter }))), {
    fault: 'chain_too_long',
  })
})

test('MTLS-07 an issuer must have signed the certificate and be allowed to issue: its name alone is not enough', async () => {
  const root = chain.at(-1)!
  const impostor = await make({ subject: 'holder.example', issuerName: String(root.name) })
  assert.deepEqual(read(impostor, root), { fault: 'chain_broken', position: 1 })
  const under = await make({ subject: 'holder.example', issuer: selfSigned })
  assert.deepEqual(read(under, selfSigned), { fault: 'chain_broken', position: 1 })
  const [body, signature] = [selfSigned.der.subarray(0, -8), Buffer.alloc(8, 1)]
  assert.deepEqual(read(pemOf('CERTIFICATE', Buffer.concat([body, signature]))), { fault: 'chain_incomplete' })
})

test('a certificate without extended key usage is accepted; one for servers only is refused, as it could never connect', async () => {
  const client = await make({ subject: 'client.example', extendedKeyUsage: ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'] })
  const server = await make({ subject: 'server.example', extendedKeyUsage: ['1.3.6.1.5.5.7.3.1'] })
  assert.equal(faultOf(client), undefined)
  assert.equal(faultOf(selfSigned), undefined)
  assert.deepEqual(read(server), { fault: 'not_for_clients' })
})

test('a subject that is too long or missing is refused', async () => {
  const names = Array.from({ length: 30 }, (_, index) => ({ OU: [`${index}`.padStart(50, 'unit ')] }))
  for (const subject of [names, []]) {
    assert.deepEqual(read(await make({ subject: nameOf(subject) })), { fault: 'identity_not_usable' })
  }
})
