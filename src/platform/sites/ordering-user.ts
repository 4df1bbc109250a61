import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import { recordId } from '../../vocabulary/whole-number.ts'
import { recordAudit } from '../audit/audit.ts'

/**
 * Sets the user in whose name a site's partners order, or none, which ends ordering there (STF-10). The user must be an
 * active one of the site. Its row is locked, so that it is still active at the commit.
 */
export async function setOrderingUser(
  tx: Transaction,
  change: Change,
  siteId: number,
  userId: number | null,
): Promise<Done | Refused<'site_not_found' | 'user_not_on_site' | 'user_inactive'>> {
  const site = await tx.row<{ orderingUserId: number | null }>(sql`
    select ordering_user_id from site where site_id = ${siteId} for no key update`)
  if (!site) return { refused: 'site_not_found' }
  if (userId !== null) {
    const user = await tx.row<{ active: boolean }>(sql`
      select active from site_user where user_id = ${recordId(userId)} and site_id = ${siteId} for share`)
    if (!user) return { refused: 'user_not_on_site' }
    if (!user.active) return { refused: 'user_inactive' }
  }
  await Promise.all([
    tx.rows(sql`update site set ordering_user_id = ${userId}, updated_on = ${change.now} where site_id = ${siteId}`),
    recordAudit(tx, change, {
      action: 'site.ordering_user_set',
      subject: { kind: 'site', id: siteId },
      siteId,
      detail: { before: site.orderingUserId, after: userId },
    }),
  ])
  return { done: {} }
}
