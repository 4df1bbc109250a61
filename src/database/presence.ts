import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { Outage } from '../vocabulary/outage.ts'

/** The first key of the advisory locks with which living processes say what they stand on; no other lock uses it. */
const presences = 7_305_011

const retryMilliseconds = 1_000
/** A start does not wait longer for a database that hangs. */
const answerMilliseconds = 4_000

export type Presence = {
  /** whether another living process on this database stands on something else */
  othersDiffer: boolean
  close: () => Promise<void>
}

/**
 * Shows other processes on this database what this one stands on, for as long as it lives: a shared advisory lock, which
 * ends with its connection and takes no right. A pooler between must keep sessions apart, as `LISTEN` needs too.
 * @param standsOn the same text in processes that may run side by side
 */
export async function showPresence(url: string, standsOn: string): Promise<Presence> {
  let closed = false
  let client = await connect()

  async function connect(): Promise<pg.Client> {
    const fresh = new pg.Client({
      connectionString: url,
      application_name: 'partner-commerce presence',
      connectionTimeoutMillis: answerMilliseconds,
      query_timeout: answerMilliseconds,
      keepAlive: true,
    })
    fresh.on('error', () => undefined)
    try {
      await fresh.connect()
      await fresh.query('select pg_advisory_lock_shared($1::int, hashtext($2))', [presences, standsOn])
    } catch (error) {
      fresh.end().catch(() => undefined)
      throw new Outage('the database of DATABASE_URL, asked which instances live', error)
    }
    fresh.on('end', () => void again())
    return fresh
  }

  async function again(): Promise<void> {
    while (!closed) {
      await delay(retryMilliseconds, undefined, { ref: false })
      if (closed) return
      const fresh = await connect().catch(() => undefined)
      if (fresh && closed) await fresh.end().catch(() => undefined)
      else if (fresh) client = fresh
      if (fresh) return
    }
  }

  const { rows } = await client.query<{ differ: boolean }>(
    `select exists (
      select from pg_locks
      where locktype = 'advisory' and objsubid = 2 and classid = $1::int::oid and objid <> hashtext($2)::oid
        and database = (select oid from pg_database where datname = current_database())
    ) as differ`,
    [presences, standsOn],
  )
  return {
    othersDiffer: rows[0]!.differ,
    close: async () => {
      closed = true
      await client.end().catch(() => undefined)
    },
  }
}
