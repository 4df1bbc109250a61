import { addSegmentRule, removeSegmentRule } from '../../platform/customers/segment-rules.ts'
import { createSegment, deleteSegment, renameSegment } from '../../platform/customers/segments.ts'
import type { StaffEnvironment } from '../environment.ts'
import { makeChange } from '../make-change.ts'
import type { StaffHandlers } from '../operation.ts'
import type { segments } from './contract.ts'
import { findSegments, readStaffSegment } from './read-segments.ts'

export const segmentHandlers: StaffHandlers<typeof segments> = {
  listSegments: async ({ environment, query, after, page }) => {
    const range = { afterId: Number(after?.[0] ?? 0), limit: query.limit + 1 }
    const found = await findSegments(environment.database.longReads, query.siteId, range)
    const { rows, nextCursor } = page(found, ({ segmentId }) => [segmentId])
    return { status: 200, body: { segments: rows, nextCursor } }
  },
  createSegment: async ({ environment, body, change, refuse }) => {
    const created = await environment.database.change((tx) => createSegment(tx, change, body.siteId, body.name))
    if ('refused' in created) throw refuse(created.refused)
    return { status: 201, body: await changed(environment, created.done.segmentId) }
  },
  readSegment: async ({ environment, path, refuse }) => {
    const segment = await readStaffSegment(environment.database.longReads, path.segmentId)
    if (!segment) throw refuse('segment_not_found')
    return { status: 200, body: segment }
  },
  renameSegment: async ({ environment, path, body, change, refuse }) => {
    const renamed = await environment.database.change((tx) => renameSegment(tx, change, path.segmentId, body.name))
    if ('refused' in renamed) throw refuse(renamed.refused)
    return { status: 200, body: await changed(environment, path.segmentId) }
  },
  deleteSegment: async (call) => {
    const { segmentId } = call.path
    await makeChange(call, (tx, change) => deleteSegment(tx, change, segmentId))
    return { status: 200, body: { segmentId } }
  },
  addSegmentRule: async ({ environment, path, body, change, refuse }) => {
    const { emailDomain, divisionId } = body
    const condition = emailDomain === undefined ? { divisionId: divisionId! } : { emailDomain }
    const added = await environment.database.change((tx) => addSegmentRule(tx, change, path.segmentId, condition))
    if ('refused' in added) throw refuse(added.refused)
    return { status: 201, body: added.done }
  },
  removeSegmentRule: async ({ environment, path, change, refuse }) => {
    const removed = await environment.database.change((tx) => removeSegmentRule(tx, change, path.segmentRuleId))
    if ('refused' in removed) throw refuse(removed.refused)
    return { status: 200, body: removed.done }
  },
}

/** The segment after a change. */
async function changed({ database }: StaffEnvironment, segmentId: number) {
  return (await readStaffSegment(database.longReads, segmentId))!
}
