import type { Transaction } from '../../database/database.ts'
import { insertion } from '../../database/rows.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { Outage } from '../../vocabulary/outage.ts'

/**
 * The record of who changed what. It is written in the transaction of the change, so that every change has one. The
 * audit sealer chains the records afterwards.
 */

/** What was done to which subject. The change says who did it and when. */
export type AuditEntry = {
  /** verb and noun in the past: `order.created`, `division.updated` */
  action: string
  subject: { kind: string; id: string | number }
  siteId: number | null
  /** facts of the change, by allow-list: never secrets, never whole bodies */
  detail?: Readonly<Record<string, unknown>>
}

/**
 * Adds the record to the transaction of the change.
 * @throws Outage of `audit` when it cannot be written, which rolls the change back (`audit_unavailable`)
 */
export function recordAudit(tx: Transaction, change: Change, entry: AuditEntry): Promise<void> {
  return recordAudits(tx, [{ ...entry, change }])
}

/** Records several actions, of one change or several. */
export async function recordAudits(
  tx: Transaction,
  entries: readonly (AuditEntry & { change: Change })[],
): Promise<void> {
  const rows = entries.map(({ change, ...entry }) => ({
    recordedOn: change.now,
    actorKind: change.actor.kind,
    actorId: change.actor.id,
    action: entry.action,
    subjectKind: entry.subject.kind,
    subjectId: String(entry.subject.id),
    siteId: entry.siteId,
    requestId: change.requestId,
    detail: entry.detail ?? {},
  }))
  if (rows.length === 0) return
  await tx.rows({
    ...sql`${insertion('audit_record', rows)}`,
    failsAs: (error) => new Outage('the audit record', error, 'audit'),
  })
}
