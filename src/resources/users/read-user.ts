import type { Static } from 'typebox'
import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { columns } from '../../database/view.ts'
import type { UserDetail } from './contract.ts'
import { userDetailView } from './user-view.ts'

/** The user on one of the sites with its segments, in one round trip; undefined where there is none to be seen. */
export function readUser(
  queries: Queries,
  siteIds: readonly number[],
  userId: number,
): Promise<Static<typeof UserDetail> | undefined> {
  // Served by the primary key.
  return queries.row(sql`
    select ${columns(userDetailView)} from site_user
    where site_user.user_id = ${userId} and site_user.site_id = any(${siteIds}::int[])`)
}
