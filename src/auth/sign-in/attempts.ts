import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { sourceNetwork } from '../../vocabulary/source-network.ts'
import { type KeyRing, mac } from '../../vocabulary/keys.ts'

/**
 * Limits attempts to sign in, counted in the database for all instances together: by username and network, by network, and
 * by username, and for the second factor by person. Each count is asked only if the one before it admits the attempt: what
 * a network's count refuses does not count for the name, so one network cannot lock a person out elsewhere. In a browser in
 * which the person signed in before, the browser alone is counted. Names are counted whether they exist or not, so that a
 * delay reveals nothing.
 */
export type Attempts = {
  /** counts one attempt; 0 = go on, otherwise the seconds to wait */
  ofPassword: (attempt: PasswordAttempt, now: Date) => Promise<number>
  ofSecondFactor: (attempt: SecondFactorAttempt, now: Date) => Promise<number>
  ofInvitation: (sourceAddress: string, now: Date) => Promise<number>
  /** a person asks for a link because the password is forgotten */
  ofReset: (sourceAddress: string, now: Date) => Promise<number>
  /** such a link is sent to the person of this name. What one network uses up does not count for the others */
  ofResetMail: (asking: { username: string; sourceAddress: string }, now: Date) => Promise<number>
  /** forgets the attempts after a success */
  passwordWasRight: (attempt: PasswordAttempt) => Promise<void>
  secondFactorWasRight: (attempt: SecondFactorAttempt) => Promise<void>
}

/** `browser`: the id of a browser that is known for this person (`known-browser.ts`) */
export type PasswordAttempt = { username: string; sourceAddress: string; browser: string | undefined }
export type SecondFactorAttempt = { personId: string; browser: string | undefined }

const windowMilliseconds = 15 * 60_000
const most = {
  usernameAtNetwork: 10,
  network: 100,
  username: 50,
  browser: 10,
  secondFactor: 6,
  secondFactorInBrowser: 6,
  invitation: 30,
  reset: 20,
  resetMailAtNetwork: 3,
  resetMail: 12,
}

type Counted = { what: keyof typeof most; of: string }

/**
 * @param keys `keyRing(masterKeys, environment, 'session')`; under another first key, counts begin anew
 * @param refused is told of each attempt that must wait
 */
export function signInAttempts(database: Database, keys: KeyRing, refused?: () => void): Attempts {
  const idOf = ({ what, of }: Counted): Buffer => mac(keys, `attempts/${what}/${of}`)

  async function admit(counted: readonly Counted[], now: Date): Promise<number> {
    for (const each of counted) {
      const wait = await count(each, now)
      if (wait > 0) {
        refused?.()
        return wait
      }
    }
    return 0
  }

  async function count(each: Counted, now: Date): Promise<number> {
    const begin = new Date(now.getTime() - windowMilliseconds)
    const id = idOf(each)
    const row = await database.statements.row<{ attempts: number; since: string }>(sql`
      with swept as (
        delete from sign_in_attempts where counted in (
          select counted from sign_in_attempts
          where since < ${begin} and counted <> ${id} limit 20 for update skip locked
        )
      )
      insert into sign_in_attempts as known (counted, attempts, since)
      values (${id}, 1, ${now})
      on conflict (counted) do update set
        attempts = case when known.since < ${begin} then 1 else known.attempts + 1 end,
        since = case when known.since < ${begin} then excluded.since else known.since end
      returning attempts, since`)
    const { attempts, since } = row!
    if (attempts <= most[each.what]) return 0
    return Math.ceil((Date.parse(since) + windowMilliseconds - now.getTime()) / 1000)
  }

  async function forget(counted: readonly Counted[]): Promise<void> {
    await database.statements.rows(sql`delete from sign_in_attempts where counted = any(${counted.map(idOf)})`)
  }

  const countedOf = ({ username, sourceAddress, browser }: PasswordAttempt): Counted[] =>
    browser === undefined
      ? [
          { what: 'usernameAtNetwork', of: `${sourceNetwork(sourceAddress)} ${username}` },
          { what: 'network', of: sourceNetwork(sourceAddress) },
          { what: 'username', of: username },
        ]
      : [{ what: 'browser', of: browser }]
  const secondFactorOf = ({ personId, browser }: SecondFactorAttempt): Counted =>
    browser === undefined ? { what: 'secondFactor', of: personId } : { what: 'secondFactorInBrowser', of: browser }

  return {
    ofPassword: (attempt, now) => admit(countedOf(attempt), now),
    ofSecondFactor: (attempt, now) => admit([secondFactorOf(attempt)], now),
    ofInvitation: (address, now) => admit([{ what: 'invitation', of: sourceNetwork(address) }], now),
    ofReset: (address, now) => admit([{ what: 'reset', of: sourceNetwork(address) }], now),
    ofResetMail: ({ username, sourceAddress }, now) =>
      admit(
        [
          { what: 'resetMailAtNetwork', of: `${sourceNetwork(sourceAddress)} ${username}` },
          { what: 'resetMail', of: username },
        ],
        now,
      ),
    passwordWasRight: async (attempt) => {
      const counted = countedOf(attempt)
      await forget(counted.filter(({ what }) => what !== 'network'))
      // For a network only failed attempts count: an office may sign in together.
      await database.statements.rows(sql`
        update sign_in_attempts set attempts = attempts - 1
        where counted = any(${counted.filter(({ what }) => what === 'network').map(idOf)})`)
    },
    secondFactorWasRight: (attempt) => forget([secondFactorOf(attempt)]),
  }
}
