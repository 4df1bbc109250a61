import { createHash } from 'node:crypto'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { sourceNetwork } from '../../vocabulary/source-network.ts'
import { foldForUniqueness } from '../../vocabulary/text.ts'

/**
 * Limits failed sign-ins in a quarter of an hour: a few per username and address, and more per address,
 * whatever the username. An IPv6 address counts as its network. A username alone is not limited, or strangers could lock
 * staff out; nor does a try count for the address that the username's count there refuses, or one person could lock out
 * their whole office. All instances count together in the database, before the password is checked, so that tries at the same
 * time count too.
 */
const windowSeconds = 900
const failuresMax = { account: 5, address: 30 }

export type Attempt = { username: string; address: string }

/** Counts a try. @returns 0 if it may be made, otherwise the whole seconds to wait */
export async function countAttempt(database: Database, attempt: Attempt, now: Date): Promise<number> {
  const since = new Date(now.getTime() - windowSeconds * 1_000)
  await database.statements.rows(sql`delete from staff_sign_in_failure where began_on <= ${since}`)
  const ofAccount = await count(database, accountKey(attempt), failuresMax.account, since, now)
  return ofAccount > 0 ? ofAccount : count(database, addressKey(attempt), failuresMax.address, since, now)
}

async function count(database: Database, counted: Buffer, max: number, since: Date, now: Date): Promise<number> {
  const row = await database.statements.row<{ failures: number; beganOn: string }>(sql`
    insert into staff_sign_in_failure (counted, failures, began_on) values (${counted}, 1, ${now})
    on conflict (counted) do update set failures = staff_sign_in_failure.failures + 1
    returning failures, began_on`)
  const { failures, beganOn } = row!
  return failures <= max ? 0 : Math.ceil((new Date(beganOn).getTime() - since.getTime()) / 1_000)
}

/** After a success: clears the failures of the username at this address, and takes this try off the address's count. */
export async function forgetAttempts(database: Database, attempt: Attempt): Promise<void> {
  await database.statements.rows(sql`
    with forgotten as (delete from staff_sign_in_failure where counted = ${accountKey(attempt)})
    update staff_sign_in_failure set failures = failures - 1 where counted = ${addressKey(attempt)}`)
}

function accountKey({ username, address }: Attempt): Buffer {
  return digest(`${foldForUniqueness(username)} at ${sourceNetwork(address)}`)
}

function addressKey({ address }: Attempt): Buffer {
  return digest(`at ${sourceNetwork(address)}`)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
