import { constants, type X509Certificate } from 'node:crypto'
import { createServer, type Server, type ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { createSecureContext, TLSSocket, type SecureContext } from 'node:tls'
import { chainLengthMax } from '../partners/partner-certificate.ts'

/**
 * The TLS listener that asks every client for a certificate. It owns the handshake: versions, cipher suites, the
 * server's certificate, and the proof that the client has the key of its certificate. A client without a certificate
 * fails the handshake with an alert; one with a certificate that is not admitted does not get as far as HTTP (MTLS-03).
 * Which certificates are admitted is decided elsewhere and passed in.
 *
 * Node's own HTTPS server sends the alert only if it rejects what OpenSSL's truststore does not have. So the connections
 * of a plain HTTP server are secured here.
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
  let secureContext = contextOf(first)

  return {
    serverFactory: (options) => {
      const server = createServer(options)
      const serveHttp = server.listeners('connection') as ((socket: Socket) => void)[]
      server.removeAllListeners('connection')
      server.on('connection', (plain: Socket) => {
        const socket = secured(plain, secureContext)
        socket.once('secure', () => {
          if (!isAdmitted(socket)) return dismiss(socket)
          for (const serve of serveHttp) serve.call(server, socket)
        })
      })
      return server
    },
    show: (certificate) => {
      secureContext = contextOf(certificate)
    },
  }

  function isAdmitted(socket: TLSSocket): boolean {
    const certificate = socket.getPeerX509Certificate()
    return certificate !== undefined && admits(certificate, presentedAbove(certificate))
  }
}

/** A connection in its handshake, which OpenSSL ends with an alert if the client shows no certificate or not its key. */
function secured(plain: Socket, secureContext: SecureContext): TLSSocket {
  const socket = new TLSSocket(plain, {
    isServer: true,
    secureContext,
    requestCert: true,
    // Only whether there is one: Node leaves it to its caller whether it is trusted.
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
  })
  const patience = setTimeout(() => socket.destroy(), handshakeMilliseconds)
  const stopWaiting = (): void => clearTimeout(patience)
  // Whatever goes wrong in a handshake concerns the client alone, and it has the alert.
  socket
    .on('error', () => undefined)
    .once('secure', stopWaiting)
    .once('close', stopWaiting)
  return socket
}

/**
 * Ends a connection whose certificate nobody trusts. Node cannot send the alert for that, so it sends `close_notify` and
 * no byte of HTTP. What the client sent meanwhile is read and discarded, since closing on it would reset the connection
 * and lose the alert.
 */
function dismiss(socket: TLSSocket): void {
  const patience = setTimeout(() => socket.destroy(), handshakeMilliseconds)
  socket.once('close', () => clearTimeout(patience))
  socket.resume().end()
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

function contextOf({ cert, key }: ServerCertificate): SecureContext {
  return createSecureContext({
    cert,
    key,
    // Otherwise OpenSSL would verify against the public authorities, which do not matter here.
    ca: [],
    minVersion: 'TLSv1.2',
    maxVersion: 'TLSv1.3',
    ciphers: cipherSuites,
    ecdhCurve: keyExchangeGroups,
    // Clients resume sessions only where these are told apart.
    sessionIdContext: 'mutual TLS',
    // Renegotiation could change a connection's certificate while requests are under way.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION | constants.SSL_OP_CIPHER_SERVER_PREFERENCE,
  })
}
