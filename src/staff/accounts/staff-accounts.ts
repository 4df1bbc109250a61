import { randomUUID } from 'node:crypto'
import { breaksConstraint, type Database, type Queries, type Transaction } from '../../database/database.ts'
import { sql, sqlText } from '../../database/sql.ts'
import type { StaffRole } from '../../vocabulary/staff-roles.ts'
import { foldForUniqueness } from '../../vocabulary/text.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Change } from '../../vocabulary/change.ts'
import { hashPassword, isUsablePassword, passwordMatches } from '../../vocabulary/password.ts'

/**
 * The accounts of staff: who there is, with which roles, and their passwords. Each change is one transaction with its
 * audit record. It owns neither sessions (`sessions.ts`) nor what a role allows (`vocabulary/staff-roles.ts`).
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

/** Letters, digits, dot, dash and underscore: it stands in logs and audit records as it is. */
const usernameForm = /^[A-Za-z0-9][A-Za-z0-9._-]{1,59}$/

export async function createStaffAccount(
  database: Database,
  account: { username: string; password: string; roles: readonly StaffRole[] },
  change: Change,
): Promise<{ staffId: string } | { refused: 'username_not_usable' | 'username_taken' | 'password_not_usable' }> {
  if (!usernameForm.test(account.username)) return { refused: 'username_not_usable' }
  if (!isUsablePassword(account.password, account.username)) return { refused: 'password_not_usable' }
  const staffId = randomUUID()
  const passwordHash = await hashPassword(account.password)
  const roles = sorted(account.roles)
  try {
    await database.transaction(async (tx) => {
      await tx.rows(sql`
        insert into staff_account
          (staff_id, username, username_folded, password_hash, roles, password_set_on, created_on, updated_on)
        values (${staffId}, ${account.username}, ${foldForUniqueness(account.username)}, ${passwordHash}, ${roles},
          ${change.now}, ${change.now}, ${change.now})`)
      await audit(tx, change, staffId, 'staff_account.created', { username: account.username, roles })
    })
  } catch (error) {
    if (breaksConstraint(error, 'staff_username_unique')) return { refused: 'username_taken' }
    throw error
  }
  return { staffId }
}

type Done = { done: true } | { refused: 'staff_not_found' | 'last_admin' }

/** Makes these, and no others, the person's roles; their sessions have them from the next request on. */
export function setStaffRoles(
  database: Database,
  staffId: string,
  wanted: readonly StaffRole[],
  change: Change,
): Promise<Done> {
  return database.transaction(async (tx) => {
    const admins = await heldAdmins(tx)
    const account = await heldAccount(tx, staffId)
    if (!account) return { refused: 'staff_not_found' }
    const roles = sorted(wanted)
    if (roles.join() === sorted(account.roles).join()) return { done: true }
    if (!roles.includes('ADMIN') && isOnly(staffId, admins)) return { refused: 'last_admin' }
    await tx.rows(sql`
      update staff_account set roles = ${roles}, updated_on = ${change.now} where staff_id = ${staffId}`)
    await audit(tx, change, staffId, 'staff_account.roles_set', { before: account.roles, after: roles })
    return { done: true }
  })
}

/** Ends every session of the person with it. */
export function disableStaffAccount(database: Database, staffId: string, change: Change): Promise<Done> {
  return database.transaction(async (tx) => {
    const admins = await heldAdmins(tx)
    const account = await heldAccount(tx, staffId)
    if (!account) return { refused: 'staff_not_found' }
    if (account.disabledOn !== null) return { done: true }
    if (isOnly(staffId, admins)) return { refused: 'last_admin' }
    await tx.rows(sql`
      update staff_account set disabled_on = ${change.now}, updated_on = ${change.now} where staff_id = ${staffId}`)
    await tx.rows(sql`delete from staff_session where staff_id = ${staffId}`)
    await audit(tx, change, staffId, 'staff_account.disabled', {})
    return { done: true }
  })
}

