import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'

/** One number for all services: whoever holds it owns the embedded server. It ends with the holder's connection. */
const advisoryLock = 7_305_003

/** A service killed a moment ago may still be letting go. */
const tries = { count: 10, everyMilliseconds: 100 }

export type ServiceLock = { release: () => Promise<void> }

/** Makes sure that one service alone runs on an embedded server; undefined when another one already does. */
export async function holdServiceLock(url: string, log: Logger): Promise<ServiceLock | undefined> {
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

  /** The server was restarted under us: the lock went with it, and is ours to take again. */
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
  const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [advisoryLock])
  return rows[0]!.held
}
