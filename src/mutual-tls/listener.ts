import { constants } from 'node:crypto'
import { createServer, type Server } from 'node:https'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { FastifyServerFactory } from 'fastify'

/**
 * The TLS listener that asks every client for a certificate. It owns the handshake: versions, cipher suites, the server's
 * certificate, and which certificates a client's may end in. A client without one, or with one that ends in none of them,
 * does not get as far as HTTP (MTLS-03, MTLS-04). Who a certificate stands for is decided elsewhere
 * (`auth/client-certificate/`).
 */

/** PEM: the server's certificate, those above it as far as clients need them, and its private key. */
export type ServerCertificate = { cert: string; key: string }

/** All that can change while the listener serves. */
export type TlsMaterial = { server: ServerCertificate; trusted: readonly string[] }

export type MutualTlsListener = {
  /** for Fastify, which asks for one server per address it listens on */
  serverFactory: FastifyServerFactory
  /**
   * The next handshakes go by this; open connections go on.
   * @throws Error when the server's certificate or key cannot be used
   */
  use: (material: TlsMaterial) => void
}

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

export function mutualTlsListener(first: TlsMaterial): MutualTlsListener {
  let material = first
  const servers: Server[] = []

  return {
    serverFactory: (handler, options) => {
      // The limits the host was made with; Fastify hands them over untyped.
      const { keepAliveTimeout, requestTimeout } = options as { keepAliveTimeout: number; requestTimeout: number }
      const server = trusting(material.trusted, () =>
        createServer(
          {
            ...contextOptions(material.server),
            requestCert: true,
            rejectUnauthorized: true,
            handshakeTimeout: handshakeMilliseconds,
            keepAliveTimeout,
            requestTimeout,
          },
          handler,
        ),
      )
      servers.push(server)
      return server
    },
    use: (next) => {
      trusting(next.trusted, () => {
        for (const server of servers) server.setSecureContext(contextOptions(next.server))
      })
      material = next
    },
  }
}

function contextOptions({ cert, key }: ServerCertificate) {
  return {
    cert,
    key,
    minVersion: 'TLSv1.2',
    maxVersion: 'TLSv1.3',
    ciphers: cipherSuites,
    honorCipherOrder: true,
    ALPNProtocols: ['http/1.1'],
    // With renegotiation a connection could change its certificate while requests are under way.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  } as const
}

/**
 * Runs `make`, whose TLS contexts then trust these certificates and no others; none means none. The certificates are not
 * given as the option `ca`, because OpenSSL would then announce their names in every handshake: partners' names, to
 * anybody who connects, and past 64 KB of them (some hundred partners) no handshake succeeds. A context made without
 * that option takes the process's default authorities, so these stand in for them until it is made, within one turn.
 */
function trusting<Made>(trusted: readonly string[], make: () => Made): Made {
  const usual = getCACertificates('default')
  setDefaultCACertificates(trusted)
  try {
    return make()
  } finally {
    setDefaultCACertificates(usual)
  }
}
