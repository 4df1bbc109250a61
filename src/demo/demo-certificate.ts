import { X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { issueCertificate } from '../mutual-tls/issue-certificate.ts'
import { listCertificates, registerCertificate } from '../partners/certificates.ts'
import { lockPartner } from '../partners/partners.ts'
import { derivedKeyPair } from '../vocabulary/derived-key-pair.ts'
import { writeWholeFile } from '../outside/whole-file.ts'
import { partnerIdOf } from './cast/partners.ts'
import { demoKeySecret } from './credentials.ts'

/**
 * The certificate of the demo data's mutual-TLS partner. Its key follows from the demo's key; the certificate itself
 * is made and registered once and then taken from the database, so that every instance writes the same two files.
 * Revoked by staff, it stays revoked.
 */

export type CertificateFiles = { certFile: string; keyFile: string }

const daysValid = 1_825
const dayMilliseconds = 86_400_000

/** The files in the data folder; undefined if the partner no longer has a certificate for its key. */
export async function demoCertificate(
  database: Database,
  parts: { demoKey: Buffer; dataDir: string; now: Date },
): Promise<CertificateFiles | undefined> {
  const { demoKey, dataDir, now } = parts
  const partnerId = partnerIdOf('certificate')
  const keys = derivedKeyPair(demoKeySecret(demoKey, 'PRODUCTION', 'certificate'))
  await database.transaction(async (tx) => {
    await lockPartner(tx, partnerId)
    const earlier = await tx.row(
      sql`select certificate_id from partner_certificate where partner_id = ${partnerId} limit 1`,
    )
    if (earlier) return
    const name = 'ironclad-print-procurement'
    const pem = issueCertificate({
      name,
      publicKey: keys.publicKey,
      issuer: { name, ...keys },
      use: 'client',
      notBefore: new Date(now.getTime() - dayMilliseconds),
      notAfter: new Date(now.getTime() + daysValid * dayMilliseconds),
    })
    const change = { actor: { kind: 'SYSTEM', id: 'demo' }, now, requestId: null } as const
    const registered = await registerCertificate(tx, change, partnerId, pem)
    if ('refused' in registered) throw new Error(`the demo certificate was not registered: ${registered.refused}`)
  })
  const certificates = await listCertificates(database.statements, partnerId)
  const own = certificates.find(({ pem }) => new X509Certificate(pem).checkPrivateKey(keys.privateKey))
  if (!own || new Date(own.expiresOn) <= now) return undefined
  const files = { certFile: join(dataDir, 'demo-certificate.pem'), keyFile: join(dataDir, 'demo-certificate.key') }
  await writeWholeFile(files.certFile, own.pem, 0o644)
  await writeWholeFile(files.keyFile, keys.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, 0o600)
  return files
}
