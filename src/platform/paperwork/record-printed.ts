import type { Transaction } from '../../database/database.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done } from '../../vocabulary/outcome.ts'
import { recordAudit } from '../audit/audit.ts'

/** Records who had the documents of many lines or shipments drawn. @param kind such as `job_tickets` */
export async function recordPrinted(
  tx: Transaction,
  change: Change,
  kind: string,
  of: readonly string[],
): Promise<Done> {
  await recordAudit(tx, change, {
    action: 'documents.printed',
    subject: { kind: 'documents', id: kind },
    siteId: null,
    detail: { of },
  })
  return { done: {} }
}
