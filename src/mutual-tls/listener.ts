import { constants, type X509Certificate } from 'node:crypto'
import type { ServerOptions } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { TlsOptions, TLSSocket } from 'node:tls'
import { chainLengthMax } from '../partners/partner-certificate.ts'

/**
 * The TLS listener that asks every client for a certificate. It owns the handshake: versions, cipher suites, the
 * server's certificate, and the proof that the client has the key of its certificate. A client without a certificate,
 * or with one that is not admitted, does not get as far as HTTP (MTLS-03). Which certificates are admitted is decided
 * elsewhere and passed in.
 */

/** PEM: the server's certificate, the certificates above it that clients need, and its private key. */
export type ServerCertificate = { cert: string; key: string }

export type MutualTlsListener = {
  /** Makes the server. @param options HTTP options of the host */
  serverFactory: (options: ServerOptions) => Server
  /**
   * Presents this certificate from the next handshake on; open connections continue.
   * @throws Error when it cannot be used
   */
  show: (certificate: ServerCertificate) => void
}

/** @param above the certificates sent with it, as far as a resumed session still has them */
export type Admission = (certificate: X509Certificate, above: readonly X509Certificate[]) => boolean

const handshakeMilliseconds = 10_000

/** TLS 1.3, and from TLS 1.2 the suites with forward secrecy and authenticated encryption. */
const cipherSuites = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
].join(':')

/** Groups at least as strong as P-256. The first also protects recorded traffic from future quantum computers. */
const keyExchangeGroups = ['X25519MLKEM768', 'X25519', 'P-256', 'P-384'].join(':')

export function mutualTlsListener(first: ServerCertificate, admits: Admission): MutualTlsListener {
  let shown = first
  let server: Server | undefined

  return {
    serverFactory: (options) => {
      server = createServer({
        ...options,
        ...contextOptions(shown),
        requestCert: true,
        // The check is below. The handshake still fails for a client that does not have the key of its certificate.
        rejectUnauthorized: false,
        handshakeTimeout: handshakeMilliseconds,
      })
      // Runs before HTTP's own listener, in the same turn, so that nothing of the connection is read as HTTP before the
      // check.
      server.prependListener('secureConnection', (socket) => {
        if (!isAdmitted(socket)) socket.destroy()
      })
      return server
    },
    show: (certificate) => {
      server?.setSecureContext(contextOptions(certificate))
      shown = certificate
    },
  }

  function isAdmitted(socket: TLSSocket): boolean {
    const certificate = socket.getPeerX509Certificate()
    return certificate !== undefined && admits(certificate, presentedAbove(certificate))
  }
}

/**
 * The certificates sent after the client's own, whether or not one issued the other. Those beyond the longest allowed
 * chain are ignored.
 */
function presentedAbove(certificate: X509Certificate): X509Certificate[] {
  const above: X509Certificate[] = []
  for (let next = certificate.issuerCertificate; next && above.length < chainLengthMax; next = next.issuerCertificate) {
    above.push(next)
  }
  return above
}

function contextOptions({ cert, key }: ServerCertificate): TlsOptions {
  return {
    cert,
    key,
    // Otherwise OpenSSL would verify against the public authorities, which do not matter here.
    ca: [],
    minVersion: 'TLSv1.2',
    maxVersion: 'TLSv1.3',
    ciphers: cipherSuites,
    ecdhCurve: keyExchangeGroups,
    honorCipherOrder: true,
    ALPNProtocols: ['http/1.1'],
    // Renegotiation could change a connection's certificate while requests are under way.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  }
}
