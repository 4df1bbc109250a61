import { createHash, X509Certificate } from 'node:crypto'
import type { TrustedCertificates } from '../partners/certificates.ts'
import { chainLengthMax } from '../partners/partner-certificate.ts'

/**
 * The certificates that a client's certificate may be, or chain to. It decides only which connections get as far as
 * HTTP. Each request decides which partner a certificate stands for (`auth/client-certificate/`).
 *
 * OpenSSL's own truststore does not fit. It sends the names of everything it trusts, here partners' names, to anyone
 * who connects. Above 64 KB of names no handshake succeeds. And of two self-signed certificates with one subject, as a
 * partner has while it replaces one, it finds only the one that expires last.
 */
export type Truststore = {
  /** the certificates it was made from */
  readonly trusted: TrustedCertificates
  /**
   * Whether a certificate is registered itself or chains to a trusted root by at most four certificates, all of them
   * valid now (MTLS-04, MTLS-07, MTLS-08).
   * @param above the certificates sent with it
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
    // Unknown kinds of keys or signatures end here.
    return false
  }
}
