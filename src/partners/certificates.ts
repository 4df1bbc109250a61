import { randomUUID } from 'node:crypto'
import type { Queries, Transaction } from '../database/database.ts'
import { nothing, sql, sqlText, type SqlPart } from '../database/sql.ts'
import type { Change } from '../vocabulary/change.ts'
import type { Done, Refused } from '../vocabulary/outcome.ts'
import { readPartnerCertificate, type CertificateFault } from './partner-certificate.ts'
import { audit, lockPartner } from './partners.ts'

/**
 * The certificates by which partners authenticate on the mutual-TLS host: registered, listed and revoked by staff.
 * Every verb writes the audit record of its change. `auth/client-certificate/` resolves a presented certificate,
 * `mutual-tls/` has the listener that asks for one. Nobody is warned before a certificate expires (MTLS-18): staff see
 * the date in the list.
 */

/** Two, so that a partner can replace one: both are live for a while, then the old one is revoked (MTLS-17). */
const certificatesMax = 2

/**
 * Registers a certificate that a partner sent, as PEM, followed by the certificates above it (STF-07). Once the
 * truststores are updated, its holder authenticates as that partner.
 */
export async function registerCertificate(
  tx: Transaction,
  change: Change,
  partnerId: string,
  pem: string,
): Promise<
  | Done<{ certificateId: string; subjectDn: string; serialNumber: string; expiresOn: Date }>
  | (Refused<'certificate_not_usable'> & CertificateFault)
  /** `certificate_taken`: its subject and serial number already identify this or another partner */
  | Refused<
      'partner_not_found' | 'partner_merged' | 'not_an_mtls_partner' | 'two_certificates_live' | 'certificate_taken'
    >
> {
  const certificate = readPartnerCertificate(pem, change.now)
  if ('fault' in certificate) return { refused: 'certificate_not_usable', ...certificate }
  // The partner's row stays locked until the commit, so that two concurrent registrations cannot both count one live
  // certificate.
  const partner = await lockPartner(tx, partnerId)
  if (!partner) return { refused: 'partner_not_found' }
  if (partner.mergedInto !== null) return { refused: 'partner_merged' }
  if (partner.machineMethod !== 'MTLS') return { refused: 'not_an_mtls_partner' }
  // index partner_certificate_by_partner
  const live = await tx.rows(sql`
    select certificate_id from partner_certificate
    where partner_id = ${partnerId} and revoked_on is null and not_after > ${change.now}`)
  if (live.length >= certificatesMax) return { refused: 'two_certificates_live' }

  const certificateId = randomUUID()
  const inserted = await tx.row(sql`
    insert into partner_certificate (certificate_id, partner_id, subject, serial, sha256, subject_dn, serial_number,
      pem, chain, not_before, not_after, registered_on)
    values (${certificateId}, ${partnerId}, ${certificate.subject}, ${certificate.serial}, ${certificate.sha256},
      ${certificate.subjectDn}, ${certificate.serialNumber}, ${certificate.pem}, ${certificate.chain},
      ${certificate.notBefore}, ${certificate.notAfter}, ${change.now})
    on conflict (subject, serial) where revoked_on is null do nothing
    returning certificate_id`)
  if (!inserted) return { refused: 'certificate_taken' }
  const { subjectDn, serialNumber, notAfter: expiresOn } = certificate
  await audit(tx, change, partnerId, 'certificate.registered', {
    certificateId,
    subjectDn,
    serialNumber,
    sha256: certificate.sha256.toString('hex'),
    expiresOn,
  })
  return { done: { certificateId, subjectDn, serialNumber, expiresOn } }
}

/** Revokes one certificate (STF-08, MTLS-17): its holder gets 401 from the next request on. */
export async function revokeCertificate(
  tx: Transaction,
  change: Change,
  partnerId: string,
  certificateId: string,
): Promise<Done | Refused<'certificate_not_found'>> {
  const revoked = await tx.row<{ subjectDn: string; serialNumber: string }>(sql`
    update partner_certificate set revoked_on = ${change.now}
    where certificate_id = ${certificateId} and partner_id = ${partnerId} and revoked_on is null
    returning subject_dn, serial_number`)
  if (!revoked) return { refused: 'certificate_not_found' }
  await audit(tx, change, partnerId, 'certificate.revoked', { certificateId, ...revoked })
  return { done: {} }
}

