import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'

/** One number for all services: the one with the lock owns the embedded server. The lock ends with its connection. */
const advisoryLock = 7_305_003

/** A service that was killed a moment ago may still have the lock. */
const tries = { count: 10, everyMilliseconds: 100 }

export type ServiceLock = { release: () => Promise<void> }

/** Ensures that only one service runs on an embedded server; undefined when another one already does. */
export async function takeServiceLock(url: string, log: Logger): Promise<ServiceLock | undefined> {
  let released = false
  let client = await connect()
  for (let left = tries.count; !(await tryLock(client)); left--) {
    if (left === 0) {
      await client.end()
      return undefined
    }
    await delay(tries.everyMilliseconds)
  }

  async function connect(): Promise<pg.Client> {
    const fresh = new pg.Client({ connectionString: url, application_name: 'partner-commerce service lock' })
    fresh.on('error', () => undefined)
    fresh.on('end', () => void takeAgain())
    await fresh.connect()
    return fresh
  }

  /** A restart of the server releases the lock, so take it again. */
  async function takeAgain(): Promise<void> {
    if (released) return
    try {
      await delay(tries.everyMilliseconds)
      client = await connect()
      if (!(await tryLock(client))) log.error('another service has taken over the data folder')
    } catch {
      // `end` follows and tries again
    }
  }

  return {
    release: async () => {
      released = true
      await client.end().catch(() => undefined)
    },
  }
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [advisoryLock])
  return rows[0]!.locked
}
