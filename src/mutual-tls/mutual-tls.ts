import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { truststoreChannel, trustedCertificates } from '../partners/certificates.ts'
import type { Clock } from '../vocabulary/clock.ts'
import { mutualTlsListener, type MutualTlsListener, type ServerCertificate } from './listener.ts'
import { truststore } from './truststore.ts'

/**
 * Mutual TLS, kept current: the truststore is rebuilt from the database, where staff change it, and the server's own
 * certificate read again from where operators renew it (MTLS-14). This happens when the database tells of a change, and
 * every minute, since that may be missed. Until it has, handshakes go by the former state (MTLS-15); what a certificate
 * may do is decided on every request and waits for nothing.
 */
export type MutualTls = {
  serverFactory: MutualTlsListener['serverFactory']
  close: () => Promise<void>
}

const lookUpEveryMilliseconds = 60_000

/** @throws Outage when the database cannot answer, Error when the server's certificate cannot be used */
export async function openMutualTls(parts: {
  database: Database
  serverCertificate: () => Promise<ServerCertificate>
  clock: Clock
  log: Logger
}): Promise<MutualTls> {
  const { database, serverCertificate, clock, log } = parts
  let trusted = truststore(await trustedCertificates(database.reads, clock()))
  let shown = await serverCertificate()
  const listener = mutualTlsListener(shown, (certificate, above) => trusted.admits(certificate, above, clock()))
  let looking: Promise<void> | undefined
  let again = false

  /** One look at a time: a change told of meanwhile may have come too late for it, so another look follows. */
  function follow(): void {
    if (looking) {
      again = true
      return
    }
    looking = look().finally(() => {
      looking = undefined
      if (!again) return
      again = false
      follow()
    })
  }

  async function look(): Promise<void> {
    await Promise.all([
      rebuild().catch((error: Error) => log.warn({ error: error.message }, 'the truststore stays: it was not rebuilt')),
      renew().catch((error: Error) =>
        log.warn({ error: error.message }, 'the server certificate stays: it was not read'),
      ),
    ])
  }

  async function rebuild(): Promise<void> {
    const current = await trustedCertificates(database.reads, clock())
    if (isDeepStrictEqual(current, trusted.trusted)) return
    trusted = truststore(current)
    log.info({ registered: current.registered.length, above: current.above.length }, 'truststore rebuilt')
  }

  async function renew(): Promise<void> {
    const current = await serverCertificate()
    // Showing one makes the sessions clients could resume worthless: only where there is a reason.
    if (isDeepStrictEqual(current, shown)) return
    listener.show(current)
    shown = current
    log.info('server certificate renewed')
  }

  const stopListening = await database.listen(truststoreChannel, follow)
  const timer = setInterval(follow, lookUpEveryMilliseconds).unref()

  return {
    serverFactory: listener.serverFactory,
    close: async () => {
      clearInterval(timer)
      await stopListening()
      again = false
      await looking
    },
  }
}