export type RegisteredCertificate = {
  certificateId: string
  subjectDn: string
  serialNumber: string
  /** hexadecimal */
  sha256: string
  pem: string
  registeredOn: string
  startsOn: string
  /** in the past for one that has expired and was not revoked */
  expiresOn: string
}

/** The unrevoked certificates of a partner, the one that expires last first. */
export function listCertificates(reads: Queries, partnerId: string): Promise<RegisteredCertificate[]> {
  // index partner_certificate_by_partner
  return reads.rows(sql`
    select ${certificateColumns}
    from partner_certificate
    where partner_id = ${partnerId} and revoked_on is null
    order by not_after desc, certificate_id`)
}

const endingDays = 30

/**
 * Whether a `certificate` of an enabled `partner` has ended or ends within 30 days, and no other of the partner's takes its
 * place.
 */
function isEnding(now: Date): SqlPart {
  const soon = new Date(now.getTime() + endingDays * 86_400_000)
  return sqlText`partner.disabled_on is null and certificate.not_after < ${soon}::timestamptz and not exists (
    select from partner_certificate newer
    where newer.partner_id = certificate.partner_id and newer.revoked_on is null
      and newer.not_before <= ${now}::timestamptz and newer.not_after >= ${soon}::timestamptz
  )`
}

/** How many are about to end, and when the first of them does. @param now real time */
export async function countEndingCertificates(
  reads: Queries,
  now: Date,
): Promise<{ count: number; oldest: string | null }> {
  const row = await reads.row<{ count: number; oldest: string | null }>(sql`
    select count(*) as count, min(certificate.not_after) as oldest
    from partner_certificate certificate join partner using (partner_id)
    where certificate.revoked_on is null and ${isEnding(now)}`)
  return row!
}

export type CertificateOfPartner = RegisteredCertificate & { partnerId: string; partnerName: string }

/** Where a page of all certificates begins: the `expiresOn` and `certificateId` of the one before. */
export type CertificateKey = { expiresOn: string; certificateId: string }

/** At most `limit` unrevoked certificates of all partners, the one that expires first first. @param now real time */
export function listAllCertificates(
  reads: Queries,
  { ending, after, limit }: { ending?: boolean | undefined; after: CertificateKey | undefined; limit: number },
  now: Date,
): Promise<CertificateOfPartner[]> {
  // Partners have at most two that are live, so all are looked at.
  return reads.rows(sql`
    select ${certificateColumns}, partner_id, partner.name as partner_name
    from partner_certificate certificate join partner using (partner_id)
    where certificate.revoked_on is null
      ${ending === undefined ? nothing : ending ? sqlText`and ${isEnding(now)}` : sqlText`and not (${isEnding(now)})`}
      ${after ? sqlText`and (not_after, certificate_id) > (${after.expiresOn}::timestamptz, ${after.certificateId}::uuid)` : nothing}
    order by not_after, certificate_id
    limit ${limit}`)
}

const certificateColumns = sqlText`certificate_id, subject_dn, serial_number, encode(sha256, 'hex') as sha256, pem,
  registered_on, not_before as starts_on, not_after as expires_on`

/** Notified by the database when the answer of `trustedCertificates` may have changed. */
export const truststoreChannel = 'truststore'

/** The client certificates that are accepted and the certificates above them, each sorted and without duplicates. */
export type TrustedCertificates = {
  /** SHA-256 of every live certificate of enabled partners, hexadecimal */
  registered: string[]
  /** PEM of all certificates above them */
  above: string[]
}

/**
 * The whole truststore: all live certificates of enabled partners (MTLS-14).
 * @throws Outage when the primary database cannot answer
 */
export async function trustedCertificates(reads: Queries, now: Date): Promise<TrustedCertificates> {
  const trusted = await reads.row<TrustedCertificates>(sql`
    with live as (
      select sha256, chain
      from partner_certificate join partner using (partner_id)
      where revoked_on is null and not_after > ${now} and disabled_on is null and machine_method = 'MTLS'
    )
    select array(select encode(sha256, 'hex') as registered from live order by registered) as registered,
      array(select distinct pem collate "C" as pem from live, unnest(chain) as above(pem) order by pem) as above`)
  return trusted!
}
