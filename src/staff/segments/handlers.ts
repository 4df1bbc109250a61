import { addSegmentRule, removeSegmentRule } from '../../platform/customers/segment-rules.ts'
import { createSegment, renameSegment } from '../../platform/customers/segments.ts'
import type { StaffHandlers } from '../operation.ts'
import type { StaffWorld } from '../world.ts'
import type { segments } from './contract.ts'
import { findSegments, readStaffSegment } from './read-segments.ts'

export const segmentHandlers: StaffHandlers<typeof segments> = {
  listSegments: async ({ world, query, after, page }) => {
    const place = { afterId: Number(after?.[0] ?? 0), limit: query.limit + 1 }
    const found = await findSegments(world.database.longReads, query.siteId, place)
    const { rows, nextCursor } = page(found, ({ segmentId }) => [segmentId])
    return { status: 200, body: { segments: rows, nextCursor } }
  },
  createSegment: async ({ world, body, change, refuse }) => {
    const created = await createSegment(world.database, body.siteId, body.name, change)
    if ('refused' in created) throw refuse(created.refused)
    return { status: 201, body: await changed(world, created.segmentId) }
  },
  readSegment: async ({ world, path, refuse }) => {
    const segment = await readStaffSegment(world.database.longReads, path.segmentId)
    if (!segment) throw refuse('segment_not_found')
    return { status: 200, body: segment }
  },
  renameSegment: async ({ world, path, body, change, refuse }) => {
    const renamed = await renameSegment(world.database, path.segmentId, body.name, change)
    if ('refused' in renamed) throw refuse(renamed.refused)
    return { status: 200, body: await changed(world, path.segmentId) }
  },
  addSegmentRule: async ({ world, path, body, change, refuse }) => {
    const { emailDomain, divisionId } = body
    const condition = emailDomain === undefined ? { divisionId: divisionId! } : { emailDomain }
    const added = await addSegmentRule(world.database, path.segmentId, condition, change)
    if ('refused' in added) throw refuse(added.refused)
    return { status: 201, body: added }
  },
  removeSegmentRule: async ({ world, path, change, refuse }) => {
    const removed = await removeSegmentRule(world.database, path.segmentRuleId, change)
    if ('refused' in removed) throw refuse(removed.refused)
    return { status: 200, body: removed }
  },
}

/** The segment as it stands after a change. Segments are never deleted. */
async function changed({ database }: StaffWorld, segmentId: number) {
  return (await readStaffSegment(database.longReads, segmentId))!
}
