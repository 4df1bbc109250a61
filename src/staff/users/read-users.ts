import type { Static } from 'typebox'
import type { Queries } from '../../database/database.ts'
import { nothing, sql, sqlText, type SqlPart } from '../../database/sql.ts'
import { readUser } from '../../resources/users/read-user.ts'
import { userColumns, type UserRow, userView } from '../../resources/users/user-view.ts'
import { foldForUniqueness } from '../../vocabulary/text.ts'
import type { StaffUser, StaffUserDetail } from './contract.ts'

/** Users as staff read them: what partners see of them, on every site, and their own discount. */

type DiscountRow = { discountName: string | null; discountPercent: string | null }

export type UserSearch = {
  siteId: number | undefined
  divisionId: number | undefined
  active: boolean | undefined
  /** how it begins */
  username: string | undefined
  /** how it begins */
  email: string | undefined
}

/** At most `limit` users after `afterId`, by id. */
export async function findUsers(
  queries: Queries,
  search: UserSearch,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<Static<typeof StaffUser>[]> {
  const { siteId, divisionId, active, username, email } = search
  // Served by the primary key, site_user_on_site, site_user_by_division, site_user_by_username or site_user_by_email.
  const rows = await queries.rows<UserRow & DiscountRow>(sql`
    select ${userColumns}, discount_name, discount_percent from site_user
    where user_id > ${afterId}
      ${siteId === undefined ? nothing : sqlText`and site_id = ${siteId}`}
      ${divisionId === undefined ? nothing : sqlText`and division_id = ${divisionId}`}
      ${active === undefined ? nothing : sqlText`and active = ${active}`}
      ${username === undefined ? nothing : beginsWith(sqlText`username_folded`, username)}
      ${email === undefined ? nothing : beginsWith(sqlText`email_folded`, email)}
    order by user_id
    limit ${limit}`)
  return rows.map((row) => ({ ...userView(row), discount: discountOf(row) }))
}

/** As a range of the column's bytes, which an index serves whatever the text is. */
function beginsWith(column: SqlPart, text: string): SqlPart {
  const from = foldForUniqueness(text)
  return sqlText`and ${column} collate "C" >= ${from} and ${column} collate "C" < ${`${from}\u{10ffff}`}`
}

export async function readStaffUser(
  queries: Queries,
  userId: number,
): Promise<Static<typeof StaffUserDetail> | undefined> {
  const own = await queries.row<{ siteId: number } & DiscountRow>(sql`
    select site_id, discount_name, discount_percent from site_user where user_id = ${userId}`)
  const user = own && (await readUser(queries, [own.siteId], userId))
  return user && { ...user, discount: discountOf(own) }
}

function discountOf({ discountName: name, discountPercent: percent }: DiscountRow) {
  return percent === null ? null : { name: name ?? '', percent }
}
