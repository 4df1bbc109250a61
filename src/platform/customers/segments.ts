import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { inUse, type InUse, namesCountedMax } from '../../vocabulary/named-by.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import { isName } from '../../vocabulary/text.ts'
import { recordId } from '../../vocabulary/whole-number.ts'
import { auditSegment } from './segment-rules.ts'

/**
 * The segments of a site: groups of customers who see and buy the same products. `user-segments.ts` has their members.
 */

const nameLengthMax = 100

export async function createSegment(
  tx: Transaction,
  change: Change,
  siteId: number,
  name: string,
): Promise<Done<{ segmentId: number }> | { refused: 'site_not_found' | 'segment_name_not_usable' }> {
  if (!isUsable(name)) return { refused: 'segment_name_not_usable' }
  const created = await tx.row<{ segmentId: number }>(sql`
    insert into segment (site_id, name, created_on, updated_on)
    select site_id, ${name}, ${change.now}, ${change.now} from site where site_id = ${recordId(siteId)}
    returning segment_id`)
  if (!created) return { refused: 'site_not_found' }
  await auditSegment(tx, change, 'segment.created', { ...created, siteId }, { name })
  return { done: created }
}

export async function renameSegment(
  tx: Transaction,
  change: Change,
  segmentId: number,
  name: string,
): Promise<Done | { refused: 'segment_not_found' | 'segment_name_not_usable' }> {
  if (!isUsable(name)) return { refused: 'segment_name_not_usable' }
  const segment = await tx.row<{ siteId: number; name: string }>(sql`
    select site_id, name from segment where segment_id = ${segmentId} for no key update`)
  if (!segment) return { refused: 'segment_not_found' }
  await tx.rows(sql`
    update segment set name = ${name}, updated_on = ${change.now} where segment_id = ${segmentId}`)
  const detail = { before: segment.name, after: name }
  await auditSegment(tx, change, 'segment.renamed', { segmentId, siteId: segment.siteId }, detail)
  return { done: {} }
}

/** Deletes a segment without users, rules and products. */
export async function deleteSegment(
  tx: Transaction,
  change: Change,
  segmentId: number,
): Promise<Done | Refused<'segment_not_found'> | InUse> {
  const segment = await tx.row<{ siteId: number; name: string }>(sql`
    select site_id, name from segment where segment_id = ${segmentId} for update`)
  if (!segment) return { refused: 'segment_not_found' }
  const named = await tx.row<Record<string, number>>(sql`
    select
      (select count(*)::int from (
        select from user_segment where segment_id = ${segmentId} limit ${namesCountedMax}::int) one) as "user",
      (select count(*)::int from (
        select from product_segment where segment_id = ${segmentId} limit ${namesCountedMax}::int) one) as "product",
      (select count(*)::int from segment_rule where segment_id = ${segmentId}) as "rule"`)
  const used = inUse(named!, 'Remove them first.')
  if (used) return used
  await tx.rows(sql`delete from segment where segment_id = ${segmentId}`)
  await auditSegment(tx, change, 'segment.deleted', { segmentId, siteId: segment.siteId }, { name: segment.name })
  return { done: {} }
}

function isUsable(name: string): boolean {
  return isName(name, nameLengthMax)
}
