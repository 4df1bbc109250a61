import { randomUUID } from 'node:crypto'
import type { Queries, Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { Change } from '../vocabulary/change.ts'
import { readPartnerCertificate, type CertificateRefused } from './partner-certificate.ts'
import { audit, heldPartner, type PartnerMissing } from './partners.ts'

/**
 * The certificates partners prove themselves with on the mutual-TLS host: registered, listed and revoked by staff, each
 * change with its audit record in the caller's transaction. It does not own how a certificate is presented or resolved
 * (`auth/client-certificate/`), nor the listener that asks for one (`mutual-tls/`). Nobody is warned before a
 * certificate ends (MTLS-18): staff see it in the list.
 */

/** Two, so that a partner can replace one: both live for a while, then the old one is revoked (MTLS-17). */
const certificatesMax = 2

export type CertificateRegistered = {
  outcome: 'registered'
  certificateId: string
  subjectDn: string
  serialNumber: string
  expiresOn: Date
}

/**
 * Registers a certificate a partner sent, as PEM and followed by the certificates above it (STF-07). From the moment the
 * truststores have followed, its holder is that partner.
 */
export async function registerCertificate(
  tx: Transaction,
  change: Change,
  partnerId: string,
  pem: string,
): Promise<
  | CertificateRegistered
  | CertificateRefused
  | PartnerMissing
  | { outcome: 'not_an_mtls_partner' }
  | { outcome: 'two_certificates_live' }
  /** its subject and serial number already stand for a partner, this one or another */
  | { outcome: 'certificate_taken' }
> {
  const read = readPartnerCertificate(pem, change.now)
  if (read.outcome !== 'read') return read
  const { certificate } = read
  // The partner's row stays held until the commit, so that two registrations at once cannot both count one live certificate.
  const partner = await heldPartner(tx, partnerId)
  if (!partner) return { outcome: 'partner_not_found' }
  if (partner.machineMethod !== 'MTLS') return { outcome: 'not_an_mtls_partner' }
  // index partner_certificate_by_partner
  const live = await tx.rows(sql`
    select certificate_id from partner_certificate
    where partner_id = ${partnerId} and revoked_on is null and not_after > ${change.now}`)
  if (live.length >= certificatesMax) return { outcome: 'two_certificates_live' }

  const certificateId = randomUUID()
  const inserted = await tx.row(sql`
    insert into partner_certificate (certificate_id, partner_id, subject, serial, sha256, subject_dn, serial_number,
      pem, chain, not_before, not_after, registered_on)
    values (${certificateId}, ${partnerId}, ${certificate.subject}, ${certificate.serial}, ${certificate.sha256},
      ${certificate.subjectDn}, ${certificate.serialNumber}, ${certificate.pem}, ${certificate.chain},
      ${certificate.notBefore}, ${certificate.notAfter}, ${change.now})
    on conflict (subject, serial) where revoked_on is null do nothing
    returning certificate_id`)
  if (!inserted) return { outcome: 'certificate_taken' }
  const { subjectDn, serialNumber, notAfter: expiresOn } = certificate
  await audit(tx, change, partnerId, 'certificate.registered', {
    certificateId,
    subjectDn,
    serialNumber,
    sha256: certificate.sha256.toString('hex'),
    expiresOn,
  })
  return { outcome: 'registered', certificateId, subjectDn, serialNumber, expiresOn }
}

/** Revokes one certificate on its own (STF-08, MTLS-17): its holder gets 401 with the next request. */
export async function revokeCertificate(
  tx: Transaction,
  change: Change,
  partnerId: string,
  certificateId: string,
): Promise<{ outcome: 'revoked' } | { outcome: 'certificate_not_found' }> {
  const revoked = await tx.row<{ subjectDn: string; serialNumber: string }>(sql`
    update partner_certificate set revoked_on = ${change.now}
    where certificate_id = ${certificateId} and partner_id = ${partnerId} and revoked_on is null
    returning subject_dn, serial_number`)
  if (!revoked) return { outcome: 'certificate_not_found' }
  await audit(tx, change, partnerId, 'certificate.revoked', {
    certificateId,
    subjectDn: revoked.subjectDn,
    serialNumber: revoked.serialNumber,
  })
  return { outcome: 'revoked' }
}

export type RegisteredCertificate = {
  certificateId: string
  subjectDn: string
  serialNumber: string
  /** hexadecimal */
  sha256: string
  pem: string
  registeredOn: Date
  startsOn: Date
  /** in the past for one that has expired and was not revoked */
  expiresOn: Date
}

/** The certificates of a partner that were not revoked, the one ending last first. */
export async function listCertificates(reads: Queries, partnerId: string): Promise<RegisteredCertificate[]> {
  // index partner_certificate_by_partner
  const rows = await reads.rows<{
    certificateId: string
    subjectDn: string
    serialNumber: string
    sha256: Buffer
    pem: string
    registeredOn: string
    notBefore: string
    notAfter: string
  }>(sql`
    select certificate_id, subject_dn, serial_number, sha256, pem, registered_on, not_before, not_after
    from partner_certificate
    where partner_id = ${partnerId} and revoked_on is null
    order by not_after desc, certificate_id`)
  return rows.map((row) => ({
    certificateId: row.certificateId,
    subjectDn: row.subjectDn,
    serialNumber: row.serialNumber,
    sha256: row.sha256.toString('hex'),
    pem: row.pem,
    registeredOn: new Date(row.registeredOn),
    startsOn: new Date(row.notBefore),
    expiresOn: new Date(row.notAfter),
  }))
}

/** The channel on which the database tells that what `trustedCertificates` answers may have changed. */
export const truststoreChannel = 'truststore'

/** What a client's certificate may be or end in, each sorted and once. */
export type TrustedCertificates = {
  /** SHA-256 of every live certificate of enabled partners, hexadecimal */
  registered: string[]
  /** PEM of all certificates above them */
  above: string[]
}

/**
 * The whole truststore, from the full set of live certificates of enabled partners (MTLS-14).
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
