import { X509Certificate } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { startWorker } from '../database/worker.ts'
import { truststoreChannel, trustedCertificates } from '../partners/certificates.ts'
import type { Clock } from '../vocabulary/clock.ts'
import { mutualTlsListener, type MutualTlsListener, type ServerCertificate } from './listener.ts'
import { truststore } from './truststore.ts'

/**
 * Mutual TLS, kept current. The truststore is rebuilt from the database, where staff change it. The server's own
 * certificate is read again from the files that operators renew (MTLS-14). Both happen when the database notifies of a
 * change and every minute, since a notification may be lost. Until then, handshakes go by the former state (MTLS-15).
 * Each request decides again what its certificate may do.
 */
export type MutualTls = {
  serverFactory: MutualTlsListener['serverFactory']
  close: () => Promise<void>
}

const pollMilliseconds = 60_000

/** @throws Outage when the database cannot answer, Error when the server's certificate cannot be used */
export async function openMutualTls(parts: {
  database: Database
  serverCertificate: () => Promise<ServerCertificate>
  /** told when the certificate that is shown ends, at the start and whenever it is renewed */
  observeCertificate?: ((endsOn: Date) => void) | undefined
  clock: Clock
  log: Logger
}): Promise<MutualTls> {
  const { database, serverCertificate, observeCertificate, clock, log } = parts
  let trusted = truststore(await trustedCertificates(database.reads, clock()))
  let shown = await serverCertificate()
  observeCertificate?.(endOf(shown))
  const listener = mutualTlsListener(shown, (certificate, above) => trusted.admits(certificate, above, clock()))

  async function rebuild(): Promise<void> {
    const current = await trustedCertificates(database.reads, clock())
    if (isDeepStrictEqual(current, trusted.trusted)) return
    trusted = truststore(current)
    log.info({ registered: current.registered.length, above: current.above.length }, 'truststore rebuilt')
  }

  async function renew(): Promise<void> {
    const current = await serverCertificate()
    // A new certificate ends the sessions that clients could resume, so it is set only when it differs.
    if (isDeepStrictEqual(current, shown)) return
    listener.show(current)
    shown = current
    observeCertificate?.(endOf(shown))
    log.info('server certificate renewed')
  }

  const certificateReader = startWorker({
    log,
    failed: 'could not read the server certificate; the former one stays',
    pollMilliseconds,
    round: renew,
  })
  const truststoreBuilder = startWorker({
    log,
    failed: 'could not rebuild the truststore; the former one stays',
    pollMilliseconds,
    hints: { database, channel: truststoreChannel, heard: certificateReader.wake },
    round: rebuild,
  })

  return {
    serverFactory: listener.serverFactory,
    close: async () => {
      await Promise.all([truststoreBuilder.close(), certificateReader.close()])
    },
  }
}

/** Of a chain, its first certificate is the server's own. */
function endOf({ cert }: ServerCertificate): Date {
  return new X509Certificate(cert).validToDate
}
