import type { Transaction } from '../../database/database.ts'
import { sql, sqlText } from '../../database/sql.ts'
import { foldForUniqueness } from '../../vocabulary/text.ts'

/** Users on their way into their table and out of it, many in one statement. */

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

/** What staff alone change, beyond what a user starts with. */
export type UserStanding = {
  ordersRequireApproval: boolean
  allSegmentsVisible: boolean
  taxExempt: boolean
}

export type NewUser = UserFields & { siteId: number; username: string }

export type StoredUser = { userId: number; siteId: number; emailFolded: string | null } & {
  [Field in keyof UserFields]: UserFields[Field] | null
} & UserStanding

/** Named as in the program, so that users go in as they are. */
const given = sqlText`(
  place int, "userId" int, username text, "usernameFolded" text, email text, "emailFolded" text, "firstName" text,
  "lastName" text, company text, phone text, "divisionId" int, active boolean, "ordersRequireApproval" boolean,
  "allSegmentsVisible" boolean, "taxExempt" boolean
)`

/** `isTaken`: the username or the address is somebody's; otherwise who has no id named a division the site does not have. */
export type Inserted = { userId: number | null; isTaken: boolean }

/** Writes those who can be, and answers one for each, in their order. */
export function insertUsers(
  tx: Transaction,
  siteId: number,
  users: readonly Omit<NewUser, 'siteId'>[],
  now: Date,
): Promise<Inserted[]> {
  const rows = users.map((user, place) => ({
    ...user,
    place,
    usernameFolded: foldForUniqueness(user.username),
    emailFolded: foldForUniqueness(user.email),
  }))
  return tx.rows(sql`
    with numbered as (
      select given.*, nextval(pg_get_serial_sequence('site_user', 'user_id')) as user_id,
        "divisionId" is null or division_id is not null as has_division
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given ${given}
      left join division on division.site_id = ${siteId} and division_id = "divisionId"
      order by place
    ), inserted as (
      insert into site_user (user_id, site_id, username, username_folded, email, email_folded, first_name, last_name,
        company, phone, division_id, active, created_on, updated_on)
      select user_id, ${siteId}, username, "usernameFolded", email, "emailFolded", "firstName", "lastName", company, phone,
        "divisionId", active, ${now}, ${now}
      from numbered
      where has_division
      order by place
      on conflict do nothing
      returning user_id
    )
    select inserted.user_id as "userId", has_division or exists (
      select from site_user
      where site_id = ${siteId} and (username_folded = "usernameFolded" or email_folded = "emailFolded")
    ) as "isTaken"
    from numbered left join inserted using (user_id)
    order by place`)
}

/** Those on the sites, by id: in ascending order, so that two who change many never wait for each other. */
export async function lockUsers(
  tx: Transaction,
  siteIds: readonly number[],
  userIds: readonly number[],
): Promise<Map<number, StoredUser>> {
  const rows = await tx.rows<StoredUser>(sql`
    select user_id as "userId", site_id as "siteId", active, email, email_folded as "emailFolded",
      first_name as "firstName", last_name as "lastName", company, phone, division_id as "divisionId",
      orders_require_approval as "ordersRequireApproval", all_segments_visible as "allSegmentsVisible",
      tax_exempt as "taxExempt"
    from site_user
    where user_id = any(${userIds}::int[]) and site_id = any(${siteIds}::int[])
    order by user_id
    for no key update`)
  return new Map(rows.map((row) => [row.userId, row]))
}

/**
 * Writes users anew, each as a whole.
 * @param givesUp ids of those whose address another of them takes: an address has one bearer at every moment
 */
export async function rewriteUsers(
  tx: Transaction,
  users: readonly StoredUser[],
  givesUp: readonly number[],
  now: Date,
): Promise<void> {
  const freed =
    givesUp.length > 0 && tx.rows(sql`update site_user set email_folded = null where user_id = any(${givesUp}::int[])`)
  const written = tx.rows(sql`
    update site_user
    set active = given.active, email = given.email, email_folded = "emailFolded", first_name = "firstName",
      last_name = "lastName", company = given.company, phone = given.phone, division_id = "divisionId",
      updated_on = ${now}, orders_require_approval = "ordersRequireApproval",
      all_segments_visible = "allSegmentsVisible", tax_exempt = "taxExempt"
    from jsonb_to_recordset(${JSON.stringify(users)}::jsonb) as given ${given}
    where user_id = "userId"`)
  await Promise.all([freed, written])
}
