import { createHmac } from 'node:crypto'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { sourceNetwork } from '../../vocabulary/source-network.ts'

/**
 * Limits attempts to sign in, counted in the database for all instances together: by username and network, by username,
 * by network, and for the second factor by person. Names are counted whether they exist or not, so that a delay reveals
 * nothing.
 */
export type Attempts = {
  /** counts one attempt; 0 = go on, otherwise the seconds to wait */
  ofPassword: (username: string, sourceAddress: string, now: Date) => Promise<number>
  ofSecondFactor: (personId: string, now: Date) => Promise<number>
  ofInvitation: (sourceAddress: string, now: Date) => Promise<number>
  /** forgets the attempts after a success */
  passwordWasRight: (username: string, sourceAddress: string) => Promise<void>
  secondFactorWasRight: (personId: string) => Promise<void>
}

const windowMilliseconds = 15 * 60_000
const most = { usernameAtNetwork: 10, username: 50, network: 100, secondFactor: 6, invitation: 30 }

type Counted = { what: keyof typeof most; of: string }

/** @param key `deriveKey(masterKey, environment, 'session')` */
export function signInAttempts(database: Database, key: Buffer): Attempts {
  const idOf = ({ what, of }: Counted): Buffer => createHmac('sha256', key).update(`attempts/${what}/${of}`).digest()

  async function admit(counted: readonly Counted[], now: Date): Promise<number> {
    const begin = new Date(now.getTime() - windowMilliseconds)
    const limits = new Map(counted.map((each) => [idOf(each).toString('hex'), most[each.what]]))
    // Sorted, so that two attempts that count the same things do not deadlock.
    const ids = [...limits.keys()].toSorted().map((hex) => Buffer.from(hex, 'hex'))
    const rows = await database.statements.rows<{ counted: Buffer; attempts: number; since: string }>(sql`
      with swept as (
        delete from sign_in_attempts where counted in (
          select counted from sign_in_attempts
          where since < ${begin} and counted <> all(${ids}) limit 20 for update skip locked
        )
      )
      insert into sign_in_attempts as known (counted, attempts, since)
      select id, 1, ${now} from unnest(${ids}::bytea[]) as tried(id)
      on conflict (counted) do update set
        attempts = case when known.since < ${begin} then 1 else known.attempts + 1 end,
        since = case when known.since < ${begin} then excluded.since else known.since end
      returning counted, attempts, since`)
    const waits = rows
      .filter((row) => row.attempts > limits.get(row.counted.toString('hex'))!)
      .map((row) => Math.ceil((Date.parse(row.since) + windowMilliseconds - now.getTime()) / 1000))
    return Math.max(0, ...waits)
  }

  async function forget(counted: readonly Counted[]): Promise<void> {
    await database.statements.rows(sql`delete from sign_in_attempts where counted = any(${counted.map(idOf)})`)
  }

  const atNetwork = (username: string, address: string): Counted => ({
    what: 'usernameAtNetwork',
    of: `${sourceNetwork(address)} ${username}`,
  })
  return {
    ofPassword: (username, address, now) =>
      admit(
        [
          atNetwork(username, address),
          { what: 'username', of: username },
          { what: 'network', of: sourceNetwork(address) },
        ],
        now,
      ),
    ofSecondFactor: (personId, now) => admit([{ what: 'secondFactor', of: personId }], now),
    ofInvitation: (address, now) => admit([{ what: 'invitation', of: sourceNetwork(address) }], now),
    passwordWasRight: async (username, address) => {
      await forget([atNetwork(username, address), { what: 'username', of: username }])
      // For a network only failed attempts count: an office may sign in together.
      await database.statements.rows(sql`
        update sign_in_attempts set attempts = attempts - 1
        where counted = ${idOf({ what: 'network', of: sourceNetwork(address) })}`)
    },
    secondFactorWasRight: (personId) => forget([{ what: 'secondFactor', of: personId }]),
  }
}
