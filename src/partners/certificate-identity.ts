import { derTag, DerUnreadable, readDer, type DerElement } from '../vocabulary/der.ts'

/** What identifies a certificate, as the bytes of its DER: two encodings of one name are two names. */
export type CertificateIdentity = { subject: Buffer; serial: Buffer }

const versionTag = 0xa0

/**
 * Subject and serial number of a certificate (RFC 5280 §4.1), each as its whole DER element (MTLS-05).
 * @throws DerUnreadable
 */
export function certificateIdentity(certificate: Buffer): CertificateIdentity {
  const [toBeSigned] = certificateParts(certificate)
  const fields = inside(toBeSigned, derTag.sequence)
  const [serial, , , , subject] = fields[0]?.tag === versionTag ? fields.slice(1) : fields
  inside(subject, derTag.sequence)
  if (serial?.tag !== derTag.integer) throw new DerUnreadable('not a certificate')
  return { subject: subject!.whole, serial: serial.whole }
}

/**
 * The algorithm a certificate was signed with, as the DER of its object identifier and its parameters, if any.
 * @throws DerUnreadable
 */
export function signatureAlgorithm(certificate: Buffer): DerElement[] {
  return inside(certificateParts(certificate)[1], derTag.sequence)
}

function certificateParts(certificate: Buffer): DerElement[] {
  const [whole, ...more] = readDer(certificate)
  if (more.length > 0) throw new DerUnreadable('more than one certificate')
  return inside(whole, derTag.sequence)
}

/** The elements inside an element with this tag. */
export function inside(element: DerElement | undefined, tag: number): DerElement[] {
  if (element?.tag !== tag) throw new DerUnreadable('not what a certificate holds in this place')
  return readDer(element.content)
}
