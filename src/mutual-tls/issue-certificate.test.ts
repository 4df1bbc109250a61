import assert from 'node:assert/strict'
import { randomBytes, sign, verify, X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { derivedKeyPair } from '../vocabulary/derived-key-pair.ts'
import { issueCertificate } from './issue-certificate.ts'

const notBefore = new Date('2026-03-01T12:00:00.000Z')
const notAfter = new Date('2056-03-01T12:00:00.000Z')
const authority = { name: 'An authority', ...derivedKeyPair(Buffer.alloc(32, 'authority')) }
const holder = derivedKeyPair(Buffer.alloc(32, 'holder'))

test('a key pair is derived from its secret, and differs for any other', () => {
  const again = derivedKeyPair(Buffer.alloc(32, 'holder'))
  assert.ok(again.privateKey.equals(holder.privateKey))
  assert.ok(!derivedKeyPair(Buffer.alloc(32, 'another')).privateKey.equals(holder.privateKey))
  for (let turn = 0; turn < 50; turn++) {
    const { privateKey, publicKey } = derivedKeyPair(randomBytes(32))
    const text = Buffer.from('text')
    assert.ok(verify('sha256', text, publicKey, sign('sha256', text, privateKey)))
  }
})

test('an authority issues a server certificate for its host names and addresses', () => {
  const root = new X509Certificate(
    issueCertificate({
      name: authority.name,
      publicKey: authority.publicKey,
      issuer: authority,
      use: 'authority',
      notBefore,
      notAfter,
    }),
  )
  const server = new X509Certificate(
    issueCertificate({
      name: 'A server',
      publicKey: holder.publicKey,
      issuer: authority,
      use: 'server',
      hosts: ['localhost', '127.0.0.1', '::1', '2001:db8::a:1'],
      notBefore,
      notAfter,
    }),
  )
  assert.ok(root.ca && root.checkIssued(root) && root.verify(authority.publicKey))
  assert.ok(!server.ca && server.checkIssued(root) && server.verify(root.publicKey))
  assert.equal(root.subject, 'CN=An authority')
  assert.equal(server.issuer, 'CN=An authority')
  assert.equal(server.checkHost('localhost'), 'localhost')
  for (const address of ['127.0.0.1', '::1', '2001:db8::a:1']) assert.equal(server.checkIP(address), address)
  assert.equal(server.checkIP('127.0.0.2'), undefined)
  assert.deepEqual(server.keyUsage, ['1.3.6.1.5.5.7.3.1'])
  assert.deepEqual([server.validFromDate, server.validToDate], [notBefore, notAfter])
  assert.notEqual(server.serialNumber, root.serialNumber)
})
