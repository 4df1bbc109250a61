import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import {
  commonName,
  makeCertificate,
  type CertificateWish,
  type MadeCertificate,
} from '../../../test/world/certificates.ts'
import { testDatabase } from '../../../test/world/database.ts'
import { insertSites, mutualTlsPartner, silent, staffChange } from '../../../test/world/partner-builder.ts'
import { openDatabase } from '../../database/database.ts'
import { sql, type Sql } from '../../database/sql.ts'
import { certificateIdentity } from '../../partners/certificate-identity.ts'
import { revokeCertificate } from '../../partners/certificates.ts'
import { setCapabilities, setGrantedSites, setPartnerEnabled } from '../../partners/partners.ts'
import { Outage } from '../../vocabulary/outage.ts'
import type { RefusalCause } from '../effective-scopes.ts'
import { certificateAuthenticator } from './authenticate.ts'
import { certificateLookup } from './certificate-lookup.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const notBefore = new Date('2026-01-01T00:00:00.000Z')
const notAfter = new Date('2027-01-01T00:00:00.000Z')
const change = staffChange(now)

const { database } = await testDatabase()
await insertSites(database, [101, 102], now)

const make = (wish: CertificateWish) => makeCertificate({ notBefore, notAfter, ...wish })

/** The authenticator; each request is the certificate that it presents. */
function authenticator(reads = database.reads) {
  const authenticate = certificateAuthenticator({
    environment: 'PRODUCTION',
    presented: (request) => {
      const { der } = request as unknown as MadeCertificate
      return { ...certificateIdentity(der), sha256: createHash('sha256').update(der).digest() }
    },
    find: certificateLookup(reads),
  })
  return (made: MadeCertificate, at = now, refused?: (cause: RefusalCause) => void) =>
    authenticate(made as unknown as IncomingMessage, at, refused)
}

/** The cause for which the certificate is refused, as logged; undefined when it is accepted. */
async function causeOf(made: MadeCertificate, at = now): Promise<RefusalCause | undefined> {
  let cause: RefusalCause | undefined
  const caller = await authenticator()(made, at, (heard) => (cause = heard))
  assert.equal(caller === undefined, cause !== undefined)
  return cause
}

test('MTLS-05 SCOPE-16 AUTH-03 a certificate resolves to its partner, with its capabilities as effective scopes', async () => {
  const made = await make({ subject: 'shop.example', serial: '0badcafe' })
  const { partnerId } = await mutualTlsPartner(database, now, {
    siteIds: [102, 101],
    capabilities: ['orders:read', 'sites:read'],
    pem: made.pem,
  })
  assert.deepEqual(await authenticator()(made), {
    partnerId,
    partnerName: 'Mutual-TLS partner',
    environment: 'PRODUCTION',
    authMethod: 'MTLS',
    tier: 'TRIAL',
    siteIds: [101, 102],
    scopes: new Set(['orders:read', 'sites:read']),
    clientId: null,
    tokenExpiresOn: null,
    certificate: {
      subjectDn: 'CN=shop.example',
      serialNumber: '0BADCAFE',
      sha256: createHash('sha256').update(made.der).digest('hex'),
      expiresOn: notAfter,
    },
    user: null,
  })
})

test('MTLS-05 MTLS-06 subject and serial number must both match one registered certificate', async () => {
  const made = await make({ subject: 'both.example', serial: '11' })
  await mutualTlsPartner(database, now, { siteIds: [101], pem: made.pem })
  assert.equal(await causeOf(made), undefined)
  assert.equal(await causeOf(await make({ subject: 'both.example', serial: '12' })), 'credential_unknown')
  assert.equal(await causeOf(await make({ subject: 'neither.example', serial: '11' })), 'credential_unknown')
})

test('MTLS-05 a forgery with the subject and serial of a registered certificate is refused, whoever signed it', async () => {
  const made = await make({ subject: 'victim.example', serial: '21' })
  const forger = await make({ subject: 'forger.example', authority: true })
  await mutualTlsPartner(database, now, { siteIds: [101], pem: made.pem })
  await mutualTlsPartner(database, now, { siteIds: [101], pem: forger.pem })
  assert.equal(
    await causeOf(await make({ subject: 'victim.example', serial: '21', issuer: forger })),
    'certificate_forged',
  )
  assert.equal(await causeOf(await make({ subject: 'victim.example', serial: '21' })), 'certificate_forged')
  assert.equal(await causeOf(made), undefined)
})

