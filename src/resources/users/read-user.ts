import type { Static } from 'typebox'
import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { UserDetail } from './contract.ts'
import { userColumns, type UserRow, userView } from './user-view.ts'

type Row = UserRow & { segments: { segmentId: number; name: string; autoAssigned: boolean }[] | null }

/** The user on one of the sites with its segments, in one round trip; undefined where there is none to be seen. */
export async function readUser(
  queries: Queries,
  siteIds: readonly number[],
  userId: number,
): Promise<Static<typeof UserDetail> | undefined> {
  // Served by the primary keys of site_user, user_segment and segment.
  const row = await queries.row<Row>(sql`
    select ${userColumns}, (
      select json_agg(json_build_object(
        'segmentId', segment.segment_id, 'name', segment.name, 'autoAssigned', user_segment.auto_assigned
      ) order by segment.segment_id)
      from user_segment
      join segment on segment.segment_id = user_segment.segment_id and segment.site_id = site_user.site_id
      where user_segment.user_id = site_user.user_id
    ) as segments
    from site_user
    where site_user.user_id = ${userId} and site_user.site_id = any(${siteIds}::int[])`)
  return row && { ...userView(row), segments: row.segments ?? [] }
}
