import { createHash, X509Certificate, type KeyObject } from 'node:crypto'
import { derObjectIdentifier, derTag, DerUnreadable } from '../vocabulary/der.ts'
import { certificateIdentity, inside, signatureAlgorithm } from './certificate-identity.ts'

/**
 * The requirements on a partner's certificate that can be checked from its text alone. `certificates.ts` checks whether
 * the partner may have one more, and whether the certificate is taken.
 */

export type PartnerCertificate = {
  /** DER of the whole elements */
  subject: Buffer
  serial: Buffer
  /** SHA-256 of the whole certificate's DER */
  sha256: Buffer
  /** as RFC 4514 writes it: `CN=…,O=…,C=…` */
  subjectDn: string
  /** hexadecimal */
  serialNumber: string
  pem: string
  /** PEM of the certificates above it, the issuer first, the root last; empty when it is self-signed */
  chain: string[]
  notBefore: Date
  notAfter: Date
}

/** Why a certificate is refused; `position` counts the certificates of the text from 1, which is the partner's own. */
export type CertificateFault =
  /** the partner's secret was sent: it must be thrown away and a new key pair made (MTLS-13) */
  | { fault: 'private_key_given' }
  /** no PEM certificate, a PEM block of another kind, or bytes that are not a certificate */
  | { fault: 'not_a_certificate' }
  /** MTLS-08 */
  | { fault: 'chain_too_long' }
  /** the next certificate did not issue this one, or may not issue any */
  | { fault: 'chain_broken'; position: number }
  /** the last certificate is not a root (MTLS-07) */
  | { fault: 'chain_incomplete' }
  /** MTLS-10 */
  | { fault: 'key_not_allowed'; position: number }
  /** MTLS-09 */
  | { fault: 'signature_not_allowed'; position: number }
  /** MTLS-12 */
  | { fault: 'certificate_expired'; position: number }
  /** its extended key usage excludes clients, so that every handshake would fail */
  | { fault: 'not_for_clients' }
  /** no subject, or an unreasonably long subject or serial number */
  | { fault: 'identity_not_usable' }

/** The partner's certificate and those above it, up to and including the root. */
export const chainLengthMax = 4

const textLengthMax = 65_536
const subjectBytesMax = 1_024
/** Tag, length and the twenty bytes that RFC 5280 §4.1.2.2 allows. */
const serialBytesMax = 22
const rsaBitsMin = 2_048
const curves = ['prime256v1', 'secp384r1']
const clientAuthentication = '1.3.6.1.5.5.7.3.2'
const anyExtendedKeyUsage = '2.5.29.37.0'

/** RSA and ECDSA with SHA-256, SHA-384, SHA-512 (RFC 4055, RFC 5758). */
const signatures = [
  '1.2.840.113549.1.1.11',
  '1.2.840.113549.1.1.12',
  '1.2.840.113549.1.1.13',
  '1.2.840.10045.4.3.2',
  '1.2.840.10045.4.3.3',
  '1.2.840.10045.4.3.4',
].map(derObjectIdentifier)
const rsaPss = derObjectIdentifier('1.2.840.113549.1.1.10')
const pssHashTag = 0xa0
const hashes = ['2.16.840.1.101.3.4.2.1', '2.16.840.1.101.3.4.2.2', '2.16.840.1.101.3.4.2.3'].map(derObjectIdentifier)

/**
 * Reads what a partner sent: its certificate in PEM, followed by the certificates above it, each issued by the next, up
 * to and including the root. A self-signed certificate comes alone (MTLS-11). Text around the PEM blocks is ignored.
 */
