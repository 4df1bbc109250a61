import { randomUUID } from 'node:crypto'
import type { Queries, Transaction } from '../../database/database.ts'
import { sql, sqlText } from '../../database/sql.ts'
import { auditAccount } from './audit-account.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import { hashPassword, isUsablePassword, passwordMatches } from '../../vocabulary/password.ts'
import type { StaffRole } from '../../vocabulary/staff-roles.ts'
import { foldForUniqueness } from '../../vocabulary/text.ts'
import { endSessions } from '../session/sessions.ts'

/**
 * The accounts of staff, with their roles and passwords. Every verb writes the audit record of its
 * change. Sessions are in `session/sessions.ts`, what a role allows in `vocabulary/staff-roles.ts`.
 */
export type StaffAccount = {
  staffId: string
  username: string
  roles: StaffRole[]
  disabledOn: string | null
  passwordSetOn: string
  createdOn: string
  updatedOn: string
}

/** Letters, digits, dot, dash and underscore, because logs and audit records show the name unescaped. */
const usernameForm = /^[A-Za-z0-9][A-Za-z0-9._-]{1,59}$/

export async function createStaffAccount(
  tx: Transaction,
  change: Change,
  account: { username: string; password: string; roles: readonly StaffRole[] },
): Promise<Done<{ staffId: string }> | Refused<'username_not_usable' | 'username_taken' | 'password_not_usable'>> {
  const { username, password } = account
  if (!usernameForm.test(username)) return { refused: 'username_not_usable' }
  if (!(await isUsablePassword(password, username))) return { refused: 'password_not_usable' }
  const staffId = randomUUID()
  const roles = sorted(account.roles)
  const inserted = await tx.row(sql`
    insert into staff_account
      (staff_id, username, username_folded, password_hash, roles, password_set_on, created_on, updated_on)
    values (${staffId}, ${username}, ${foldForUniqueness(username)}, ${await hashPassword(password)}, ${roles},
      ${change.now}, ${change.now}, ${change.now})
    on conflict (username_folded) do nothing
    returning staff_id`)
  if (!inserted) return { refused: 'username_taken' }
  await auditAccount(tx, change, staffId, 'staff_account.created', { username, roles })
  return { done: { staffId } }
}

/** Replaces the person's roles. Their sessions have the new ones from the next request on. */
export async function setStaffRoles(
  tx: Transaction,
  change: Change,
  staffId: string,
  wanted: readonly StaffRole[],
): Promise<Done | Refused<'staff_not_found' | 'last_admin'>> {
  const admins = await lockAdmins(tx)
  const account = await lockAccount(tx, staffId)
  if (!account) return { refused: 'staff_not_found' }
  const roles = sorted(wanted)
  if (roles.join() === sorted(account.roles).join()) return { done: {} }
  if (!roles.includes('ADMIN') && isOnly(staffId, admins)) return { refused: 'last_admin' }
  await tx.rows(sql`
    update staff_account set roles = ${roles}, updated_on = ${change.now} where staff_id = ${staffId}`)
  await auditAccount(tx, change, staffId, 'staff_account.roles_set', { before: account.roles, after: roles })
  return { done: {} }
}

/** Disabling ends every session of the person. The last ADMIN cannot be disabled. Enabling is never refused. */
export async function setStaffAccountEnabled<Enabled extends boolean>(
  tx: Transaction,
  change: Change,
  staffId: string,
  enabled: Enabled,
): Promise<Done | Refused<'staff_not_found' | (Enabled extends true ? never : 'last_admin')>>
export async function setStaffAccountEnabled(
  tx: Transaction,
  change: Change,
  staffId: string,
  enabled: boolean,
): Promise<Done | Refused<'staff_not_found' | 'last_admin'>> {
  const admins = enabled ? [] : await lockAdmins(tx)
  const account = await lockAccount(tx, staffId)
  if (!account) return { refused: 'staff_not_found' }
  if (enabled === (account.disabledOn === null)) return { done: {} }
  if (isOnly(staffId, admins)) return { refused: 'last_admin' }
  await tx.rows(sql`
    update staff_account set disabled_on = ${enabled ? null : change.now}, updated_on = ${change.now}
    where staff_id = ${staffId}`)
  if (!enabled) await endSessions(tx, staffId)
  await auditAccount(tx, change, staffId, enabled ? 'staff_account.enabled' : 'staff_account.disabled', {})
  return { done: {} }
}

