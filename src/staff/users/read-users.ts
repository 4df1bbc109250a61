import type { Static } from 'typebox'
import type { Queries } from '../../database/database.ts'
import { nothing, sql, sqlText, type SqlPart } from '../../database/sql.ts'
import { columns, jsonObject, type View } from '../../database/view.ts'
import { userDetailView, userView } from '../../resources/users/user-view.ts'
import { foldForUniqueness } from '../../vocabulary/text.ts'
import type { StaffUser, StaffUserDetail } from './contract.ts'

/** Users as staff read them: what partners see of them, on every site, their own discount, and whom partners order for. */

type Shown = Static<typeof StaffUser>

const discount = jsonObject<NonNullable<Shown['discount']>>({
  name: "coalesce(site_user.discount_name, '')",
  percent: 'site_user.discount_percent::text',
})
const added = {
  discount: `case when site_user.discount_percent is not null then ${discount} end`,
  // Served by site's primary key.
  isOrderingUser: `exists (
    select from site where site.site_id = site_user.site_id and site.ordering_user_id = site_user.user_id
  )`,
}

const staffUserView: View<Shown> = { ...userView, ...added }
const staffUserDetailView: View<Static<typeof StaffUserDetail>> = { ...userDetailView, ...added }

export type UserSearch = {
  siteId: number | undefined
  divisionId: number | undefined
  active: boolean | undefined
  /** the beginning of it */
  username: string | undefined
  /** the beginning of it */
  email: string | undefined
}

/** At most `limit` users after `afterId`, by id. */
export function findUsers(
  queries: Queries,
  search: UserSearch,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<Shown[]> {
  const { siteId, divisionId, active, username, email } = search
  // Served by the primary key, site_user_on_site, site_user_by_division, site_user_by_username or site_user_by_email.
  return queries.rows(sql`
    select ${columns(staffUserView)} from site_user
    where user_id > ${afterId}
      ${siteId === undefined ? nothing : sqlText`and site_id = ${siteId}`}
      ${divisionId === undefined ? nothing : sqlText`and division_id = ${divisionId}`}
      ${active === undefined ? nothing : sqlText`and active = ${active}`}
      ${username === undefined ? nothing : beginsWith(sqlText`username_folded`, username)}
      ${email === undefined ? nothing : beginsWith(sqlText`email_folded`, email)}
    order by user_id
    limit ${limit}`)
}

/** As a range of the column's bytes, which an index serves for every text. */
function beginsWith(column: SqlPart, text: string): SqlPart {
  const from = foldForUniqueness(text)
  return sqlText`and ${column} collate "C" >= ${from} and ${column} collate "C" < ${`${from}\u{10ffff}`}`
}

export function readStaffUser(queries: Queries, userId: number): Promise<Static<typeof StaffUserDetail> | undefined> {
  return queries.row(sql`
    select ${columns(staffUserDetailView)} from site_user where site_user.user_id = ${userId}`)
}
