import { createHash, X509Certificate } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'
import { certificateIdentity, type CertificateIdentity } from '../../partners/certificate-identity.ts'
import type { RefusalCause } from '../effective-scopes.ts'

/** The certificate a request came with, before it is looked up. */
export type PresentedCertificate = CertificateIdentity & { sha256: Buffer }

/** Reads the certificate of a request, or why there is none to look up. */
export type Presented = (request: IncomingMessage) => PresentedCertificate | RefusalCause

/**
 * The certificate of the request's TLS connection; the handshake has proved its private key. It is read once per
 * connection: renegotiation is off, so it cannot change.
 */
export function certificateOfConnection(): Presented {
  const known = new WeakMap<TLSSocket, PresentedCertificate | RefusalCause>()
  return ({ socket }) => {
    if (!(socket instanceof TLSSocket)) return 'no_credential'
    let presented = known.get(socket)
    if (presented === undefined) {
      presented = ofConnection(socket)
      known.set(socket, presented)
    }
    return presented
  }
}

function ofConnection(socket: TLSSocket): PresentedCertificate | RefusalCause {
  const certificate = socket.getPeerX509Certificate()
  return certificate ? read(certificate.raw) : 'no_credential'
}

const onePem = /^-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*$/

/**
 * The certificate a TLS-terminating proxy writes into a header, as PEM in URL encoding (nginx's
 * `$ssl_client_escaped_cert`). Only the proxy is believed: from any other peer the header is ignored as the caller's own
 * claim. A header that came twice, the caller's and the proxy's, is one text with both in it, and neither counts.
 */
export function certificateOfProxy(header: string, isProxy: (address: string | undefined) => boolean): Presented {
  return ({ socket, headers }) => {
    const text = headers[header]
    if (!isProxy(socket.remoteAddress) || typeof text !== 'string' || text === '') return 'no_credential'
    try {
      const pem = decodeURIComponent(text)
      return onePem.test(pem) ? read(new X509Certificate(pem).raw) : 'certificate_not_readable'
    } catch {
      return 'certificate_not_readable'
    }
  }
}

function read(raw: Buffer): PresentedCertificate | RefusalCause {
  try {
    return { ...certificateIdentity(raw), sha256: createHash('sha256').update(raw).digest() }
  } catch {
    return 'certificate_not_readable'
  }
}
