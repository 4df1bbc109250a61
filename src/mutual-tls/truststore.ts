import { createHash, X509Certificate } from 'node:crypto'
import type { TrustedCertificates } from '../partners/certificates.ts'
import { chainLengthMax } from '../partners/partner-certificate.ts'

/**
 * The certificates a client's may be or end in. It decides which connections get as far as HTTP, and no more: who a
 * certificate stands for is decided on every request (`auth/client-certificate/`).
 *
 * OpenSSL's own truststore would not do. It announces the names of all it trusts to anybody who connects, which are
 * partners' names here; past 64 KB of them no handshake succeeds; and of two self-signed certificates with one subject,
 * as a partner has while it replaces one, it finds only the one that ends last.
 */
export type Truststore = {
  /** what it was made of */
  readonly trusted: TrustedCertificates
  /**
   * Whether a certificate is registered itself or chains to a trusted root by at most four certificates, all of them
   * valid now (MTLS-04, MTLS-07, MTLS-08).
   * @param above the certificates presented with it
   */
  admits: (certificate: X509Certificate, above: readonly X509Certificate[], now: Date) => boolean
}

export function truststore(trusted: TrustedCertificates): Truststore {
  const authorities = trusted.above.map((pem) => new X509Certificate(pem))
  const bySubject = Map.groupBy(authorities, ({ subject }) => subject)
  const fingerprints = new Set([...trusted.registered, ...authorities.map(sha256)])

  return {
    trusted,
    admits: (certificate, above, now) => {
      const presented = above.slice(0, chainLengthMax - 1)

      function endsInRoot(link: X509Certificate, length: number): boolean {
        if (!isValid(link, now)) return false
        if (link.issuer === link.subject) return fingerprints.has(sha256(link))
        if (length === chainLengthMax) return false
        return [...(bySubject.get(link.issuer) ?? []), ...presented].some(
          (issuer) => isIssuedBy(link, issuer) && endsInRoot(issuer, length + 1),
        )
      }
      return (isValid(certificate, now) && fingerprints.has(sha256(certificate))) || endsInRoot(certificate, 1)
    },
  }
}

function sha256({ raw }: X509Certificate): string {
  return createHash('sha256').update(raw).digest('hex')
}

function isValid({ validFromDate, validToDate }: X509Certificate, now: Date): boolean {
  return validFromDate <= now && now < validToDate
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
  } catch {
    // A key or signature of a kind that is not known at all.
    return false
  }
}
