import { reasonList, replaceReasons } from '../../platform/reasons/keep-reasons.ts'
import { makeChange } from '../make-change.ts'
import type { StaffHandlers } from '../operation.ts'
import type { reasons } from './contract.ts'

export const reasonHandlers: StaffHandlers<typeof reasons> = {
  readReasons: async ({ environment, path: { reasonKind: kind } }) => ({
    status: 200,
    body: { kind, reasons: await reasonList(environment.database.reads, kind) },
  }),
  replaceReasons: async (call) => {
    const { environment, path, body } = call
    const kind = path.reasonKind
    const wanted = body.reasons.map((reason) => ({ description: null, artworkSource: null, active: true, ...reason }))
    await makeChange(call, (tx, change) => replaceReasons(tx, change, kind, wanted))
    return { status: 200, body: { kind, reasons: await reasonList(environment.database.reads, kind) } }
  },
}
