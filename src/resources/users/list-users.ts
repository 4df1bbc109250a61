import type { Static } from 'typebox'
import type { Call, Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import { jsonPage, type RecordRow } from '../../database/view.ts'
import type { JsonText } from '../../vocabulary/json-text.ts'
import { foldForUniqueness } from '../../vocabulary/text.ts'
import type { UserPage, users } from './contract.ts'
import { userRecord } from './user-view.ts'

export function listUsers(database: Database): Handler<typeof users.listUsers> {
  return async (call) => ({ status: 200, body: await userPage(database, call) })
}

/** What both list routes have in common: the sites they speak of are in the call already. */
type ListCall = Pick<Call<typeof users.listSiteUsers>, 'siteIds' | 'query' | 'after' | 'page'>

/**
 * Each granted site gives its own next users; only as many as a page needs are then sorted together. However many sites
 * and users there are, nothing else is read.
 */
export async function userPage(
  database: Database,
  { siteIds, query, after, page }: ListCall,
): Promise<JsonText<Static<typeof UserPage>>> {
  const { divisionId, username, email, limit } = query
  const afterId = after?.[0] ?? 0
  // One user of a site at most, by site_user_username_unique_on_site or site_user_email_unique_on_site.
  const named = sqlText`
        where site_user.site_id = granted.site_id and site_user.user_id > ${afterId}
          ${username === undefined ? nothing : sqlText`and site_user.username_folded = ${foldForUniqueness(username)}`}
          ${email === undefined ? nothing : sqlText`and site_user.email_folded = ${foldForUniqueness(email)}`}
          ${divisionId === undefined ? nothing : sqlText`and site_user.division_id = ${divisionId}`}`
  // A range of site_user_on_site or site_user_by_division, and in its order. Said as "of this site, by user_id", the
  // primary key would have that order too, and the planner would read its way past the users of all other sites.
  const range =
    divisionId === undefined
      ? sqlText`
        where (site_user.site_id, site_user.user_id) > (granted.site_id, ${afterId})
          and site_user.site_id <= granted.site_id
        order by site_user.site_id, site_user.user_id`
      : sqlText`
        where (site_user.site_id, site_user.division_id, site_user.user_id) > (granted.site_id, ${divisionId}, ${afterId})
          and (site_user.site_id, site_user.division_id) <= (granted.site_id, ${divisionId})
        order by site_user.site_id, site_user.division_id, site_user.user_id`
  const found = await database.lists.rows<RecordRow & { userId: number }>(sql`
    with next_user as (
      select listed.user_id
      from unnest(${siteIds}::int[]) as granted (site_id)
      cross join lateral (
        select site_user.user_id from site_user
        ${username === undefined && email === undefined ? range : named}
        limit ${limit + 1}
      ) as listed
      order by listed.user_id
      limit ${limit + 1}
    )
    select ${userRecord.column}, site_user.user_id
    from next_user
    join site_user on site_user.user_id = next_user.user_id
    order by site_user.user_id`)
  const { rows, nextCursor } = page(found, (user) => [user.userId])
  return jsonPage('users', userRecord, rows, nextCursor)
}
