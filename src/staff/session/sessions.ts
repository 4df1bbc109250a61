import { createHash, randomBytes } from 'node:crypto'
import type { Database, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { auditAccount } from '../accounts/audit-account.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import { isStaffRole, type StaffRole } from '../../vocabulary/staff-roles.ts'

/**
 * The sessions of staff: started at sign-in, ended by sign-out, inactivity or age. Only a hash of each secret is kept.
 * How a secret travels is in `session-transport.ts`, and who may sign in is in `accounts/`.
 */
export type Transport = 'COOKIE' | 'BEARER'

export type Session = {
  sessionHash: Buffer
  staffId: string
  username: string
  roles: readonly StaffRole[]
  transport: Transport
  endsOn: Date
}

export type ProvenAccount = { staffId: string; username: string; roles: readonly StaffRole[]; passwordSetOn: string }

export const sessionSeconds = 12 * 3_600
const restSeconds = 3_600

/** `pss_`, by which scanners recognise a leaked secret, and 256 random bits. */
function newSessionSecret(): string {
  return `pss_${randomBytes(32).toString('base64url')}`
}

function hashSession(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/**
 * Starts a session, and deletes those of the person that have ended. Only this answer has the secret. Refused when the
 * account changed its password or was disabled after it was proven: the lock waits for such a change.
 */
export async function startSession(
  tx: Transaction,
  change: Change,
  { staffId, username, roles, passwordSetOn }: ProvenAccount,
  transport: Transport,
): Promise<Done<{ secret: string; session: Session }> | Refused<'sign_in_refused'>> {
  const account = await tx.row(sql`
    select staff_id from staff_account
    where staff_id = ${staffId} and password_set_on = ${passwordSetOn} and disabled_on is null
    for share`)
  if (!account) return { refused: 'sign_in_refused' }
  const secret = newSessionSecret()
  const sessionHash = hashSession(secret)
  await tx.rows(sql`
    delete from staff_session where staff_id = ${staffId} and started_on <= ${before(change.now, sessionSeconds)}`)
  await tx.rows(sql`
    insert into staff_session (session_hash, staff_id, transport, started_on, last_used_on)
    values (${sessionHash}, ${staffId}, ${transport}, ${change.now}, ${change.now})`)
  await auditAccount(tx, change, staffId, 'staff_session.started', { transport })
  const session = { sessionHash, staffId, username, roles, transport, endsOn: endOf(change.now) }
  return { done: { secret, session } }
}

/**
 * The live session of an enabled account with this secret, read from the primary and marked as used.
 * @throws Outage when the database cannot answer
 */
export async function useSession(
  database: Database,
  secret: string,
  transport: Transport,
  now: Date,
): Promise<Session | undefined> {
  const sessionHash = hashSession(secret)
  const row = await readLive(database, sessionHash, transport, now)
  if (!row) return undefined
  const aMinuteAgo = before(now, 60)
  if (new Date(row.lastUsedOn) < aMinuteAgo) {
    await database.statements.rows(sql`
      update staff_session set last_used_on = ${now} where session_hash = ${sessionHash} and last_used_on < ${aMinuteAgo}`)
  }
  return {
    sessionHash,
    staffId: row.staffId,
    username: row.username,
    roles: row.roles.filter(isStaffRole),
    transport,
    endsOn: endOf(new Date(row.startedOn)),
  }
}

export async function endSession(tx: Transaction, change: Change, session: Session): Promise<Done> {
  await tx.rows(sql`delete from staff_session where session_hash = ${session.sessionHash}`)
  await auditAccount(tx, change, session.staffId, 'staff_session.ended', { transport: session.transport })
  return { done: {} }
}

/** Ends every session of the person except the kept one, as part of a change to the account. */
export async function endSessions(tx: Transaction, staffId: string, kept: Buffer | null = null): Promise<void> {
  await tx.rows(sql`
    delete from staff_session where staff_id = ${staffId} and session_hash is distinct from ${kept}::bytea`)
}

/** Whether the session is still live, and its person has the same roles. It does not count as use. @throws Outage */
export async function isStillLive(database: Database, session: Session, now: Date): Promise<boolean> {
  const row = await readLive(database, session.sessionHash, session.transport, now)
  return row !== undefined && row.roles.filter(isStaffRole).join() === session.roles.join()
}

/** Served by the primary keys of staff_session and staff_account. */
function readLive(database: Database, sessionHash: Buffer, transport: Transport, now: Date) {
  return database.reads.row<SessionRow>(sql`
    select staff_session.staff_id, username, roles, started_on, last_used_on
    from staff_session join staff_account using (staff_id)
    where session_hash = ${sessionHash} and transport = ${transport} and disabled_on is null
      and started_on > ${before(now, sessionSeconds)} and last_used_on > ${before(now, restSeconds)}`)
}

type SessionRow = { staffId: string; username: string; roles: string[]; startedOn: string; lastUsedOn: string }

function endOf(startedOn: Date): Date {
  return new Date(startedOn.getTime() + sessionSeconds * 1_000)
}

function before(now: Date, seconds: number): Date {
  return new Date(now.getTime() - seconds * 1_000)
}
