import type { FastifyServerFactory } from 'fastify'
import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { truststoreChannel, trustedCertificates } from '../partners/certificates.ts'
import type { Clock } from '../vocabulary/clock.ts'
import { mutualTlsListener, type ServerCertificate, type TlsMaterial } from './listener.ts'

/**
 * Mutual TLS, kept current: the listener's truststore is rebuilt from the database, where staff change it, and the
 * server's own certificate from where operators renew it. Looked up when the database tells of a change, and every
 * minute, since that may be missed and certificates end by themselves. Until it has followed, handshakes go by the former
 * state (MTLS-15); what a certificate may do is decided on every request and waits for nothing.
 */
export type MutualTls = {
  serverFactory: FastifyServerFactory
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
  let material = await read()
  const listener = mutualTlsListener(material)
  let looking: Promise<void> | undefined
  let again = false

  async function read(): Promise<TlsMaterial> {
    const [trusted, server] = await Promise.all([trustedCertificates(database.reads, clock()), serverCertificate()])
    return { trusted, server }
  }

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
    try {
      const current = await read()
      // A swap makes all sessions that clients could resume worthless: only where there is a reason.
      if (JSON.stringify(current) === JSON.stringify(material)) return
      listener.use(current)
      material = current
      log.info({ trusted: current.trusted.length }, 'truststore rebuilt')
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'the truststore stays as it was: it could not be rebuilt')
    }
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
