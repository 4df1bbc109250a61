import { checkAuditChain } from '../../platform/audit/audit-chain.ts'
import { listAuditRecords } from '../../platform/audit/audit-log.ts'
import type { StaffHandlers } from '../operation.ts'
import type { audit } from './contract.ts'

export const auditHandlers: StaffHandlers<typeof audit> = {
  listAuditRecords: async ({ environment, query, after, page }) => {
    const { limit, cursor: _, ...filter } = query
    const found = await listAuditRecords(environment.database.longReads, filter, {
      after: after && Number(after[0]),
      limit: limit + 1,
    })
    const { rows, nextCursor } = page(found, ({ auditId }) => [auditId])
    return { status: 200, body: { records: rows, nextCursor } }
  },
  checkAuditChain: async ({ environment, query }) => {
    const verdict = await checkAuditChain(environment.database.longReads, query)
    return { status: 200, body: { holds: verdict.brokenAt === null, ...verdict } }
  },
}