export function readPartnerCertificate(text: string, now: Date): PartnerCertificate | CertificateFault {
  if (/-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/.test(text)) return { fault: 'private_key_given' }
  const certificates = readPem(text)
  const own = certificates?.[0]
  if (!certificates || !own) return { fault: 'not_a_certificate' }
  if (certificates.length > chainLengthMax) return { fault: 'chain_too_long' }
  for (const [index, certificate] of certificates.entries()) {
    const position = index + 1
    const key = publicKeyOf(certificate)
    if (!key || !isAllowedKey(key)) return { fault: 'key_not_allowed', position }
    if (!isAllowedSignature(certificate.raw)) return { fault: 'signature_not_allowed', position }
    if (certificate.validToDate <= now) return { fault: 'certificate_expired', position }
  }
  for (const [index, certificate] of certificates.slice(0, -1).entries()) {
    const issuer = certificates[index + 1]!
    if (!issuer.ca || !isIssuedBy(certificate, issuer)) return { fault: 'chain_broken', position: index + 1 }
  }
  if (!isSelfSigned(certificates.at(-1)!)) return { fault: 'chain_incomplete' }
  if (!isForClients(own)) return { fault: 'not_for_clients' }

  const { subject, serial } = certificateIdentity(own.raw)
  // For an empty subject, Node answers undefined.
  const name = own.subject as string | undefined
  if (name === undefined || subject.length > subjectBytesMax || serial.length > serialBytesMax) {
    return { fault: 'identity_not_usable' }
  }
  return {
    subject,
    serial,
    sha256: createHash('sha256').update(own.raw).digest(),
    subjectDn: distinguishedName(name),
    serialNumber: own.serialNumber,
    pem: own.toString(),
    chain: certificates.slice(1).map(String),
    notBefore: own.validFromDate,
    notAfter: own.validToDate,
  }
}

/** undefined if the text is too long or contains a PEM block that is not a certificate */
function readPem(text: string): X509Certificate[] | undefined {
  if (text.length > textLengthMax) return undefined
  const labels = [...text.matchAll(/-----BEGIN ([^-]*)-----/g)].map(([, label]) => label)
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? []
  if (blocks.length !== labels.length) return undefined
  try {
    const certificates = blocks.map((block) => new X509Certificate(block))
    for (const { raw } of certificates) certificateIdentity(raw)
    return certificates
  } catch {
    return undefined
  }
}

/** undefined for an unknown kind of key */
function publicKeyOf(certificate: X509Certificate): KeyObject | undefined {
  try {
    return certificate.publicKey
  } catch {
    return undefined
  }
}

function isAllowedKey({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (asymmetricKeyType === 'ec') return curves.includes(asymmetricKeyDetails?.namedCurve ?? '')
  if (asymmetricKeyType !== 'rsa' && asymmetricKeyType !== 'rsa-pss') return false
  return (asymmetricKeyDetails?.modulusLength ?? 0) >= rsaBitsMin
}

function isAllowedSignature(certificate: Buffer): boolean {
  try {
    const [algorithm, parameters] = signatureAlgorithm(certificate)
    if (!algorithm) return false
    if (!algorithm.whole.equals(rsaPss)) return signatures.some((allowed) => allowed.equals(algorithm.whole))
    // RSASSA-PSS names its hash in the parameters; without them it is SHA-1 (RFC 4055 §3.1).
    const field = inside(parameters, derTag.sequence).find(({ tag }) => tag === pssHashTag)
    const [hash] = inside(inside(field, pssHashTag)[0], derTag.sequence)
    return hashes.some((allowed) => hash !== undefined && allowed.equals(hash.whole))
  } catch (error) {
    if (error instanceof DerUnreadable) return false
    throw error
  }
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
}

/** Unlike an issuer of others, a self-signed certificate need not be allowed to sign certificates. */
function isSelfSigned(certificate: X509Certificate): boolean {
  return certificate.issuer === certificate.subject && certificate.verify(certificate.publicKey)
}

/** Node's `keyUsage` is the extended key usage; without one, every use is allowed. */
function isForClients(certificate: X509Certificate): boolean {
  const usages = certificate.keyUsage as readonly string[] | undefined
  return usages === undefined || usages.includes(clientAuthentication) || usages.includes(anyExtendedKeyUsage)
}

/** Converts Node's form, one attribute a line with the most general first, to RFC 4514, most specific first. */
function distinguishedName(lines: string): string {
  return lines.split('\n').toReversed().join(',')
}
