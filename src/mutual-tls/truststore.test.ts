import assert from 'node:assert/strict'
import { createHash, X509Certificate } from 'node:crypto'
import { before, test } from 'node:test'
import {
  makeCertificate,
  makeChain,
  type CertificateWish,
  type MadeCertificate,
} from '../../test/world/certificates.ts'
import { truststore } from './truststore.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const notBefore = new Date('2026-01-01T00:00:00.000Z')
const notAfter = new Date('2027-01-01T00:00:00.000Z')
const make = (wish: CertificateWish) => makeCertificate({ notBefore, notAfter, ...wish })
const read = ({ pem }: MadeCertificate): X509Certificate => new X509Certificate(pem)

const sha256 = (pem: string): string => createHash('sha256').update(new X509Certificate(pem).raw).digest('hex')

/** Whether the first certificate is admitted when these are registered and these authorities trusted. */
function admits(
  [own, ...above]: MadeCertificate[],
  trusted: { registered?: MadeCertificate[]; above?: MadeCertificate[] },
  at = now,
): boolean {
  const store = truststore({
    registered: (trusted.registered ?? []).map(({ pem }) => sha256(pem)),
    above: (trusted.above ?? []).map(({ pem }) => pem),
  })
  return store.admits(read(own!), above.map(read), at)
}

let root: MadeCertificate
let middle: MadeCertificate
let leaf: MadeCertificate

before(async () => {
  const dates = { notBefore, notAfter }
  root = await make({ subject: 'root', authority: true })
  middle = await makeCertificate({ subject: 'middle', authority: true, issuer: root, ...dates })
  leaf = await makeCertificate({ subject: 'leaf', issuer: middle, ...dates })
})

test('an empty store admits nothing', () => {
  assert.equal(admits([leaf, middle, root], {}), false)
  assert.equal(admits([root], {}), false)
})

test('MTLS-11 a self-signed certificate is admitted when it is registered itself', async () => {
  const [own, namesake] = [await make({ subject: 'own' }), await make({ subject: 'own' })]
  assert.equal(admits([own], { registered: [own] }), true)
  assert.equal(admits([namesake], { registered: [own] }), false)
})

test('MTLS-17 certificates of one subject do not interfere, whichever expires last', async () => {
  const old = await make({ subject: 'rotating' })
  const replacement = await make({ subject: 'rotating', notAfter: new Date('2028-01-01T00:00:00.000Z') })
  const registered = [old, replacement]
  for (const own of registered) {
    assert.equal(admits([own], { registered }), true)
    assert.equal(admits([own], { registered: registered.toReversed() }), true)
  }
})

test('MTLS-04 MTLS-07 a certificate is admitted when it chains to a trusted root, by certificates sent or trusted', () => {
  assert.equal(admits([leaf, middle], { above: [root] }), true)
  assert.equal(admits([leaf, root, middle], { above: [root] }), true)
  assert.equal(admits([leaf], { above: [root, middle] }), true)
  assert.equal(admits([leaf], { above: [root] }), false)
  assert.equal(admits([leaf, middle, root], { above: [middle] }), false)
  assert.equal(admits([leaf, middle, root], { registered: [middle] }), false)
  assert.equal(admits([leaf], { registered: [leaf] }), true)
  assert.equal(admits([leaf, middle, root], { registered: [root] }), true)
})

test('a root is not trusted because it was sent, nor an issuer because of its name', async () => {
  const impostorRoot = await make({ subject: 'root', authority: true })
  const impostor = await make({ subject: 'leaf', issuer: impostorRoot })
  assert.equal(admits([impostor, impostorRoot], { above: [root] }), false)
  assert.equal(admits([impostor, root], { above: [root] }), false)
  assert.equal(admits([await make({ subject: 'leaf', issuerName: 'CN=root' })], { above: [root] }), false)
})

test('a certificate that may not issue others does not make others trusted', async () => {
  const plain = await make({ subject: 'plain' })
  const under = await make({ subject: 'under', issuer: plain })
  assert.equal(admits([under, plain], { registered: [plain] }), false)
})

test('MTLS-08 a chain of four is admitted and one of five is not, wherever its certificates come from', async () => {
  for (const [length, expected] of [
    [4, true],
    [5, false],
  ] as const) {
    const [own, ...above] = await makeChain(length, { subject: 'own' })
    const today = new Date()
    assert.equal(admits([own!, ...above], { above: above.slice(-1) }, today), expected)
    assert.equal(admits([own!], { above }, today), expected)
  }
})

test('a certificate outside its validity is not admitted and admits no other', async () => {
  const past = { notBefore, notAfter: now }
  const ended = await make({ subject: 'ended', ...past })
  const endedRoot = await make({ subject: 'ended root', authority: true, ...past })
  const underEnded = await make({ subject: 'under', issuer: endedRoot })
  assert.equal(admits([ended], { registered: [ended] }), false)
  assert.equal(admits([underEnded, endedRoot], { above: [endedRoot] }), false)
  const at = (date: Date, difference: number): boolean =>
    admits([leaf, middle], { above: [root] }, new Date(date.getTime() + difference))
  assert.deepEqual([at(notBefore, -1), at(notBefore, 0), at(notAfter, -1), at(notAfter, 0)], [false, true, true, false])
})
