import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { CertificateIdentity } from '../../partners/certificate-identity.ts'
import { askedTogether } from '../asked-together.ts'
import { partnerColumns, partnerRecord, type PartnerRecord } from '../partner-record.ts'

/** A registered certificate and its partner. */
export type CertificateRecord = {
  partner: PartnerRecord
  /** of the whole certificate */
  sha256: Buffer
  subjectDn: string
  serialNumber: string
  startsOn: Date
  expiresOn: Date
}

/**
 * Finds the certificate registered under this subject and serial number, unless it was revoked (MTLS-05). It reads the
 * primary database on every request; nothing is cached.
 * @throws Outage when the primary database cannot answer
 */
export type CertificateLookup = (identity: CertificateIdentity) => Promise<CertificateRecord | undefined>

type Row = PartnerRecord & {
  subject: Buffer
  serial: Buffer
  sha256: Buffer
  subjectDn: string
  serialNumber: string
  notBefore: string
  notAfter: string
}

export function certificateLookup(reads: Queries): CertificateLookup {
  const find = askedTogether(async (keys) => {
    const asked = keys.map((key) => key.split(':').map((hex) => Buffer.from(hex, 'hex')))
    // index partner_certificate_identity, primary key of partner; the limit makes the planner use the index however
    // small the table is
    const rows = await reads.rows<Row>(sql`
      select asked.subject, asked.serial, certificate.sha256, certificate.subject_dn, certificate.serial_number,
        certificate.not_before, certificate.not_after, ${partnerColumns}
      from unnest(${asked.map(([subject]) => subject)}::bytea[], ${asked.map(([, serial]) => serial)}::bytea[])
          as asked(subject, serial)
        cross join lateral (
          select partner_id, sha256, subject_dn, serial_number, not_before, not_after
          from partner_certificate
          where subject = asked.subject and serial = asked.serial and revoked_on is null
          limit 1
        ) as certificate
        join partner using (partner_id)`)
    return new Map(rows.map((row) => [keyOf(row), certificateRecord(row)]))
  })
  return (identity) => find(keyOf(identity))
}

function keyOf({ subject, serial }: CertificateIdentity): string {
  return `${subject.toString('hex')}:${serial.toString('hex')}`
}

function certificateRecord(row: Row): CertificateRecord {
  return {
    partner: partnerRecord(row),
    sha256: row.sha256,
    subjectDn: row.subjectDn,
    serialNumber: row.serialNumber,
    startsOn: new Date(row.notBefore),
    expiresOn: new Date(row.notAfter),
  }
}