export function enableStaffAccount(
  database: Database,
  staffId: string,
  change: Change,
): Promise<{ done: true } | { refused: 'staff_not_found' }> {
  return database.transaction(async (tx) => {
    const account = await heldAccount(tx, staffId)
    if (!account) return { refused: 'staff_not_found' }
    if (account.disabledOn === null) return { done: true }
    await tx.rows(sql`
      update staff_account set disabled_on = null, updated_on = ${change.now} where staff_id = ${staffId}`)
    await audit(tx, change, staffId, 'staff_account.enabled', {})
    return { done: true }
  })
}

/** Sets another password and ends every session of the person but the one named. */
export async function setStaffPassword(
  database: Database,
  staffId: string,
  password: string,
  keptSession: Buffer | null,
  change: Change,
): Promise<{ done: true } | { refused: 'staff_not_found' | 'password_not_usable' }> {
  const passwordHash = await hashPassword(password)
  return database.transaction(async (tx) => {
    const account = await heldAccount(tx, staffId)
    if (!account) return { refused: 'staff_not_found' }
    if (!isUsablePassword(password, account.username)) return { refused: 'password_not_usable' }
    await tx.rows(sql`
      update staff_account set password_hash = ${passwordHash}, password_set_on = ${change.now}, updated_on = ${change.now}
      where staff_id = ${staffId}`)
    await tx.rows(sql`
      delete from staff_session where staff_id = ${staffId} and session_hash is distinct from ${keptSession}::bytea`)
    await audit(tx, change, staffId, 'staff_account.password_set', {})
    return { done: true }
  })
}

/** The enabled account behind a username and password; an unknown or disabled one costs the same work. */
export async function proveStaff(
  queries: Queries,
  claimed: { username: string; password: string },
): Promise<StaffAccount | undefined> {
  const row = await queries.row<AccountRow & { passwordHash: string }>(sql`
    select ${accountColumns}, password_hash from staff_account
    where username_folded = ${foldForUniqueness(claimed.username)}`)
  const proven = await passwordMatches(claimed.password, row?.passwordHash)
  return proven && row && row.disabledOn === null ? accountOf(row) : undefined
}

export async function readStaffAccount(queries: Queries, staffId: string): Promise<StaffAccount | undefined> {
  const row = await queries.row<AccountRow>(sql`
    select ${accountColumns} from staff_account where staff_id = ${staffId}`)
  return row && accountOf(row)
}

/** By username; at most `limit`, behind the folded username `after`. */
export async function listStaffAccounts(
  queries: Queries,
  page: { after: string; limit: number },
): Promise<StaffAccount[]> {
  const rows = await queries.rows<AccountRow>(sql`
    select ${accountColumns} from staff_account
    where username_folded > ${page.after} order by username_folded limit ${page.limit}`)
  return rows.map(accountOf)
}

type AccountRow = {
  staffId: string
  username: string
  roles: StaffRole[]
  disabledOn: string | null
  passwordSetOn: string
  createdOn: string
  updatedOn: string
}

const accountColumns = sqlText`staff_id, username, roles, disabled_on, password_set_on, created_on, updated_on`

function accountOf(row: AccountRow): StaffAccount {
  return {
    staffId: row.staffId,
    username: row.username,
    roles: row.roles,
    disabledOn: row.disabledOn,
    passwordSetOn: row.passwordSetOn,
    createdOn: row.createdOn,
    updatedOn: row.updatedOn,
  }
}

async function heldAccount(tx: Transaction, staffId: string): Promise<StaffAccount | undefined> {
  const row = await tx.row<AccountRow>(sql`
    select ${accountColumns} from staff_account where staff_id = ${staffId} for no key update`)
  return row && accountOf(row)
}

/**
 * The enabled ADMINs, without one of whom nobody could make another. All are held, in one order and before any other
 * account, so that two cannot go at once nor wait for each other.
 */
async function heldAdmins(tx: Transaction): Promise<string[]> {
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

async function audit(
  tx: Transaction,
  change: Change,
  staffId: string,
  action: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  await recordAudit(tx, change, { action, subject: { kind: 'staff_account', id: staffId }, siteId: null, detail })
}
