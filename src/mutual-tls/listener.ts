import { constants, type X509Certificate } from 'node:crypto'
import type { ServerOptions } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { TlsOptions, TLSSocket } from 'node:tls'
import { chainLengthMax } from '../partners/partner-certificate.ts'

/**
 * The TLS listener that asks every client for a certificate. It owns the handshake: versions, cipher suites, the server's
 * certificate, the proof that the client holds its certificate's key, and that a client with no certificate, or with one
 * that is not admitted, does not get as far as HTTP (MTLS-03). Which certificates are admitted it is told.
 */

/** PEM: the server's certificate, those above it as far as clients need them, and its private key. */
export type ServerCertificate = { cert: string; key: string }

export type MutualTlsListener = {
  /** Makes the one server. @param options of HTTP, as the host wants them */
  serverFactory: (options: ServerOptions) => Server
  /**
   * The next handshakes show this; open connections go on.
   * @throws Error when it cannot be used
   */
  show: (certificate: ServerCertificate) => void
}

/** @param above the certificates presented with it, as far as a resumed session remembers them */
export type Admission = (certificate: X509Certificate, above: readonly X509Certificate[]) => boolean

const handshakeMilliseconds = 10_000

/** TLS 1.3, and of TLS 1.2 what has forward secrecy and authenticated encryption. */
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

/** The strength of P-256 and above; the first also holds against those who keep what they hear for later machines. */
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
        // Judged below instead; the handshake still fails for a client that does not hold its certificate's key.
        rejectUnauthorized: false,
        handshakeTimeout: handshakeMilliseconds,
      })
      // Before HTTP's own listener, and in the same turn: nothing of the connection is read as HTTP.
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

/** Whatever it sent after its own, whether or not one issued the other; more than a chain may be long is not looked at. */
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
    // Without it OpenSSL would judge by the authorities of the web, whose judgement nobody asks for here.
    ca: [],
    minVersion: 'TLSv1.2',
    maxVersion: 'TLSv1.3',
    ciphers: cipherSuites,
    ecdhCurve: keyExchangeGroups,
    honorCipherOrder: true,
    ALPNProtocols: ['http/1.1'],
    // With renegotiation a connection could change its certificate while requests are under way.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  }
}
