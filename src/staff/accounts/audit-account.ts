import type { Transaction } from '../../database/database.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Change } from '../../vocabulary/change.ts'

/** Records a change of a staff account. */
export async function auditAccount(
  tx: Transaction,
  change: Change,
  staffId: string,
  action: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  await recordAudit(tx, change, { action, subject: { kind: 'staff_account', id: staffId }, siteId: null, detail })
}
