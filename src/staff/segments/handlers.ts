import { addSegmentRule, removeSegmentRule } from '../../platform/customers/segment-rules.ts'
import { createSegment, renameSegment } from '../../platform/customers/segments.ts'
import type { StaffHandlers } from '../operation.ts'
import type { StaffWorld } from '../world.ts'
import type { segments } from './contract.ts'
import { findSegments, readStaffSegment } from './read-segments.ts'

export const segmentHandlers: StaffHandlers<typeof segments> = {
  listSegments: async ({ world, query, after, page }) => {
    const range = { afterId: Number(after?.[0] ?? 0), limit: query.limit + 1 }
    const found = await findSegments(world.database.longReads, query.siteId, range)
    const { rows, nextCursor } = page(found, ({ segmentId }) => [segmentId])
    return { status: 200, body: { segments: rows, nextCursor } }
  },
  createSegment: async ({ world, body, change, refuse }) => {
    const created = await world.database.change((tx) => createSegment(tx, change, body.siteId, body.name))
    if ('refused' in created) throw refuse(created.refused)
    return { status: 201, body: await changed(world, created.done.segmentId) }
  },
  readSegment: async ({ world, path, refuse }) => {
    const segment = await readStaffSegment(world.database.longReads, path.segmentId)
    if (!segment) throw refuse('segment_not_found')
    return { status: 200, body: segment }
  },
  renameSegment: async ({ world, path, body, change, refuse }) => {
    const renamed = await world.database.change((tx) => renameSegment(tx, change, path.segmentId, body.name))
    if ('refused' in renamed) throw refuse(renamed.refused)
    return { status: 200, body: await changed(world, path.segmentId) }
  },
  addSegmentRule: async ({ world, path, body, change, refuse }) => {
    const { emailDomain, divisionId } = body
    const condition = emailDomain === undefined ? { divisionId: divisionId! } : { emailDomain }
    const added = await world.database.change((tx) => addSegmentRule(tx, change, path.segmentId, condition))
    if ('refused' in added) throw refuse(added.refused)
    return { status: 201, body: added.done }
  },
  removeSegmentRule: async ({ world, path, change, refuse }) => {
    const removed = await world.database.change((tx) => removeSegmentRule(tx, change, path.segmentRuleId))
    if ('refused' in removed) throw refuse(removed.refused)
    return { status: 200, body: removed.done }
  },
}

/** The segment after a change. Segments are never deleted. */
async function changed({ database }: StaffWorld, segmentId: number) {
  return (await readStaffSegment(database.longReads, segmentId))!
}
