import assert from 'node:assert/strict'
import { createHash, randomUUID, X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import {
  commonName,
  makeCertificate,
  makeChain,
  type CertificateWish,
  type MadeCertificate,
} from '../../test/world/certificates.ts'
import { done } from '../../test/world/done.ts'
import { openFreshDatabase, testDatabase } from '../../test/world/database.ts'
import { bearerPartner, mutualTlsPartner, staffChange } from '../../test/world/partner-builder.ts'
import { sql } from '../database/sql.ts'
import {
  listCertificates,
  registerCertificate,
  revokeCertificate,
  trustedCertificates,
  truststoreChannel,
} from './certificates.ts'
import { setPartnerEnabled } from './partners.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const notBefore = new Date('2026-01-01T00:00:00.000Z')
const notAfter = new Date('2027-01-01T00:00:00.000Z')
const change = staffChange(now)

const { database } = await testDatabase()

const make = (wish: Partial<CertificateWish> = {}) =>
  makeCertificate({ subject: 'shop.example', notBefore, notAfter, ...wish })
const sha256 = ({ der }: MadeCertificate): string => createHash('sha256').update(der).digest('hex')
const normal = ({ pem }: MadeCertificate): string => new X509Certificate(pem).toString()

function register(partnerId: string, pem: string, at = now) {
  return database.change((tx) => registerCertificate(tx, { ...change, now: at }, partnerId, pem))
}

function revoke(partnerId: string, certificateId: string) {
  return database.change((tx) => revokeCertificate(tx, change, partnerId, certificateId))
}

async function auditOf(partnerId: string): Promise<{ action: string; detail: Record<string, unknown> }[]> {
  return database.reads.rows(sql`
    select action, detail from audit_record
    where subject_kind = 'partner' and subject_id = ${partnerId} and action like 'certificate.%' order by audit_id`)
}

test('STF-07 a certificate is recorded and listed with its subject DN, serial and expiry', async () => {
  const { partnerId } = await mutualTlsPartner(database, now)
  const made = await make({ serial: '0badcafe' })
  const registered = await done(register(partnerId, made.pem))
  const { certificateId } = registered
  const facts = { subjectDn: 'CN=shop.example', serialNumber: '0BADCAFE' }
  assert.deepEqual(registered, { certificateId, ...facts, expiresOn: notAfter })
  assert.deepEqual(await listCertificates(database.reads, partnerId), [
    {
      certificateId,
      ...facts,
      sha256: sha256(made),
      pem: normal(made),
      registeredOn: now.toISOString(),
      startsOn: notBefore.toISOString(),
      expiresOn: notAfter.toISOString(),
    },
  ])
  assert.deepEqual(await auditOf(partnerId), [
    {
      action: 'certificate.registered',
      detail: { certificateId, ...facts, sha256: sha256(made), expiresOn: notAfter.toISOString() },
    },
  ])
})

test('STF-07 a refused registration changes nothing', async () => {
  const { partnerId } = await mutualTlsPartner(database, now)
  const { pem, keyPem } = await make()
  assert.deepEqual(await register(partnerId, pem + keyPem), {
    refused: 'certificate_not_usable',
    fault: 'private_key_given',
  })
  assert.deepEqual(await register(partnerId, 'nothing'), {
    refused: 'certificate_not_usable',
    fault: 'not_a_certificate',
  })
  assert.deepEqual(await register(partnerId, pem, notAfter), {
    refused: 'certificate_not_usable',
    fault: 'certificate_expired',
    position: 1,
  })
  assert.deepEqual(await register(randomUUID(), pem), { refused: 'partner_not_found' })
  assert.deepEqual(await listCertificates(database.reads, partnerId), [])
  assert.deepEqual(await auditOf(partnerId), [])
})

test('AUTH-01 a bearer partner cannot have a certificate', async () => {
  const { partnerId } = await bearerPartner(database, now)
  assert.deepEqual(await register(partnerId, (await make()).pem), { refused: 'not_an_mtls_partner' })
})

test('MTLS-17 a partner has at most two live certificates, each revoked on its own', async () => {
  const { partnerId } = await mutualTlsPartner(database, now)
  const [old, replacement, third] = [await make(), await make({ notAfter: new Date('2028-01-01') }), await make()]
  const first = await done(register(partnerId, old.pem))
  await done(register(partnerId, replacement.pem))
  assert.deepEqual(await register(partnerId, third.pem), { refused: 'two_certificates_live' })
  assert.deepEqual(
    (await listCertificates(database.reads, partnerId)).map(({ pem }) => pem),
    [normal(replacement), normal(old)],
  )
  assert.deepEqual(await revoke(partnerId, first.certificateId), { done: {} })
  assert.deepEqual(
    (await listCertificates(database.reads, partnerId)).map(({ pem }) => pem),
    [normal(replacement)],
  )
  await done(register(partnerId, third.pem))
})

test('MTLS-17 of many concurrent registrations only two succeed', async () => {
  const { partnerId } = await mutualTlsPartner(database, now)
  const made = await Promise.all(Array.from({ length: 6 }, () => make()))
  const outcomes = await Promise.all(made.map(async ({ pem }) => register(partnerId, pem)))
  assert.equal(outcomes.filter((outcome) => 'done' in outcome).length, 2)
  assert.equal((await listCertificates(database.reads, partnerId)).length, 2)
})

test('an expired certificate does not block its replacement', async () => {
  const { partnerId } = await mutualTlsPartner(database, now)
  for (let turn = 0; turn < 2; turn++) await register(partnerId, (await make()).pem)
  const replacement = await make({ notAfter: new Date('2028-01-01') })
  assert.deepEqual(await register(partnerId, replacement.pem), { refused: 'two_certificates_live' })
  await done(register(partnerId, replacement.pem, notAfter))
  assert.equal((await listCertificates(database.reads, partnerId)).length, 3)
})

test('STF-08 a certificate is revoked once, only as its own partner’s, with an audit record, and may be registered again', async () => {
  const [own, other] = [await mutualTlsPartner(database, now), await mutualTlsPartner(database, now)]
  const { pem } = await make({ serial: '0badcafe', subject: 'again.example' })
  const { certificateId } = await done(register(own.partnerId, pem))
  assert.deepEqual(await revoke(other.partnerId, certificateId), { refused: 'certificate_not_found' })
  assert.deepEqual(await revoke(own.partnerId, certificateId), { done: {} })
  assert.deepEqual(await revoke(own.partnerId, certificateId), { refused: 'certificate_not_found' })
  assert.deepEqual((await auditOf(own.partnerId)).at(-1), {
    action: 'certificate.revoked',
    detail: { certificateId, subjectDn: 'CN=again.example', serialNumber: '0BADCAFE' },
  })
  await done(register(own.partnerId, pem))
})

test('MTLS-05 subject and serial, compared as bytes, identify one live certificate', async () => {
  const [own, other] = [await mutualTlsPartner(database, now), await mutualTlsPartner(database, now)]
  const first = await make({ subject: commonName('utf8String', 'twin.example'), serial: '77' })
  await done(register(own.partnerId, first.pem))
  for (const { partnerId } of [own, other]) {
    assert.deepEqual(await register(partnerId, first.pem), { refused: 'certificate_taken' })
    const twin = await make({ subject: commonName('utf8String', 'twin.example'), serial: '77' })
    assert.deepEqual(await register(partnerId, twin.pem), { refused: 'certificate_taken' })
  }
  const otherSpelling = await make({ subject: commonName('printableString', 'twin.example'), serial: '77' })
  await done(register(other.partnerId, otherSpelling.pem))
})

test('MTLS-14 the truststore contains every live certificate of enabled partners and its whole chain', async () => {
  const fresh = await openFreshDatabase()
  try {
    const assertTrusted = async (registered: MadeCertificate[], above: MadeCertificate[], at = now) =>
      assert.deepEqual(await trustedCertificates(fresh.database.reads, at), {
        registered: registered.map(sha256).toSorted(),
        above: above.map(normal).toSorted(),
      })
    const staff = fresh.database.change
    await assertTrusted([], [])
    const selfSigned = await make()
    const [holder, ...above] = (await makeChain(3, { subject: 'chained.example', notBefore, notAfter })) as [
      MadeCertificate,
      ...MadeCertificate[],
    ]
    const sibling = await make({ subject: 'sibling.example', issuer: above[0]! })
    const text = (...made: MadeCertificate[]) => made.map(({ pem }) => pem).join('')
    const one = await mutualTlsPartner(fresh.database, now, { pem: selfSigned.pem })
    const two = await mutualTlsPartner(fresh.database, now, { pem: text(holder, ...above) })
    const three = await mutualTlsPartner(fresh.database, now, { pem: text(sibling, ...above) })
    await assertTrusted([selfSigned, holder, sibling], above)

    await staff((tx) => setPartnerEnabled(tx, change, one.partnerId, false))
    await assertTrusted([holder, sibling], above)
    await staff((tx) => revokeCertificate(tx, change, two.partnerId, two.certificateId))
    await assertTrusted([sibling], above)
    await staff((tx) => setPartnerEnabled(tx, change, one.partnerId, true))
    await assertTrusted([selfSigned, sibling], above)
    await staff((tx) => setPartnerEnabled(tx, change, three.partnerId, false))
    await assertTrusted([selfSigned], [])
    await assertTrusted([], [], notAfter)
  } finally {
    await fresh.close()
  }
})

test('MTLS-14 every change of the truststore notifies its listeners', async () => {
  let told = Promise.withResolvers<void>()
  const stop = await database.listen(truststoreChannel, () => told.resolve())
  await told.promise
  const toldOf = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    told = Promise.withResolvers()
    const result = await work()
    await told.promise
    return result
  }
  const { pem } = await make()
  const { partnerId, certificateId } = await toldOf(() => mutualTlsPartner(database, now, { pem }))
  await toldOf(() => database.change((tx) => setPartnerEnabled(tx, change, partnerId, false)))
  await toldOf(() => database.change((tx) => setPartnerEnabled(tx, change, partnerId, true)))
  await toldOf(() => revoke(partnerId, certificateId))
  await stop()
})
