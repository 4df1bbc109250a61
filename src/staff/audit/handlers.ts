import { checkAuditChain } from '../../platform/audit/audit-chain.ts'
import { type AuditKey, listAuditRecords } from '../../platform/audit/audit-log.ts'
import type { StaffHandlers } from '../operation.ts'
import type { audit } from './contract.ts'

const keyOf = ({ recordedOn, auditId }: AuditKey) => [recordedOn, auditId]

export const auditHandlers: StaffHandlers<typeof audit> = {
  listAuditRecords: async ({ environment, query, after, page }) => {
    const { limit, cursor: _, ...filter } = query
    const { records, goOn } = await listAuditRecords(environment.database.longReads, filter, {
      after: after && { recordedOn: String(after[0]), auditId: Number(after[1]) },
      limit: limit + 1,
    })
    const { rows, nextCursor } = page(records, keyOf, goOn && keyOf(goOn))
    return { status: 200, body: { records: rows, nextCursor } }
  },
  checkAuditChain: async ({ environment, query }) => {
    const verdict = await checkAuditChain(environment.database.longReads, query)
    return { status: 200, body: { holds: verdict.brokenAt === null, ...verdict } }
  },
}