/**
 * Sets another password and ends every session of the person.
 * @param own for who changes their own password: the session that stays, and when the password that they proved was set
 */
export async function setStaffPassword(
  tx: Transaction,
  change: Change,
  staffId: string,
  password: string,
  own: { sessionHash: Buffer; passwordSetOn: string } | null,
): Promise<Done | Refused<'staff_not_found' | 'password_not_usable'>> {
  // Checked and computed before the row is locked, because it is slow.
  const named = await readStaffAccount(tx, staffId)
  if (!named) return { refused: 'staff_not_found' }
  if (!(await isUsablePassword(password, named.username))) return { refused: 'password_not_usable' }
  const passwordHash = await hashPassword(password)
  const account = await lockAccount(tx, staffId)
  if (!account || (own && own.passwordSetOn !== account.passwordSetOn)) return { refused: 'staff_not_found' }
  await tx.rows(sql`
    update staff_account set password_hash = ${passwordHash}, password_set_on = ${change.now}, updated_on = ${change.now}
    where staff_id = ${staffId}`)
  await endSessions(tx, staffId, own?.sessionHash)
  await auditAccount(tx, change, staffId, 'staff_account.password_set', {})
  return { done: {} }
}

/** The enabled account of a username and password. An unknown or disabled one takes as long, so it cannot be told apart. */
export async function proveStaff(
  queries: Queries,
  claimed: { username: string; password: string },
): Promise<StaffAccount | undefined> {
  const row = await queries.row<StaffAccount & { passwordHash: string }>(sql`
    select ${accountColumns}, password_hash from staff_account
    where username_folded = ${foldForUniqueness(claimed.username)}`)
  const proven = await passwordMatches(claimed.password, row?.passwordHash)
  if (!proven || !row || row.disabledOn !== null) return undefined
  const { passwordHash: _, ...account } = row
  return account
}

export function readStaffAccount(queries: Queries, staffId: string): Promise<StaffAccount | undefined> {
  return queries.row<StaffAccount>(sql`select ${accountColumns} from staff_account where staff_id = ${staffId}`)
}

/** The usernames of these accounts, by staffId. */
export async function usernamesOf(queries: Queries, staffIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (staffIds.length === 0) return new Map()
  const rows = await queries.rows<{ staffId: string; username: string }>(sql`
    select staff_id, username from staff_account where staff_id = any(${[...new Set(staffIds)]}::uuid[])`)
  return new Map(rows.map(({ staffId, username }) => [staffId, username]))
}

/** By username; at most `limit`, from after the folded username `after`. */
export function listStaffAccounts(queries: Queries, page: { after: string; limit: number }): Promise<StaffAccount[]> {
  return queries.rows<StaffAccount>(sql`
    select ${accountColumns} from staff_account
    where username_folded > ${page.after} order by username_folded limit ${page.limit}`)
}

const accountColumns = sqlText`staff_id, username, roles, disabled_on, password_set_on, created_on, updated_on`

function lockAccount(tx: Transaction, staffId: string): Promise<StaffAccount | undefined> {
  return tx.row<StaffAccount>(sql`
    select ${accountColumns} from staff_account where staff_id = ${staffId} for no key update`)
}

/**
 * The enabled ADMINs, of whom one must stay. All are locked, in one order and before any other
 * account, so that two calls cannot remove the last two at once, and do not deadlock.
 */
async function lockAdmins(tx: Transaction): Promise<string[]> {
  const admins = await tx.rows<{ staffId: string }>(sql`
    select staff_id from staff_account where disabled_on is null and 'ADMIN' = any(roles)
    order by staff_id for no key update`)
  return admins.map((admin) => admin.staffId)
}

function isOnly(staffId: string, staffIds: readonly string[]): boolean {
  return staffIds.length === 1 && staffIds[0] === staffId
}

function sorted(roles: readonly StaffRole[]): StaffRole[] {
  return [...new Set(roles)].toSorted()
}
