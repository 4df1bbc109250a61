import type { Transaction } from '../../database/database.ts'
import { columnList, givenRows, pick, updateRows } from '../../database/rows.ts'
import { sql } from '../../database/sql.ts'
import { foldForUniqueness } from '../../vocabulary/text.ts'
import { recordId } from '../../vocabulary/whole-number.ts'

/** Writes and reads the rows of users, many in one statement. */

/** What may be changed later. */
export type UserFields = {
  active: boolean
  email: string
  firstName: string
  lastName: string
  company: string | null
  phone: string | null
  divisionId: number | null
}

/** What only staff change. A new user has none of them. */
export type StaffUserFields = {
  ordersRequireApproval: boolean
  allSegmentsVisible: boolean
  taxExempt: boolean
}

export type NewUser = UserFields & { siteId: number; username: string }

export type StoredUser = { userId: number; siteId: number; emailFolded: string | null } & {
  [Field in keyof UserFields]: UserFields[Field] | null
} & StaffUserFields

const newUserFields = [
  'username',
  'active',
  'email',
  'firstName',
  'lastName',
  'company',
  'phone',
  'divisionId',
] as const satisfies readonly (keyof NewUser)[]

/**
 * `isTaken`: another user has the username or the address. Otherwise a missing id means that the site has no such
 * division.
 */
export type Inserted = { userId: number | null; isTaken: boolean }

/** Inserts the users without conflicts, and answers one result for each, in their order. */
export function insertUsers(
  tx: Transaction,
  siteId: number,
  users: readonly Omit<NewUser, 'siteId'>[],
  now: Date,
): Promise<Inserted[]> {
  const rows = users.map((user) => ({
    ...pick(user, newUserFields),
    divisionId: user.divisionId === null ? null : recordId(user.divisionId),
    siteId,
    usernameFolded: foldForUniqueness(user.username),
    emailFolded: foldForUniqueness(user.email),
    createdOn: now,
    updatedOn: now,
  }))
  const columns = columnList(Object.keys(rows[0]!))
  return tx.rows(sql`
    with numbered as (
      select given.*, nextval(pg_get_serial_sequence('site_user', 'user_id')) as new_id,
        given.division_id is null or division.division_id is not null as has_division
      from ${givenRows('site_user', rows)} with ordinality as given
      left join division on division.site_id = given.site_id and division.division_id = given.division_id
      order by ordinality
    ), inserted as (
      insert into site_user (user_id, ${columns})
      select new_id, ${columns}
      from numbered
      where has_division
      order by ordinality
      on conflict do nothing
      returning user_id
    )
    select inserted.user_id, has_division or exists (
      select from site_user
      where site_user.site_id = numbered.site_id
        and (site_user.username_folded = numbered.username_folded or site_user.email_folded = numbered.email_folded)
    ) as is_taken
    from numbered left join inserted on inserted.user_id = numbered.new_id
    order by ordinality`)
}

const storedFields = [
  'userId',
  'emailFolded',
  'active',
  'email',
  'firstName',
  'lastName',
  'company',
  'phone',
  'divisionId',
  'ordersRequireApproval',
  'allSegmentsVisible',
  'taxExempt',
] as const satisfies readonly (keyof StoredUser)[]

/** Locks the users that are on the sites, in ascending order, so that two changes of many cannot deadlock. */
export async function lockUsers(
  tx: Transaction,
  siteIds: readonly number[],
  userIds: readonly number[],
): Promise<Map<number, StoredUser>> {
  const rows = await tx.rows<StoredUser>(sql`
    select site_id, ${columnList(storedFields)}
    from site_user
    where user_id = any(${userIds}::int[]) and site_id = any(${siteIds}::int[])
    order by user_id
    for no key update`)
  return new Map(rows.map((row) => [row.userId, row]))
}

/**
 * Overwrites all fields of users.
 * @param givesUp ids of users whose address another of them takes: no two may have it at any moment
 */
export async function rewriteUsers(
  tx: Transaction,
  users: readonly StoredUser[],
  givesUp: readonly number[],
  now: Date,
): Promise<void> {
  const freed =
    givesUp.length > 0 && tx.rows(sql`update site_user set email_folded = null where user_id = any(${givesUp}::int[])`)
  const rows = users.map((user) => ({ ...pick(user, storedFields), updatedOn: now }))
  await Promise.all([freed, updateRows(tx, 'site_user', 'userId', rows)])
}
