import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { auditSegment } from './segment-rules.ts'

/** The segments of a site: customers who may see and buy the same. Who is in them stands in `user-segments.ts`. */

const nameLengthMax = 100

export async function createSegment(
  database: Database,
  siteId: number,
  name: string,
  change: Change,
): Promise<{ segmentId: number } | { refused: 'site_not_found' | 'segment_name_not_usable' }> {
  if (!isUsable(name)) return { refused: 'segment_name_not_usable' }
  return database.transaction(async (tx) => {
    const created = await tx.row<{ segmentId: number }>(sql`
      insert into segment (site_id, name, created_on, updated_on)
      select site_id, ${name}, ${change.now}, ${change.now} from site where site_id = ${siteId}
      returning segment_id`)
    if (!created) return { refused: 'site_not_found' }
    const segmentId = created.segmentId
    await auditSegment(tx, change, 'segment.created', { segmentId, siteId }, { name })
    return { segmentId }
  })
}

export async function renameSegment(
  database: Database,
  segmentId: number,
  name: string,
  change: Change,
): Promise<{ segmentId: number } | { refused: 'segment_not_found' | 'segment_name_not_usable' }> {
  if (!isUsable(name)) return { refused: 'segment_name_not_usable' }
  return database.transaction(async (tx) => {
    const segment = await tx.row<{ siteId: number; name: string }>(sql`
      select site_id, name from segment where segment_id = ${segmentId} for no key update`)
    if (!segment) return { refused: 'segment_not_found' }
    await tx.rows(sql`
      update segment set name = ${name}, updated_on = ${change.now} where segment_id = ${segmentId}`)
    const detail = { before: segment.name, after: name }
    await auditSegment(tx, change, 'segment.renamed', { segmentId, siteId: segment.siteId }, detail)
    return { segmentId }
  })
}

function isUsable(name: string): boolean {
  return name.trim() !== '' && Array.from(name).length <= nameLengthMax
}