test('MTLS-05 one name in two string types is two names, which may belong to two partners', async () => {
  const [one, other] = [
    await make({ subject: commonName('utf8String', 'twin.example'), serial: '31' }),
    await make({ subject: commonName('printableString', 'twin.example'), serial: '31' }),
  ]
  const first = await mutualTlsPartner(database, now, { siteIds: [101], pem: one.pem })
  assert.equal(await causeOf(other), 'credential_unknown')
  const second = await mutualTlsPartner(database, now, { siteIds: [101], pem: other.pem })
  assert.equal((await authenticator()(one))!.partnerId, first.partnerId)
  assert.equal((await authenticator()(other))!.partnerId, second.partnerId)
})

test('a certificate is accepted from its first instant to its last and no longer', async () => {
  const made = await make({ subject: 'dated.example' })
  await mutualTlsPartner(database, now, { siteIds: [101], pem: made.pem })
  assert.equal(await causeOf(made, new Date(notBefore.getTime() - 1)), 'certificate_not_valid_now')
  assert.equal(await causeOf(made, notBefore), undefined)
  assert.equal(await causeOf(made, new Date(notAfter.getTime() - 1)), undefined)
  assert.equal(await causeOf(made, notAfter), 'certificate_not_valid_now')
})

test('AUTH-27 AUTH-28 AUTH-29 STF-08 status, sites, capabilities and revocation take effect on the very next request', async () => {
  const made = await make({ subject: 'status.example' })
  const { partnerId, certificateId } = await mutualTlsPartner(database, now, { siteIds: [101, 102], pem: made.pem })
  await database.change((tx) => setGrantedSites(tx, change, partnerId, [102]))
  assert.deepEqual((await authenticator()(made))!.siteIds, [102])
  await database.change((tx) => setPartnerEnabled(tx, change, partnerId, false))
  assert.equal(await causeOf(made), 'partner_disabled')
  await database.change((tx) => setPartnerEnabled(tx, change, partnerId, true))
  await database.change((tx) => setGrantedSites(tx, change, partnerId, []))
  assert.equal(await causeOf(made), 'no_granted_sites')
  await database.change((tx) => setGrantedSites(tx, change, partnerId, [101]))
  await database.change((tx) => setCapabilities(tx, change, partnerId, []))
  assert.equal(await causeOf(made), 'no_effective_scopes')
  await database.change((tx) => setCapabilities(tx, change, partnerId, ['sites:read']))
  assert.equal(await causeOf(made), undefined)
  await database.change((tx) => revokeCertificate(tx, change, partnerId, certificateId))
  assert.equal(await causeOf(made), 'credential_unknown')
})

test('AUTH-01 a certificate of a partner onboarded to bearer tokens is refused', async () => {
  const made = await make({ subject: 'moved.example' })
  const { partnerId } = await mutualTlsPartner(database, now, { siteIds: [101], pem: made.pem })
  await database.statements.rows(sql`update partner set machine_method = 'BEARER' where partner_id = ${partnerId}`)
  assert.equal(await causeOf(made), 'wrong_method')
})

test('requests arriving in one turn share one statement, each with its own answer', async () => {
  const made = await Promise.all(['one', 'other', 'unknown'].map((subject) => make({ subject: `${subject}.together` })))
  const [one, other] = await Promise.all(
    made.slice(0, 2).map(({ pem }) => mutualTlsPartner(database, now, { siteIds: [101], pem })),
  )
  const sent: Sql[] = []
  const authenticate = authenticator({
    ...database.reads,
    rows: (query) => {
      sent.push(query)
      return database.reads.rows(query)
    },
  })
  const found = await Promise.all(Array.from({ length: 60 }, (_, turn) => authenticate(made[turn % 3]!)))
  assert.equal(sent.length, 1)
  assert.deepEqual(
    found.slice(0, 3).map((caller) => caller?.partnerId),
    [one!.partnerId, other!.partnerId, undefined],
  )
  await authenticate(made[0]!)
  assert.equal(sent.length, 2)
})

test('ERR-72 an unreachable database is an outage, never a refusal', async () => {
  const unreachable = openDatabase('postgres://nobody@127.0.0.1:9/none', { log: silent })
  await assert.rejects(authenticator(unreachable.reads)(await make({ subject: 'shop.example' })), Outage)
  await unreachable.close()
})
